extension MILNode {
    /// The first input's elements under the shape of the output.
    fileprivate func finishView() throws {
        try refuseOutputs(from: 1)
        guard let value = try stored(0) else { throw ModelError.invalid("input 0 is missing") }
        // More axes than programs have are put off: until axes change their order, elements lie as they are.
        finish(outputShape.count > MILProgram.largestRank ? value : try reshape(value, outputShape))
    }
}

extension Identity: MILOperator {
    func write(_ node: MILNode) throws { node.finish(try node.input(0)) }
}

extension Dropout: MILOperator {
    func write(_ node: MILNode) throws { try node.finishView() }
}

extension Reshape: MILOperator {
    func write(_ node: MILNode) throws { try node.finishView() }
}

extension Flatten: MILOperator {
    func write(_ node: MILNode) throws { try node.finishView() }
}

extension Squeeze: MILOperator {
    func write(_ node: MILNode) throws { try node.finishView() }
}

extension Unsqueeze: MILOperator {
    func write(_ node: MILNode) throws { try node.finishView() }
}

extension Transpose: MILOperator {
    func write(_ node: MILNode) throws {
        let shape = node.shape(0)
        let permutation = try permutation(rank: shape.count)
        guard shape.count > MILProgram.largestRank else {
            return node.finish(try node.transpose(node.input(0), permutation))
        }
        guard let value = try node.stored(0) else { throw ModelError.invalid("input 0 is missing") }
        // Axes that stay side by side are one.
        var runs: [[Int]] = []
        for axis in permutation where shape[axis] != 1 {
            if let last = runs.last?.last, shape[(last + 1)..<max(axis, last + 1)].allSatisfy({ $0 == 1 }), axis > last
            {
                runs[runs.count - 1].append(axis)
            } else {
                runs.append([axis])
            }
        }
        let order = runs.indices.sorted { runs[$0][0] < runs[$1][0] }
        let merged = try node.reshape(value, order.map { run in runs[run].map { shape[$0] }.elementCount })
        node.finish(try node.transpose(merged, order.inverted))
    }
}

extension Concat: MILOperator {
    func write(_ node: MILNode) throws {
        let values = try node.inputs.indices.map { try node.input($0) }
        // Empty tensors add nothing.
        let parts = values.filter { !$0.shape.contains(0) }
        guard let first = parts.first else { throw ModelError.unsupported("all its inputs are empty") }
        guard parts.count > 1 else { return node.finish(first) }
        node.finish(
            try node.add(
                "concat",
                [
                    "values": .values(parts), "axis": .int(first.shape.resolvedAxis(axis)),
                    "interleave": .bool(false),
                ], node.outputShape))
    }
}

extension Split: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        let axis = try x.shape.resolvedAxis(axis)
        let types = node.outputs.map { MILType(x.element, $0.shape) }
        guard types.count > 1 else { return node.finish(x) }
        let results = try node.add(
            "split",
            [("x", .value(x)), ("split_sizes", .ints(node.outputs.map { $0.shape[axis] })), ("axis", .int(axis))],
            types)
        for (index, result) in results.enumerated() { node.finish(result, output: index) }
    }
}

extension Expand: MILOperator {
    func write(_ node: MILNode) throws { node.finish(try node.broadcast(node.input(0), to: node.outputShape)) }
}

extension Tile: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        guard let repeats = try node.tensor(1, "repetitions").integers else { throw ModelError.invalid("no numbers") }
        node.finish(try node.add("tile", ["x": .value(x), "reps": .ints(repeats)], node.outputShape))
    }
}

extension Slice: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        guard let part = try part(node.inputs) else { throw ModelError.unsupported("its bounds are computed") }
        node.finish(try node.sliced(x, starts: part.starts, steps: part.steps, shape: part.shape))
    }
}

extension MILNode {
    func sliced(_ x: MILReference, starts: [Int], steps: [Int], shape: Shape) throws -> MILReference {
        if shape == x.shape, steps.allSatisfy({ $0 > 0 }) { return x }
        let ends = shape.indices.map { starts[$0] + (shape[$0] - 1) * steps[$0] + steps[$0].signum() }
        // Backwards to the first element there is no end.
        let masks = ends.map { $0 < 0 }
        return try add(
            "slice_by_index",
            [
                "x": .value(x), "begin": .ints(starts), "end": .ints(ends.map { max($0, 0) }), "stride": .ints(steps),
                "end_mask": .bools(masks),
            ], shape)
    }
}

extension Pad: MILOperator {
    func write(_ node: MILNode) throws {
        var x = try node.input(0)
        guard let (before, after) = try pads(node.inputs) else {
            throw ModelError.unsupported("its sizes are computed")
        }
        let modes: [Mode: String] = [.constant: "constant", .reflect: "reflect", .edge: "replicate"]
        guard let mode = modes[mode] else { throw ModelError.unsupported("ML programs have no padding “\(mode)”") }
        if (before + after).contains(where: { $0 < 0 }) {
            // What is taken away goes first.
            let shape = x.shape.indices.map { x.shape[$0] + min(before[$0], 0) + min(after[$0], 0) }
            guard shape.allSatisfy({ $0 > 0 }) else { throw ModelError.unsupported("it takes everything away") }
            x = try node.sliced(x, starts: before.map { max(-$0, 0) }, steps: before.map { _ in 1 }, shape: shape)
        }
        let amounts = zip(before, after).flatMap { [max($0, 0), max($1, 0)] }
        guard amounts.contains(where: { $0 > 0 }) else { return node.finish(x) }
        var number: Float = 0
        if node.has(2) {
            guard let value = try node.tensor(2, "values of padding").doubles?.first else {
                throw ModelError.invalid("no value")
            }
            number = Float(value)
        }
        // Programs pad floats.
        let element = x.element
        if element == .int32 || element == .bool { x = try node.cast(x, node.program.float) }
        // Only the last axes are listed: other modes than zeros take two.
        let first = amounts.firstIndex { $0 > 0 } ?? 0
        let listed = Array(amounts[(first / 2 * 2)...])
        guard mode == "constant" || listed.count <= 4 else {
            throw ModelError.unsupported("ML programs pad two axes at most in the mode “\(mode)”")
        }
        var arguments: [(String, MILNode.Argument)] = [
            ("x", .value(x)), ("pad", .ints(listed)), ("mode", .text(mode)),
        ]
        let fill = try node.scalar(Double(number), like: x, "value")
        arguments.append(("constant_val", .value(fill)))
        let padded = try node.add("pad", arguments, [MILType(x.element, node.outputShape)])[0]
        node.finish(try node.cast(padded, element))
    }
}

extension DepthToSpace: MILOperator {
    func write(_ node: MILNode) throws {
        guard channelsFirst else { throw ModelError.unsupported("its channels are last") }
        let x = try node.input(0)
        let isShuffle = mode == .columnRowDepth
        node.finish(
            try node.add(
                isShuffle ? "pixel_shuffle" : "depth_to_space",
                ["x": .value(x), isShuffle ? "upscale_factor" : "block_size": .int(block)], node.outputShape))
    }
}

extension SpaceToDepth: MILOperator {
    func write(_ node: MILNode) throws {
        guard channelsFirst else { throw ModelError.unsupported("its channels are last") }
        node.finish(
            try node.add(
                "space_to_depth", ["x": .value(node.input(0)), "block_size": .int(block)], node.outputShape))
    }
}
