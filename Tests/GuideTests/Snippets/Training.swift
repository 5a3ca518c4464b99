import CoreML
import CreateML
import Foundation
import Vision

/// The snippet of the guide about training: the share of test photos that the classifier gets wrong.
func trainClassifier(on training: URL, testing: URL, writing modelURL: URL) throws -> Double {
    // snippet: train
    // Folders of photos; the names of the inner folders are the labels.
    let classifier = try MLImageClassifier(trainingData: .labeledDirectories(at: training))
    let wrong = classifier.evaluation(on: .labeledDirectories(at: testing)).classificationError
    try classifier.write(to: modelURL)
    // end
    return wrong
}

/// The label of a photo, by the model that was written.
func label(of photo: URL, by modelURL: URL) throws -> String? {
    // snippet: use
    let model = try VNCoreMLModel(for: MLModel(contentsOf: modelURL))
    let request = VNCoreMLRequest(model: model)
    try VNImageRequestHandler(url: photo).perform([request])
    let best = (request.results as? [VNClassificationObservation])?.first
    // end
    return best?.identifier
}
