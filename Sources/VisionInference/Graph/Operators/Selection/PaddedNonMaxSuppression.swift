/// Chooses boxes of each image by the best of their scores, without those that overlap a better one by more than a
/// threshold, as Core ML does: of one class or of all, and always at least one box of an image.
///
/// Inputs: boxes (images, boxes, centre x and y, width, height) and scores (images, boxes, classes). Outputs: the
/// chosen boxes and their scores, best first, in `limit` rows, zeros behind the last; their positions, −1 behind the
/// last; and their number in each image.
package struct PaddedNonMaxSuppression: Operator {
    /// The largest intersection over union.
    package var overlap: Float
    /// Boxes with a lower score are left out.
    package var threshold: Float
    package var limit: Int
    package var isPerClass: Bool

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let (boxes, scores) = (try required(inputs, 0), try required(inputs, 1))
        let (shape, wanted) = (boxes.shape, scores.shape)
        try check(
            boxes.type == .float32 && scores.type == .float32 && shape.count == 3 && wanted.count == 3
                && shape[2] == 4 && shape[..<2] == wanted[..<2] && shape[1] > 0 && wanted[2] > 0,
            "boxes of type \(boxes.type) and shape \(shape), scores of type \(scores.type) and shape \(wanted)")
        try check((1...1 << 20).contains(limit), "\(limit) boxes")
        return .known([
            TensorDescription(.float32, [shape[0], limit, 4]),
            TensorDescription(.float32, [shape[0], limit, wanted[2]]),
            TensorDescription(.int32, [shape[0], limit]), TensorDescription(.int32, [shape[0]]),
        ])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        let count = (inputs.first ?? nil)?.shape.elementCount ?? 0
        return Int.saturatingProduct([4, count, limit])
    }
}
