/// Chooses boxes of each picture and class by their scores, without those that overlap a better one by more than a
/// threshold. Rows of the output: picture, class, box.
///
/// Inputs: boxes (pictures, boxes, 4), scores (pictures, classes, boxes), at most how many boxes of a class (none if left
/// out), the largest intersection over union (0), the score that must be exceeded (any).
package struct NonMaxSuppression: Operator {
    /// Boxes are centre and size instead of two opposite corners.
    package var centerPointBox: Bool

    package init(centerPointBox: Bool = false) { self.centerPointBox = centerPointBox }

    package var name: String { "NonMaxSuppression" }

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

    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        throw ModelError.invalid("NonMaxSuppression has no output shape before it runs")
    }

    package func runDynamically(_ inputs: [Tensor?]) throws -> [Tensor] {
        guard inputs.count >= 2, let boxes = inputs[0]?.view, let scores = inputs[1] else {
            throw ModelError.invalid("NonMaxSuppression lacks an input")
        }
        func tensor(_ index: Int) -> Tensor? { index < inputs.count ? inputs[index] : nil }
        let limit = tensor(2)?.integers?.first ?? 0
        let overlap = tensor(3)?.floats?.first ?? 0
        let threshold = tensor(4)?.floats?.first
        let (pictures, classes, count) = (scores.shape[0], scores.shape[1], scores.shape[2])
        var rows: [Int64] = []
        guard limit > 0, count > 0, pictures > 0 else { return [try Tensor([Int64](), shape: [0, 3])] }
        try withExtendedLifetime(inputs) {
            let scores = scores.view.elements(Float.self)
            for picture in 0..<pictures {
                let corners = (0..<count).map { box in
                    self.corners(boxes.pointer(Float.self) + (picture * count + box) * 4)
                }
                for kind in 0..<classes {
                    let line = scores[(picture * classes + kind) * count..<(picture * classes + kind + 1) * count]
                    let chosen = choose(corners, Array(line), limit, overlap, threshold)
                    try check(rows.count <= ModelLimits.tensorBytes / 16, "too many boxes")
                    for box in chosen { rows += [Int64(picture), Int64(kind), Int64(box)] }
                }
            }
        }
        return [try Tensor(rows, shape: [rows.count / 3, 3])]
    }

    private typealias Corners = SIMD4<Float>

    /// Left, top, right, bottom (or the like: it is symmetric).
    private func corners(_ box: UnsafePointer<Float>) -> Corners {
        if centerPointBox {
            let (halfWidth, halfHeight) = (box[2] / 2, box[3] / 2)
            return Corners(box[0] - halfWidth, box[1] - halfHeight, box[0] + halfWidth, box[1] + halfHeight)
        }
        return Corners(min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3]))
    }

    private func choose(
        _ corners: [Corners], _ scores: [Float], _ limit: Int, _ overlap: Float, _ threshold: Float?
    ) -> [Int] {
        let candidates = scores.indices.filter { index in
            !scores[index].isNaN && (threshold.map { scores[index] > $0 } ?? true)
        }
        let order = candidates.sorted { (scores[$0], -$0) > (scores[$1], -$1) }
        var chosen: [Int] = []
        for index in order {
            guard chosen.count < limit else { break }
            if chosen.allSatisfy({ !(Self.intersectionOverUnion(corners[index], corners[$0]) > overlap) }) {
                chosen.append(index)
            }
        }
        return chosen
    }

    private static func intersectionOverUnion(_ a: Corners, _ b: Corners) -> Float {
        let width = min(a[2], b[2]) - max(a[0], b[0])
        let height = min(a[3], b[3]) - max(a[1], b[1])
        guard width > 0, height > 0 else { return 0 }
        let intersection = width * height
        let union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - intersection
        return union > 0 ? intersection / union : 0
    }
}
