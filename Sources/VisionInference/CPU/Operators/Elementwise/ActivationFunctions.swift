internal import Foundation

extension ActivationOperation: FamilyOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
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

extension Clip: NumericOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
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

extension PRelu: NumericOperator {
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
