/// Chooses boxes of each image and class by their scores, without those that overlap a better one by more than a
/// threshold. Rows of the output: image, class, box.
///
/// Inputs: boxes (images, boxes, 4), scores (images, classes, boxes), at most how many boxes of a class (none if left
/// out), the largest intersection over union (0), the score that must be exceeded (any).
package struct NonMaxSuppression: Operator {
    /// Boxes are centre and size instead of two opposite corners.
    package var centerPointBox = false

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let boxes = try required(inputs, 0)
        let scores = try required(inputs, 1)
        try check(
            boxes.type == .float32 && scores.type == .float32 && boxes.shape.count == 3 && scores.shape.count == 3
                && boxes.shape[2] == 4 && boxes.shape[0] == scores.shape[0] && boxes.shape[1] == scores.shape[2],
            "boxes of type \(boxes.type) and shape \(boxes.shape), scores of type \(scores.type) and shape "
                + "\(scores.shape)")
        if case .values = try integer(inputs, 2) {}
        for index in [3, 4] where isPresent(inputs, index) {
            let threshold = try required(inputs, index)
            try check(
                threshold.type == .float32 && threshold.shape.allSatisfy { $0 == 1 },
                "threshold of type \(threshold.type) and shape \(threshold.shape)")
        }
        return .dependsOnData
    }

    typealias Corners = SIMD4<Float>
}
