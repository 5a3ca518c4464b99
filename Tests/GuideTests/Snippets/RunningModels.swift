import CoreML
import Foundation
import Vision

/// The snippet of the guide about models: what a detector finds in an image.
func detect(with modelURL: URL, in image: CVPixelBuffer) throws -> [String] {
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }
    // snippet: vision
    // .mlmodel, .mlpackage, .onnx and .tflite alike
    let model = try MLModel(contentsOf: modelURL)
    let request = VNCoreMLRequest(model: try VNCoreMLModel(for: model))
    request.imageCropAndScaleOption = .scaleFill
    try VNImageRequestHandler(cvPixelBuffer: image).perform([request])

    for case let object as VNRecognizedObjectObservation in request.results ?? [] {
        let box = object.boundingBox
        print("\(object.labels[0].identifier): \(box.minX), \(box.minY), \(box.width) × \(box.height)")
    }
    // end
    return lines
}

/// The snippet about networks that take arrays: the names of the outputs.
func predict(with modelURL: URL, input: String, shape: [NSNumber]) throws -> [String] {
    // snippet: arrays
    let model = try MLModel(contentsOf: modelURL)
    let array = try MLMultiArray(shape: shape, dataType: .float32)
    for index in 0..<array.count { array[index] = 0.5 }

    let features = try MLDictionaryFeatureProvider(dictionary: [input: array])
    let prediction = try model.prediction(from: features)
    let outputs = prediction.featureNames.sorted()
    // end
    return outputs
}
