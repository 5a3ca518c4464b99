extension NonMaxSuppression: CPUOperator {
    package func runDynamically(_ inputs: [Tensor?]) throws -> [Tensor] {
        guard inputs.count >= 2, let boxes = inputs[0]?.view, let scores = inputs[1] else {
            throw ModelError.invalid("NonMaxSuppression lacks an input")
        }
        func tensor(_ index: Int) -> Tensor? { index < inputs.count ? inputs[index] : nil }
        let limit = tensor(2)?.integers?.first ?? 0
        let overlap = tensor(3)?.floats?.first ?? 0
        let threshold = tensor(4)?.floats?.first
        let (images, classes, count) = (scores.shape[0], scores.shape[1], scores.shape[2])
        var rows: [Int64] = []
        guard limit > 0, count > 0, images > 0 else { return [try Tensor([Int64](), shape: [0, 3])] }
        try withExtendedLifetime(inputs) {
            let scores = scores.view.elements(Float.self)
            for image in 0..<images {
                let corners = (0..<count).map { box in
                    self.corners(boxes.pointer(Float.self) + (image * count + box) * 4)
                }
                for kind in 0..<classes {
                    let line = scores[(image * classes + kind) * count..<(image * classes + kind + 1) * count]
                    let chosen = choose(corners, Array(line), limit, overlap, threshold)
                    try check(rows.count <= ModelLimits.tensorBytes / 16, "too many boxes")
                    for box in chosen { rows += [Int64(image), Int64(kind), Int64(box)] }
                }
            }
        }
        return [try Tensor(rows, shape: [rows.count / 3, 3])]
    }

    /// Left, top, right, bottom (or the like: it is symmetric).
    private func corners(_ box: UnsafePointer<Float>) -> Corners {
        if centerPointBox { return Self.corners(centre: box) }
        return Corners(min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3]))
    }

    /// Those of a box by its centre and size.
    static func corners(centre box: UnsafePointer<Float>) -> Corners {
        let (halfWidth, halfHeight) = (box[2] / 2, box[3] / 2)
        return Corners(box[0] - halfWidth, box[1] - halfHeight, box[0] + halfWidth, box[1] + halfHeight)
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

    static func intersectionOverUnion(_ a: Corners, _ b: Corners) -> Float {
        let width = min(a[2], b[2]) - max(a[0], b[0])
        let height = min(a[3], b[3]) - max(a[1], b[1])
        guard width > 0, height > 0 else { return 0 }
        let intersection = width * height
        let union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - intersection
        return union > 0 ? intersection / union : 0
    }
}
