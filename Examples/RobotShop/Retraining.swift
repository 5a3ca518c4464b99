import CoreML
import CreateML
import Foundation
import Vision

/// Retrains the classifier when the shop gets a new part, whose photos are in a folder beside the others. Photos that
/// were there before are not read again.
struct Retraining {
    /// A folder with a folder of photos for each part, which its name is the label of.
    let photos: URL
    /// Where the model is written.
    let model: URL

    func run() throws -> VNCoreMLModel {
        let classifier = try MLImageClassifier(trainingData: .labeledDirectories(at: photos))
        try classifier.write(
            to: model, metadata: MLModelMetadata(author: "The shop", shortDescription: "Tells parts of robots apart"))
        return try VNCoreMLModel(for: MLModel(contentsOf: model))
    }
}
