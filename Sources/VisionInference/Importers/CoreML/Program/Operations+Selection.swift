/// Operations that write to positions, sort, and draw random numbers.
extension ProgramDefinition {
    static let selection: [String: ProgramDefinition] = [
        scattering, sorting, randomness,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    private static let scattering: [String: ProgramDefinition] = [
        "scatter": .init { operation in
            try operation.scattered(
                operation.value("data"), operation.value("indices"), operation.value("updates"),
                axis: operation.int("axis", 0), operation.scatterMode("update"))
        },
        "scatter_along_axis": .init { operation in
            try operation.scatteredAlongAxis(
                operation.value("data"), operation.value("indices"), operation.value("updates"),
                axis: operation.int("axis", 0), operation.scatterMode("add"))
        },
        "scatter_nd": .init { operation in
            try operation.scatteredByRows(
                operation.value("data"), operation.value("indices"), operation.value("updates"),
                operation.scatterMode("add"))
        },
        "slice_update": .init { operation in try operation.updatedSlice() },
    ]

    private static let sorting: [String: ProgramDefinition] = [
        "argsort": .init { operation in
            try operation.sortedIndices(
                operation.value(), axis: operation.int("axis", -1), ascending: operation.bool("ascending"), .int32)
        },
        "non_zero": .init { operation in try operation.nonZeroIndices(operation.value(), .int32) },
        "band_part": .init { operation in
            try operation.band(
                operation.value(), lower: operation.int("lower", -1), upper: operation.int("upper", -1))
        },
        "reverse_sequence": .init { operation in
            try operation.add(
                ReverseSequence(
                    batchAxis: operation.int("batch_axis", 0), timeAxis: operation.int("seq_axis", 0)),
                [operation.value(), operation.indices(operation.value("lengths"))])
        },
        "non_maximum_suppression": .init(lower: { operation in try operation.suppressedBoxes() }),
    ]

    // MARK: Random numbers

    private static let randomness: [String: ProgramDefinition] = [
        "random_normal": .init { operation in
            try operation.randomNumbers(
                .normal(mean: operation.float("mean", 0), deviation: operation.float("stddev", 1)))
        },
        "random_uniform": .init { operation in
            try operation.randomNumbers(.uniform(operation.float("low", 0), operation.float("high", 1)))
        },
        "random_bernoulli": .init { operation in
            try operation.randomNumbers(.bernoulli(operation.float("prob", 0.5)))
        },
        "random_categorical": .init { operation in
            let indices = try operation.drawnIndices(
                operation.value(), areLogarithms: operation.text("mode", "logits") != "probs", epsilon: 0,
                temperature: 1, count: operation.int("size", 1), seed: operation.int("seed", -1))
            return try operation.floats(indices)
        },
    ]
}

extension ProgramLowering {
    fileprivate func randomNumbers(_ distribution: RandomNumbers.Distribution) throws -> Value {
        try randomNumbers(distribution, seed: int("seed", -1), ints("shape") ?? [])
    }

    fileprivate func scatterMode(_ fallback: String) throws -> ScatterMode {
        let name = text("mode", fallback)
        guard let mode = ScatterMode(rawValue: name) else { throw ModelError.invalid("the mode “\(name)”") }
        return mode
    }

    /// x with the update written to the slice that the bounds describe.
    fileprivate func updatedSlice() throws -> Value {
        let (value, update) = (try value(), try value("update"))
        let shape = try shape(value)
        let axes = try zip(sliceBounds(rank: shape.count), shape).map { try $0.elements(of: $1) }
        let size = try self.shape(update).elementCount
        try require(
            axes.map(\.count).elementCount == size,
            "an update of shape \(try self.shape(update)) for a slice of \(axes.map(\.count))")
        // Where the elements of the slice are among all.
        var positions: [Int64] = [0]
        for (axis, stride) in zip(axes, shape.rowMajorStrides) {
            positions = positions.flatMap { start in
                (0..<axis.count).map { start + Int64((axis.first + $0 * axis.step) * stride) }
            }
        }
        let flat = try add(
            ScatterElements(axis: 0),
            [
                reshape(value, [shape.elementCount]), constant(Tensor(positions, shape: [size])),
                reshape(cast(update, type(value)), [size]),
            ])
        return try reshape(flat, shape)
    }

    /// Since iOS 17 boxes and scores have the boxes along their last axis, and their number is not given.
    fileprivate func suppressedBoxes() throws -> [Value] {
        var (boxes, scores) = (try floats(value("boxes")), try floats(value("scores")))
        let isLast = operation.outputCount == 3
        try require(
            try rank(boxes) == 3 && rank(scores) == 3, "boxes of shape \(try shape(boxes))")
        if isLast { (boxes, scores) = (try transpose(boxes, [0, 2, 1]), try transpose(scores, [0, 2, 1])) }
        let suppression = PaddedNonMaxSuppression(
            overlap: try float("iou_threshold", 0), threshold: try float("score_threshold", -.infinity),
            limit: try int("max_boxes", 1), isPerClass: try bool("per_class_suppression"))
        var results = try add(suppression, [boxes, scores], outputs: 4)
        if isLast {
            results = [try transpose(results[0], [0, 2, 1]), try transpose(results[1], [0, 2, 1]), results[2]]
        }
        return results
    }
}
