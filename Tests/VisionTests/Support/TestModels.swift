import CoreML
import ModelTestSupport
import Vision
import XCTest

/// A detector with one box: around the pixels that are brighter than half. Its scores are 0.6 for “egg” and 0.2 for
/// “waffle”.
func brightBoxDetector(side: Int = 64) throws -> MLModel {
    let session = try makeSession(
        inputs: [("image", .float32, [1, 3, side, side])],
        outputs: [("confidence", [1, 6]), ("coordinates", [1, 4])], shapes: { _ in [[1, 6], [1, 4]] },
        body: { inputs in
            let red = inputs[0].prefix(side * side)
            var (left, right, top, bottom) = (side, 0, side, 0)
            for (index, value) in red.enumerated() where value > 0.5 {
                (left, right) = (min(left, index % side), max(right, index % side + 1))
                (top, bottom) = (min(top, index / side), max(bottom, index / side + 1))
            }
            let size = Float(side)
            let box = [Float(left + right) / 2, Float(top + bottom) / 2, Float(right - left), Float(bottom - top)]
            return [[0, 0, 0, 0, 0.6, 0.2], box.map { $0 / size }]
        })
    return try makeModel(session, #"{"labels": ["\#(breakfast.joined(separator: #"", ""#))"]}"#)
}

/// A classifier with given scores.
func fixedClassifier(_ labels: [String], _ scores: [Float], side: Int = 8) throws -> MLModel {
    let session = try makeSession(
        inputs: [("image", .float32, [1, 3, side, side])], outputs: [("scores", [1, labels.count])],
        shapes: { _ in [[1, labels.count]] }, body: { _ in [scores] })
    return try makeModel(session, #"{"labels": ["\#(labels.joined(separator: #"", ""#))"]}"#)
}

/// A model that gives back its image input, one number a component.
func imageEcho(width: Int, height: Int, channels: Int = 3, _ json: String = #"{"inputs": {"image": {"scale": 1}}}"#)
    throws -> MLModel
{
    try makeModel(echo("image", .float32, [1, channels, height, width]), json)
}

extension VNImageRequestHandler {
    /// Performs one request and gives its results.
    func results<Observation>(of request: VNRequest, as type: Observation.Type = Observation.self) throws
        -> [Observation]
    {
        try perform([request])
        return try XCTUnwrap(request.results as? [Observation])
    }
}
