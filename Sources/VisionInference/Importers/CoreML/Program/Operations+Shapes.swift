extension ProgramDefinition {
    static let shapes: [String: ProgramDefinition] = [
        "reshape": .init { operation in
            let (value, sizes) = (try operation.value(), try operation.ints("shape") ?? [])
            let shape = try operation.shape(value)
            // 0 keeps a size.
            let wanted = sizes.enumerated().map { $1 == 0 && $0 < shape.count ? shape[$0] : $1 }
            return try operation.reshape(value, wanted)
        },
        "transpose": .init { operation in
            let value = try operation.value()
            let axes = try operation.axes("perm", of: value) ?? []
            try operation.require(axes.isPermutation(ofRank: operation.rank(value)), "the axes \(axes)")
            return try operation.transpose(value, axes)
        },
        "expand_dims": .init { operation in
            try operation.unsqueeze(operation.value(), axes: operation.ints("axes") ?? [])
        },
        "squeeze": .init { operation in
            let value = try operation.value()
            let shape = try operation.shape(value)
            return try operation.squeeze(
                value, axes: operation.axes("axes", of: value) ?? shape.indices.filter { shape[$0] == 1 })
        },
        "flatten2d": .init { operation in
            let rank = try operation.rank(operation.value())
            let axis = try operation.int("axis", 1)
            let split = axis < 0 ? axis + rank : axis
            try operation.require((0...rank).contains(split), "axis \(axis) of \(rank)")
            return try operation.add(Flatten(axis: split), [operation.value()])
        },
        "concat": .init { operation in
            let values = try operation.values()
            guard let first = values.first else { throw ModelError.invalid("nothing to be joined") }
            let shape = try operation.shape(first)
            let axis = try shape.resolvedAxis(operation.int("axis", 0))
            guard try operation.bool("interleave") else { return try operation.concat(values, axis: axis) }
            var joined = shape
            joined[axis] = -1
            return try operation.reshape(operation.stack(values, axis: axis + 1), joined)
        },
        "stack": .init { operation in
            let values = try operation.values()
            guard let first = values.first else { throw ModelError.invalid("nothing to be joined") }
            let axis = try (operation.shape(first) + [1]).resolvedAxis(operation.int("axis", 0))
            return try operation.stack(values, axis: axis)
        },
        "split": .init(lower: { operation in
            let sizes = try operation.ints("split_sizes").map { [try operation.constant($0)] } ?? []
            let count = operation.operation.outputCount
            return try operation.add(
                Split(axis: operation.int("axis", 0), outputs: count), [operation.value()] + sizes, outputs: count)
        }),
        "pad": .init { operation in try operation.padded() },
        "tile": .init { operation in
            try operation.add(Tile(), [operation.value(), operation.constant(operation.ints("reps") ?? [])])
        },
        "slice_by_index": .init { operation in try operation.slicedByIndex() },
        "slice_by_size": .init { operation in
            let value = try operation.value()
            let shape = try operation.shape(value)
            let (begins, sizes) = (try operation.ints("begin") ?? [], try operation.ints("size") ?? [])
            try operation.require(
                begins.count == shape.count && sizes.count == shape.count
                    && (begins + sizes).allSatisfy { $0.magnitude <= Int(Int32.max) }, "a slice of \(sizes) of \(shape)"
            )
            return try operation.sliced(
                value,
                shape.indices.map { axis in
                    let begin = begins[axis] < 0 ? begins[axis] + shape[axis] : begins[axis]
                    let end = sizes[axis] == -1 ? nil : begin + sizes[axis]
                    return CoreMLBuilder.SliceBounds(begin: begin, end: end, step: 1)
                })
        },
        "reverse": .init { operation in
            let value = try operation.value()
            let rank = try operation.rank(value)
            let axes = try operation.axes("axes", of: value) ?? Array(0..<rank)
            return try operation.sliced(
                value,
                (0..<rank).map { CoreMLBuilder.SliceBounds(begin: nil, end: nil, step: axes.contains($0) ? -1 : 1) })
        },
        "sliding_windows": .init { operation in
            try operation.slidingWindows(
                operation.value(), axis: operation.int("axis", 0), length: operation.int("size", 1),
                step: operation.int("stride", 1))
        },
        "depth_to_space": blocks("block_size") { DepthToSpace(block: $0, channelsFirst: true) },
        "space_to_depth": blocks("block_size") { SpaceToDepth(block: $0, channelsFirst: true) },
        "pixel_shuffle": blocks("upscale_factor") {
            DepthToSpace(block: $0, mode: .columnRowDepth, channelsFirst: true)
        },
        "reshape_like": .init { operation in
            let references = try operation.values("ref_tensors")
            func numbers(_ name: String) throws -> [Int] {
                try operation.values(name).map { try operation.wholeNumbers($0).first ?? 0 }
            }
            let (begins, ends, opens) = (try numbers("begins"), try numbers("ends"), try numbers("end_masks"))
            try operation.require(
                [begins.count, ends.count, opens.count].allSatisfy { $0 == references.count },
                "\(references.count) tensors, and bounds for others")
            let shape = try references.indices.flatMap { index -> [Int] in
                let sizes = try operation.shape(references[index])
                let end = opens[index] != 0 ? sizes.count : ends[index]
                try operation.require(
                    (0...sizes.count).contains(end) && (0...end).contains(begins[index]),
                    "axes \(begins[index]) to \(end) of \(sizes)")
                return Array(sizes[begins[index]..<end])
            }
            return try operation.reshape(operation.value(), shape)
        },
        "shape": .init { operation in
            operation.constant(try Tensor(operation.shape(operation.value()).map { Int32(clamping: $0) }))
        },
        "fill": .init { operation in try operation.filled(operation.ints("shape") ?? []) },
        "fill_like": .init { operation in try operation.filled(operation.shape(operation.value("ref_tensor"))) },
        "range_1d": .init { operation in
            let (start, end) = (try operation.float("start", 0), try operation.float("end", 0))
            let step = try operation.float("step", 1)
            let count = ((Double(end) - Double(start)) / Double(step)).rounded(.up)
            try operation.require(count.isFinite && (0...Double(1 << 24)).contains(count), "\(count) numbers")
            let numbers = operation.constant(try Tensor((0..<Int(count)).map { start + Float($0) * step }))
            return try operation.cast(numbers, operation.operation.outputType ?? .float32)
        },
    ]

    private static func blocks(
        _ name: String, _ make: @escaping @Sendable (Int) -> any Operator
    ) -> ProgramDefinition {
        .init { operation in
            let block = try operation.int(name, 0)
            try operation.require((1...1 << 12).contains(block), "blocks of \(block)")
            return try operation.add(make(block), [operation.value()])
        }
    }
}

extension ProgramLowering {
    fileprivate func filled(_ shape: [Int]) throws -> Value {
        let number = try numbers("value")?.first ?? 0
        let value = try Tensor(number: number, operation.outputType ?? .float32)
        return try add(ConstantOfShape(value: value), [constant(shape)])
    }

    fileprivate func padded() throws -> Value {
        let value = try value()
        let (amounts, rank) = (try ints("pad") ?? [], try rank(value))
        // Before and after each of the last axes in turn.
        let count = amounts.count / 2
        try require(
            amounts.count % 2 == 0 && count <= rank && amounts.allSatisfy { (0...1 << 31).contains($0) },
            "padding of \(amounts.count) numbers for \(rank) axes")
        let none = [Int](repeating: 0, count: rank - count)
        let modes: [String: Pad.Mode] = ["constant": .constant, "reflect": .reflect, "replicate": .edge]
        guard let mode = modes[text("mode", "constant")] else {
            throw ModelError.invalid("the mode “\(text("mode", ""))”")
        }
        return try pad(
            value, before: none + (0..<count).map { amounts[2 * $0] },
            after: none + (0..<count).map { amounts[2 * $0 + 1] }, mode: mode,
            value: mode == .constant ? scalar(Double(float("constant_val", 0)), like: value) : nil)
    }

    fileprivate func slicedByIndex() throws -> Value {
        let value = try value()
        return try sliced(value, sliceBounds(rank: rank(value)))
    }

    /// What the parameters of a slice say of each axis.
    func sliceBounds(rank: Int) throws -> [SliceBounds] {
        let (begins, ends) = (try ints("begin") ?? [], try ints("end") ?? [])
        let steps = try ints("stride") ?? [Int](repeating: 1, count: rank)
        func mask(_ name: String) throws -> [Bool] { try bools(name) ?? [Bool](repeating: false, count: rank) }
        let (first, last, squeezed) = (try mask("begin_mask"), try mask("end_mask"), try mask("squeeze_mask"))
        try require(
            [begins.count, ends.count, steps.count, first.count, last.count, squeezed.count].allSatisfy { $0 == rank },
            "bounds of other than \(rank) axes")
        return (0..<rank).map { axis in
            SliceBounds(
                begin: first[axis] ? nil : begins[axis], end: last[axis] ? nil : ends[axis], step: steps[axis],
                isSqueezed: squeezed[axis])
        }
    }
}
