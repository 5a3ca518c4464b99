extension TFLiteGraphBuilder {
    /// Adds an operator that moves elements about; false for one of another kind.
    func addLayout(_ node: TFLiteNode, _ builtin: TFLiteBuiltin) throws -> Bool {
        switch builtin {
        case .reshape: try addReshape(node)
        case .squeeze: try addSqueeze(node)
        case .expandDims:
            try finish(node, unsqueeze(operand(node.input(0)), axes: constantIntegers(node, 1, "axis")))
        case .transpose:
            let order = try constantIntegers(node, 1, "order of axes")
            try move(node, Transpose(permutation: order), [try operand(node.input(0))])
        case .concatenation: try addConcatenation(node)
        case .pack: try addPack(node)
        case .unpack: try addUnpack(node)
        case .slice: try addSlice(node)
        case .stridedSlice: try addStridedSlice(node)
        case .split:
            let axes = try constantIntegers(node, 0, "axis")
            guard axes.count == 1 else { throw ModelError.invalid("\(axes.count) axes") }
            try addSplit(node, 1, axis: axes[0], sizes: nil)
        case .splitV:
            let axes = try constantIntegers(node, 2, "axis")
            guard axes.count == 1 else { throw ModelError.invalid("\(axes.count) axes") }
            try addSplit(node, 0, axis: axes[0], sizes: try splitSizes(node, axis: axes[0]))
        case .gather: try addGather(node)
        case .gatherND: try move(node, GatherND(), [try operand(node.input(0)), try value(node.input(1))])
        case .tile: try move(node, Tile(), [try operand(node.input(0)), try value(node.input(1))])
        case .broadcastTo: try move(node, Expand(), [try operand(node.input(0)), try value(node.input(1))])
        case .fill: try move(node, Expand(), [try operand(node.input(1)), try value(node.input(0))])
        case .reverseV2: try addReverse(node)
        case .pad, .padv2: try addPad(node)
        case .mirrorPad:
            guard case .mirrorPad(let symmetric) = node.options else { throw node.unsupported("it has no mode") }
            try move(
                node, Pad(mode: symmetric ? .symmetric : .reflect),
                [try operand(node.input(0)), try padsConstant(node)])
        case .batchToSpaceND: try addBatchToSpace(node)
        case .spaceToBatchND: try addSpaceToBatch(node)
        case .shape:
            let shape = try add(ShapeOf(), [try value(node.input(0))])
            try addCast(node, shape, to: try node.output())
        case .rank:
            let rank = Int32(clamping: try tensor(node.input(0)).shape.count)
            define(try node.output(), as: constant(try Tensor(scalar: rank)))
        case .cast: try addCast(node, try value(node.input(0)), to: try node.output())
        default: return false
        }
        return true
    }

    /// Adds an operator whose output has the elements of its first input, quantised as it is.
    private func move(_ node: TFLiteNode, _ operation: any Operator, _ inputs: [Graph.ValueID?]) throws {
        try finish(node, add(operation, inputs))
    }

    // MARK: Shape

    private func addReshape(_ node: TFLiteNode) throws {
        let input = try operand(node.input(0))
        // The input wins over the attribute, which old converters leave out of date.
        if let index = node.optionalInput(1) {
            let shape = try value(index)
            guard let constant = graph.values[shape].constant else {
                return try move(node, Reshape(allowZero: true), [input, shape])
            }
            guard let sizes = constant.integers else {
                throw ModelError.invalid("its shape does not consist of integers")
            }
            return try finish(node, try reshape(input, sizes))
        }
        guard case .reshape(let sizes?) = node.options else {
            // Without either the output's own shape says it.
            return try finish(node, try reshape(input, tensor(node.output()).shape))
        }
        try finish(node, try reshape(input, sizes))
    }

    private func addSqueeze(_ node: TFLiteNode) throws {
        var inputs: [Graph.ValueID?] = [try operand(node.input(0))]
        if case .squeeze(let axes) = node.options, !axes.isEmpty { inputs.append(try constant(axes)) }
        try move(node, Squeeze(), inputs)
    }

    // MARK: Joining and parting

    private func addConcatenation(_ node: TFLiteNode) throws {
        guard case .concatenation(let axis, let activation) = node.options else {
            throw node.unsupported("it has no axis")
        }
        let inputs = try node.allInputs.map { try operand($0) }
        try finish(node, add(Concat(axis: axis), inputs), activation)
    }

    private func addPack(_ node: TFLiteNode) throws {
        guard case .pack(_, let axis) = node.options else { throw node.unsupported("it has no axis") }
        try finish(node, stack(node.allInputs.map { try operand($0) }, axis: axis))
    }

    private func addUnpack(_ node: TFLiteNode) throws {
        guard case .pack(_, let axis) = node.options else { throw node.unsupported("it has no axis") }
        let input = try operand(node.input(0))
        for index in node.operation.outputs.indices {
            try finish(node, slice(input, at: index, axis: axis), output: index)
        }
    }

    /// - Parameter sizes: nil for equal parts.
    private func addSplit(_ node: TFLiteNode, _ index: Int, axis: Int, sizes: [Int]?) throws {
        let input = try node.input(index)
        let shape = tensor(input).shape
        let count = node.operation.outputs.count
        let resolved = try shape.resolvedAxis(axis)
        let parts = sizes ?? [Int](repeating: shape[resolved] / max(count, 1), count: count)
        guard parts.count == count, count > 0, sizes != nil || shape[resolved] % count == 0 else {
            throw ModelError.invalid("\(shape[resolved]) split into \(count) parts")
        }
        let value = try operand(input)
        var start = 0
        for (output, size) in parts.enumerated() {
            let (end, overflows) = start.addingReportingOverflow(size)
            guard size >= 0, !overflows else { throw ModelError.invalid("parts of sizes \(parts)") }
            try finish(node, slice(value, from: [start], to: [end], axes: [resolved]), output: output)
            start = end
        }
    }

    /// One size may be -1: what the others leave.
    private func splitSizes(_ node: TFLiteNode, axis: Int) throws -> [Int] {
        var sizes = try constantIntegers(node, 1, "sizes")
        guard let open = sizes.firstIndex(of: -1) else { return sizes }
        let shape = try tensor(node.input(0)).shape
        let (rest, overflows) = sizes.indices.filter { $0 != open }.reduce((0, false)) { sum, index in
            let (next, overflows) = sum.0.addingReportingOverflow(sizes[index])
            return (next, sum.1 || overflows)
        }
        guard !overflows, rest >= 0 else { throw ModelError.invalid("parts of sizes \(sizes)") }
        sizes[open] = shape[try shape.resolvedAxis(axis)] - rest
        return sizes
    }

    private func addGather(_ node: TFLiteNode) throws {
        var axis = 0
        if case .gather(let given, let batchDimensions) = node.options {
            guard batchDimensions == 0 else { throw node.unsupported("it has batch dimensions") }
            axis = given
        }
        try move(node, Gather(axis: axis), [try operand(node.input(0)), try value(node.input(1))])
    }

    // MARK: Slices

    private func addSlice(_ node: TFLiteNode) throws {
        let begin = try constantIntegers(node, 1, "begin")
        let size = try constantIntegers(node, 2, "size")
        guard begin.count == size.count else { throw ModelError.invalid("begin \(begin) and size \(size)") }
        let ends = try zip(begin, size).map { start, size in
            // -1: to the end.
            guard size >= 0 else { return Int.max }
            let (end, overflows) = start.addingReportingOverflow(size)
            guard start >= 0, !overflows else { throw ModelError.invalid("begin \(begin) and size \(size)") }
            return end
        }
        let axes = Array(begin.indices)
        try finish(node, slice(operand(node.input(0)), from: begin, to: ends, axes: axes))
    }

    private func addStridedSlice(_ node: TFLiteNode) throws {
        guard
            case .stridedSlice(let beginMask, let endMask, let ellipsis, let newAxis, let shrink, let isOffset) = node
                .options
        else { throw node.unsupported("it has no masks") }
        let begin = try constantIntegers(node, 1, "begin")
        let end = try constantIntegers(node, 2, "end")
        let strides = try constantIntegers(node, 3, "strides")
        guard begin.count == end.count, begin.count == strides.count, begin.count <= 32 else {
            throw ModelError.invalid("begin \(begin), end \(end) and strides \(strides)")
        }
        let range = StridedRange(
            begin: begin, end: end, strides: strides, beginMask: beginMask, endMask: endMask, ellipsisMask: ellipsis,
            newAxisMask: newAxis, shrinkMask: shrink, endIsOffset: isOffset)
        let cut = try range.resolved(rank: tensor(node.input(0)).shape.count)
        var result = try slice(
            operand(node.input(0)), from: cut.starts, to: cut.ends, axes: cut.axes, steps: cut.steps)
        result = try unsqueeze(squeeze(result, axes: cut.removed), axes: cut.inserted)
        try finish(node, result)
    }

    private func addReverse(_ node: TFLiteNode) throws {
        let axes = try constantIntegers(node, 1, "axes")
        func all(_ value: Int) -> [Int] { [Int](repeating: value, count: axes.count) }
        try finish(node, slice(operand(node.input(0)), from: all(-1), to: all(.min), axes: axes, steps: all(-1)))
    }

    // MARK: Padding

    private func addPad(_ node: TFLiteNode) throws {
        var inputs: [Graph.ValueID?] = [try operand(node.input(0)), try padsConstant(node)]
        // The newer operator has a value; otherwise it is zero, also in a quantised tensor, where zero has a number of
        // its own.
        if let value = node.optionalInput(2) { inputs.append(try operand(value)) }
        try move(node, Pad(mode: .constant), inputs)
    }

    /// Pads as the graph has them: all beginnings, then all ends.
    private func padsConstant(_ node: TFLiteNode) throws -> Graph.ValueID {
        let pads = try constantIntegers(node, 1, "pads")
        guard pads.count % 2 == 0 else { throw ModelError.invalid("pads \(pads)") }
        let begins = stride(from: 0, to: pads.count, by: 2).map { pads[$0] }
        let ends = stride(from: 1, to: pads.count, by: 2).map { pads[$0] }
        return try constant(begins + ends)
    }
}
