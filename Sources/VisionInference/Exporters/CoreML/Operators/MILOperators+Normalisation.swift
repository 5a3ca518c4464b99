extension MILNode {
    /// (x − mean) / √(variance + ε) over some axes.
    func normalised(_ x: MILReference, axes: [Int], epsilon: Float) throws -> MILReference {
        try add("layer_norm", ["x": .value(x), "axes": .ints(axes), "epsilon": .float(stored(epsilon))], x.shape)
    }

    /// Scales and shifts a value (N, C, axis, …) by vectors of channels.
    func scaled(_ x: MILReference, _ scale: MILReference, _ bias: MILReference, axis: Int) throws -> MILReference {
        var shape = Shape(repeating: 1, count: x.shape.count)
        shape[axis] = x.shape[axis]
        return try binary("add", binary("mul", x, reshape(scale, shape)), reshape(bias, shape))
    }

    /// An ε that does not vanish in half precision.
    func stored(_ epsilon: Float) -> Float { program.usesHalf ? max(epsilon, 1e-7) : epsilon }
}

extension BatchNormalization: MILOperator {
    func write(_ node: MILNode) throws {
        try node.refuseOutputs(from: 1)
        let x = try node.input(0)
        let names = ["gamma", "beta", "mean", "variance"]
        let isUsual = try (3...5).contains(x.shape.count) && x.shape.resolvedAxis(axis) == 1
        if isUsual, (1...4).allSatisfy({ node.inputs[$0]?.constant != nil }) {
            var arguments: [(String, MILNode.Argument)] = [("x", .value(x))]
            for (index, name) in names.enumerated() { arguments.append((name, .value(try node.input(index + 1)))) }
            arguments.append(("epsilon", .float(node.stored(epsilon))))
            return node.finish(try node.add("batch_norm", arguments, [MILType(x.element, x.shape)])[0])
        }
        let axis = try x.shape.count == 1 ? 0 : x.shape.resolvedAxis(axis)
        var shape = Shape(repeating: 1, count: x.shape.count)
        if x.shape.count > 1 { shape[axis] = x.shape[axis] }
        let centred = try node.binary("sub", x, node.reshape(node.input(3), shape))
        let shifted = try node.binary(
            "add", node.input(4), node.scalar(Double(node.stored(epsilon)), like: x, "epsilon"))
        let root = try node.reshape(node.unary("sqrt", shifted), shape)
        let normalised = try node.binary("real_div", centred, root)
        let scaled = try node.binary("mul", normalised, node.reshape(node.input(1), shape))
        node.finish(try node.binary("add", scaled, node.reshape(node.input(2), shape)))
    }
}

extension InstanceNormalization: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        let axis = try x.shape.resolvedAxis(axis)
        if axis == 1, (3...4).contains(x.shape.count), (1...2).allSatisfy({ node.inputs[$0]?.constant != nil }) {
            return node.finish(
                try node.add(
                    "instance_norm",
                    [
                        "x": .value(x), "gamma": .value(node.input(1)), "beta": .value(node.input(2)),
                        "epsilon": .float(node.stored(epsilon)),
                    ], x.shape))
        }
        let axes = x.shape.indices.filter { $0 != 0 && $0 != axis }
        let normalised = try node.normalised(x, axes: axes, epsilon: epsilon)
        node.finish(try node.scaled(normalised, node.input(1), node.input(2), axis: axis))
    }
}

extension GroupNormalization: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        let axis = try x.shape.resolvedAxis(axis)
        guard axis == 1 else { throw ModelError.unsupported("its channels are axis \(axis)") }
        let channels = x.shape[1]
        let grouped = try node.reshape(x, [x.shape[0], groups, x.shape.elementCount / (x.shape[0] * groups)])
        let normalised = try node.normalised(grouped, axes: [2], epsilon: epsilon)
        if node.shape(1) == [channels] {
            let flat = try node.reshape(normalised, x.shape)
            return node.finish(try node.scaled(flat, node.input(1), node.input(2), axis: 1))
        }
        let scaled = try node.scaled(normalised, node.input(1), node.input(2), axis: 1)
        node.finish(try node.reshape(scaled, x.shape))
    }
}

extension LayerNormalization: MILOperator {
    func write(_ node: MILNode) throws {
        try node.refuseOutputs(from: 1)
        let x = try node.input(0)
        let axes = Array(try x.shape.resolvedAxis(axis)..<x.shape.count)
        let normalised = axes.map { x.shape[$0] }
        let factors = (1...2).filter { node.has($0) }
        // Factors of another shape, and those that are computed, are operations of their own.
        if factors.allSatisfy({ node.inputs[$0]?.constant != nil && node.shape($0) == normalised }) {
            var arguments: [(String, MILNode.Argument)] = [
                ("x", .value(x)), ("axes", .ints(axes)), ("epsilon", .float(node.stored(epsilon))),
            ]
            for index in factors { arguments.append((index == 1 ? "gamma" : "beta", .value(try node.input(index)))) }
            return node.finish(try node.add("layer_norm", arguments, [MILType(x.element, x.shape)])[0])
        }
        var result = try node.normalised(x, axes: axes, epsilon: epsilon)
        for index in factors { result = try node.binary(index == 1 ? "mul" : "add", result, node.input(index)) }
        node.finish(result)
    }
}

extension LRN: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        guard try x.shape.resolvedAxis(axis) == 1, (3...4).contains(x.shape.count) else {
            throw ModelError.unsupported("its channels are not axis 1 of 3 or 4")
        }
        node.finish(
            try node.add(
                "local_response_norm",
                [
                    "x": .value(x), "size": .int(size), "alpha": .float(alpha), "beta": .float(beta),
                    "k": .float(bias),
                ], x.shape))
    }
}
