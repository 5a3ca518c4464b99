extension MILNode {
    /// An activation of a value.
    func activation(_ activation: Activation, of x: MILReference) throws -> MILReference {
        func gated(_ gate: MILReference) throws -> MILReference { try binary("mul", x, gate) }
        switch activation.kind {
        case .identity: return x
        case .clamp(let low, let high): return try clamped(x, low: low, high: high)
        case .leaky(let slope): return try add("leaky_relu", ["x": .value(x), "alpha": .float(slope)], x.shape)
        case .sigmoid: return try unary("sigmoid", x)
        case .hardSigmoid(let alpha, let beta): return try hardSigmoid(x, alpha, beta)
        case .silu(1): return try unary("silu", x)
        case .silu(let alpha):
            let scaled = try binary("mul", x, scalar(Double(alpha), like: x, "alpha"))
            return try gated(unary("sigmoid", scaled))
        case .hardSwish: return try gated(hardSigmoid(x, 1 / 6, 0.5))
        case .tanh: return try unary("tanh", x)
        case .gelu: return try add("gelu", ["x": .value(x), "mode": .text("EXACT")], x.shape)
        case .geluTanh: return try add("gelu", ["x": .value(x), "mode": .text("TANH_APPROXIMATION")], x.shape)
        case .elu(let alpha): return try add("elu", ["x": .value(x), "alpha": .float(alpha)], x.shape)
        case .softplus: return try unary("softplus", x)
        case .mish: return try gated(unary("tanh", unary("softplus", x)))
        }
    }

    private func hardSigmoid(_ x: MILReference, _ alpha: Float, _ beta: Float) throws -> MILReference {
        try add("sigmoid_hard", ["x": .value(x), "alpha": .float(alpha), "beta": .float(beta)], x.shape)
    }

    private func clamped(_ x: MILReference, low: Float, high: Float) throws -> MILReference {
        let isFloat = x.element != .int32
        switch (low, high) {
        case (0, .infinity) where isFloat: return try unary("relu", x)
        case (0, 6) where isFloat: return try unary("relu6", x)
        case (-.infinity, .infinity): return x
        case (_, _) where isFloat && low.isFinite && high.isFinite && low <= high:
            return try add("clip", ["x": .value(x), "alpha": .float(low), "beta": .float(high)], x.shape)
        default:
            var result = x
            if low > -.infinity { result = try binary("maximum", result, scalar(Double(low), like: x, "low")) }
            if high < .infinity { result = try binary("minimum", result, scalar(Double(high), like: x, "high")) }
            return result
        }
    }
}

extension ActivationOperation: MILOperator {
    func write(_ node: MILNode) throws { node.finish(try node.activation(activation, of: node.input(0))) }
}

extension Clip: MILOperator {
    func write(_ node: MILNode) throws {
        let x = try node.input(0)
        if let activation = activation(node.inputs) { return node.finish(try node.activation(activation, of: x)) }
        var result = x
        for (index, type) in [(1, "maximum"), (2, "minimum")] {
            guard let bound = try node.optional(index) else { continue }
            result = try node.binary(type, result, node.reshape(bound, []))
        }
        node.finish(result)
    }
}

extension PRelu: MILOperator {
    func write(_ node: MILNode) throws {
        let (x, shape) = (try node.input(0), node.shape(1))
        if let activation = activation(node.inputs) { return node.finish(try node.activation(activation, of: x)) }
        // Slopes by channel are a parameter of their own.
        let full = Shape(repeating: 1, count: max(x.shape.count - shape.count, 0)) + shape
        if x.shape.count >= 3, let slopes = node.inputs[1]?.constant,
            full == x.shape.indices.map({ $0 == 1 ? x.shape[1] : 1 })
        {
            let alpha = try node.constant(slopes.reshaped([x.shape[1]]), "alpha")
            return node.finish(try node.add("prelu", ["x": .value(x), "alpha": .value(alpha)], x.shape))
        }
        let negative = try node.binary("minimum", x, node.scalar(0, like: x, "zero"))
        let scaled = try node.binary("mul", negative, node.input(1))
        node.finish(try node.binary("add", node.activation(.relu, of: x), scaled))
    }
}

extension Softmax: MILOperator {
    func write(_ node: MILNode) throws {
        var x = try node.input(0)
        let axis = try x.shape.resolvedAxis(axis)
        if beta != 1 { x = try node.binary("mul", x, node.scalar(Double(beta), like: x, "beta")) }
        guard isLogarithm else {
            return node.finish(try node.add("softmax", ["x": .value(x), "axis": .int(axis)], x.shape))
        }
        var reduced = x.shape
        reduced[axis] = 1
        let sum = try node.add(
            "reduce_log_sum_exp", ["x": .value(x), "axes": .ints([axis]), "keep_dims": .bool(true)], reduced)
        node.finish(try node.binary("sub", x, sum))
    }
}
