/// An activation as an operator of its own. Integers can be clamped.
package struct ActivationOperation: ElementwiseOperator {
    package var activation: Activation

    package var name: String {
        switch activation.kind {
        case .identity: "Identity"
        case .clamp(0, .infinity): "Relu"
        case .clamp: "Clip"
        case .leaky: "LeakyRelu"
        case .sigmoid: "Sigmoid"
        case .hardSigmoid: "HardSigmoid"
        case .silu: "Swish"
        case .hardSwish: "HardSwish"
        case .tanh: "Tanh"
        case .gelu, .geluTanh: "Gelu"
        case .elu: "Elu"
        case .softplus: "Softplus"
        case .mish: "Mish"
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        switch activation.kind {
        case .identity, .clamp: guard input.type != .bool else { throw unsupported(input.type) }
        default: guard input.type.isFloat else { throw unsupported(input.type) }
        }
        return .known([TensorDescription(input.type, input.shape)])
    }

    package func activation(_ inputs: [TensorDescription?]) -> Activation? {
        (inputs.first ?? nil)?.type == .float32 ? activation : nil
    }
}

/// min(max(x, low), high), the bounds being inputs 1 and 2, either of which may be left out.
package struct Clip: ElementwiseOperator {
    package init() {}

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        for index in [1, 2] where isPresent(inputs, index) {
            let bound = try required(inputs, index)
            try check(
                bound.type == input.type && bound.shape.elementCount == 1 && !bound.shape.contains(0),
                "bound of type \(bound.type) and shape \(bound.shape)")
        }
        return .known([TensorDescription(input.type, input.shape)])
    }

    package func activation(_ inputs: [TensorDescription?]) -> Activation? {
        guard (inputs.first ?? nil)?.type == .float32 else { return nil }
        var bounds: [Float] = [-.infinity, .infinity]
        for index in [1, 2] where isPresent(inputs, index) {
            guard let value = inputs[index]?.constant?.floats?.first, !value.isNaN else { return nil }
            bounds[index - 1] = value
        }
        return Activation(.clamp(low: bounds[0], high: bounds[1]))
    }
}

/// x, or below zero x times a slope that is broadcast to it.
package struct PRelu: ElementwiseOperator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        let slope = try required(inputs, 1)
        try check(slope.type == input.type, "slopes of type \(slope.type)")
        try check(
            try input.shape.broadcast(with: slope.shape) == input.shape,
            "slopes of shape \(slope.shape) for \(input.shape)")
        return .known([TensorDescription(input.type, input.shape)])
    }

    package func activation(_ inputs: [TensorDescription?]) -> Activation? {
        guard inputs.count == 2, inputs[0]?.type == .float32, let slope = inputs[1]?.constant, slope.elementCount == 1,
            let value = slope.floats?.first
        else { return nil }
        return Activation(.leaky(slope: value))
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        guard inputs.count == 2, let slope = inputs[1] else { return nil }
        let isBroadcast = slope.shape.elementCount == 1
        return Sinking(
            replacement: self, inputs: isBroadcast ? [0] : [0, 1], outputPermutations: [permutation])
    }
}
