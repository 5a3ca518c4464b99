import VisionInference
import VisionModels

/// Keeps the best of boxes that overlap (NonMaximumSuppression.proto).
struct BoxSuppression: ValueModel {
    let confidenceOutput: String
    let coordinatesOutput: String
    let labels: CoreMLClassLabels?
    private let confidenceInput: String
    private let coordinatesInput: String
    private let overlapInput: String
    private let thresholdInput: String
    private let overlap: Double
    private let threshold: Double
    private let isPerClass: Bool

    init(_ content: ProtobufMessage) throws {
        labels = try CoreMLClassLabels(content)
        overlap = try content.double(110)
        threshold = try content.double(111)
        isPerClass = try content.message(1)?.bool(1) ?? false
        confidenceInput = try content.string(200)
        coordinatesInput = try content.string(201)
        overlapInput = try content.string(202)
        thresholdInput = try content.string(203)
        confidenceOutput = try content.string(210)
        coordinatesOutput = try content.string(211)
        guard !confidenceOutput.isEmpty, !coordinatesOutput.isEmpty else {
            throw ModelError.damaged("a suppression of boxes without outputs")
        }
    }

    func outputs(of features: [String: MLFeatureValue]) throws -> [String: MLFeatureValue] {
        func array(_ name: String) throws -> MLMultiArray {
            guard let array = features[name]?.multiArrayValue else {
                throw MLModelError(.featureType, "The input “\(name)” is missing, or is no array.")
            }
            return array
        }
        func number(_ name: String, _ fallback: Double) -> Double {
            guard !name.isEmpty, let value = features[name], value.type == .double else { return fallback }
            return value.doubleValue
        }
        let (scores, boxes) = (try array(confidenceInput), try array(coordinatesInput))
        let classes = scores.layout.shape.last ?? 0
        guard classes > 0, boxes.layout.shape.last == 4, scores.count / classes == boxes.count / 4 else {
            throw MLModelError(
                .featureType,
                "Confidences of shape \(scores.layout.shape) do not fit boxes of shape \(boxes.layout.shape).")
        }
        let (allScores, allBoxes) = (scores.doubles, boxes.doubles)
        let kept = kept(
            allScores, allBoxes, classes: classes, threshold: number(thresholdInput, threshold),
            overlap: number(overlapInput, overlap))
        func chosen(_ numbers: [Double], _ width: Int, like array: MLMultiArray) throws -> MLFeatureValue {
            let result = try MLMultiArray(lengths: [kept.count, width], dataType: array.dataType)
            result.fill(kept.flatMap { numbers[$0 * width..<($0 + 1) * width] })
            return MLFeatureValue(multiArray: result)
        }
        return [
            confidenceOutput: try chosen(allScores, classes, like: scores),
            coordinatesOutput: try chosen(allBoxes, 4, like: boxes),
        ]
    }

    /// The rows that are kept, best first.
    private func kept(
        _ scores: [Double], _ boxes: [Double], classes: Int, threshold: Double, overlap: Double
    ) -> [Int] {
        let best = (0..<boxes.count / 4).map { row -> (label: Int, score: Double) in
            let row = scores[row * classes..<(row + 1) * classes]
            let index = row.indices.reduce(row.startIndex) { row[$1] > row[$0] ? $1 : $0 }
            return (index - row.startIndex, row[index])
        }
        let order = best.indices.filter { best[$0].score > threshold }
            .sorted { (best[$1].score, $0) < (best[$0].score, $1) }
        var kept: [Int] = []
        for row in order {
            let isCovered = kept.contains { other in
                (!isPerClass || best[other].label == best[row].label)
                    && Self.overlap(boxes[other * 4..<other * 4 + 4], boxes[row * 4..<row * 4 + 4]) > overlap
            }
            if !isCovered { kept.append(row) }
        }
        return kept
    }

    /// The area shared over the area covered, of boxes by centre, width and height.
    private static func overlap(_ a: ArraySlice<Double>, _ b: ArraySlice<Double>) -> Double {
        let (i, j) = (a.startIndex, b.startIndex)
        func shared(_ axis: Int) -> Double {
            let low = max(a[i + axis] - a[i + axis + 2] / 2, b[j + axis] - b[j + axis + 2] / 2)
            let high = min(a[i + axis] + a[i + axis + 2] / 2, b[j + axis] + b[j + axis + 2] / 2)
            return max(high - low, 0)
        }
        let common = shared(0) * shared(1)
        let all = a[i + 2] * a[i + 3] + b[j + 2] * b[j + 3] - common
        return all > 0 ? common / all : 0
    }
}
