internal import Foundation

/// An activation as an operator of its own. Integers can be clamped.
package struct ActivationOperation: FamilyOperator, ElementwiseOperator {
    package var activation: Activation

    package init(activation: Activation) { self.activation = activation }

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

    package func prepare(
        _ inputs: [TensorDescription?], _ outputs: [TensorDescription], _ preparation: Preparation
    ) throws -> any Step {
        guard try required(inputs, 0).type == .float32 else { return PlainStep(operation: self) }
        return KernelStep(work: .activation(activation.kernelValue()), count: outputs[0].shape.elementCount)
    }

    func floats<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let output = outputs[0]
        if type == Float.self {
            let step = KernelStep(work: .activation(activation.kernelValue()), count: output.elementCount)
            return try step.run(StepBuffers(inputs: [input], outputs: [output], scratch: output.base), .single)
        }
        let source = input.pointer(T.self)
        let target = output.pointer(T.self)
        for index in 0..<input.elementCount { target[index] = T(double: activation(source[index].double)) }
    }

    func integers<T: IntegerScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.pointer(T.self)
        let target = outputs[0].pointer(T.self)
        var low = T.min
        var high = T.max
        if case .clamp(let a, let b) = activation.kind {
            low = T(double: Double(a))
            high = T(double: Double(b))
        }
        for index in 0..<input.elementCount { target[index] = min(max(source[index], low), high) }
    }
}

extension Activation {
    /// The function itself, for types that have no kernel. A NaN stays one.
    func callAsFunction(_ x: Double) -> Double {
        if x.isNaN { return x }
        switch kind {
        case .identity: return x
        case .clamp(let low, let high): return min(max(x, Double(low)), Double(high))
        case .leaky(let slope): return x < 0 ? x * Double(slope) : x
        case .sigmoid: return 1 / (1 + exp(-x))
        case .hardSigmoid(let alpha, let beta): return min(max(Double(alpha) * x + Double(beta), 0), 1)
        case .silu(let alpha): return x / (1 + exp(-Double(alpha) * x))
        case .hardSwish: return x * min(max(x / 6 + 0.5, 0), 1)
        case .tanh: return Foundation.tanh(x)
        case .gelu: return x * (1 + erf(x / 2.0.squareRoot())) / 2
        case .geluTanh: return x * (1 + Foundation.tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x))) / 2
        case .elu(let alpha): return x < 0 ? Double(alpha) * expm1(x) : x
        case .softplus: return max(x, 0) + log1p(exp(-x.magnitude))
        case .mish: return x * Foundation.tanh(max(x, 0) + log1p(exp(-x.magnitude)))
        }
    }
}

/// min(max(x, low), high), the bounds being inputs 1 and 2, either of which may be left out.
package struct Clip: NumericOperator, ElementwiseOperator {
    package init() {}

    package var name: String { "Clip" }

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

    package func prepare(
        _ inputs: [TensorDescription?], _ outputs: [TensorDescription], _ preparation: Preparation
    ) throws -> any Step {
        guard let activation = activation(inputs) else { return PlainStep(operation: self) }
        return KernelStep(work: .activation(activation.kernelValue()), count: outputs[0].shape.elementCount)
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.pointer(T.self)
        let target = outputs[0].pointer(T.self)
        let low = optional(inputs, 1)?.pointer(T.self)[0].wide ?? T.lowest
        let high = optional(inputs, 2)?.pointer(T.self)[0].wide ?? T.highest
        for index in 0..<input.elementCount {
            target[index] = T(wide: T.minimum(T.maximum(source[index].wide, low), high))
        }
    }
}

/// x, or below zero x times a slope that is broadcast to it.
package struct PRelu: NumericOperator, ElementwiseOperator {
    package init() {}

    package var name: String { "PRelu" }

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

    package func sinking(
        _ permutation: [Int], _ inputs: [TensorDescription?], _ outputs: [TensorDescription]
    ) -> Sinking? {
        guard inputs.count == 2, let slope = inputs[1] else { return nil }
        let isBroadcast = slope.shape.elementCount == 1
        return Sinking(
            replacement: self, inputs: isBroadcast ? [0] : [0, 1], outputPermutations: [permutation])
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let slope = try required(inputs, 1)
        let source = input.pointer(T.self)
        let slopes = slope.pointer(T.self)
        let target = outputs[0].pointer(T.self)
        let rows = StridedRows(
            input.shape, [input.shape.rowMajorStrides, slope.shape.broadcastStrides(to: input.shape)])
        let step = rows.steps[1]
        rows.forEach { offsets in
            let x = source + offsets[0]
            let s = slopes + offsets[1]
            let y = target + offsets[0]
            for index in 0..<rows.count {
                let value = x[index].wide
                y[index] = T(wide: value < 0 ? T.multiply(value, s[index &* step].wide) : value)
            }
        }
    }
}
