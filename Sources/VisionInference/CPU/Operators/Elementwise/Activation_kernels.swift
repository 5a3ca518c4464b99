internal import CVisionKernels

extension Activation {
    /// - Parameter slopes: when there are any, the activation is a PReLU.
    func kernelValue(slopes: UnsafePointer<Float>? = nil) -> cvk_activation {
        if let slopes { return cvk_activation(kind: CVK_ACTIVATION_PRELU, a: 0, b: 0, slopes: slopes) }
        func make(_ kind: cvk_activation_kind, _ a: Float = 0, _ b: Float = 0) -> cvk_activation {
            cvk_activation(kind: kind, a: a, b: b, slopes: nil)
        }
        return switch kind {
        case .identity: make(CVK_ACTIVATION_NONE)
        case .clamp(let low, let high): make(CVK_ACTIVATION_CLAMP, low, high)
        case .leaky(let slope): make(CVK_ACTIVATION_LEAKY, slope)
        case .sigmoid: make(CVK_ACTIVATION_SIGMOID)
        case .hardSigmoid(let alpha, let beta): make(CVK_ACTIVATION_HARD_SIGMOID, alpha, beta)
        case .silu(let alpha): make(CVK_ACTIVATION_SILU, alpha)
        case .hardSwish: make(CVK_ACTIVATION_HARD_SWISH, 1 / 6, 0.5)
        case .tanh: make(CVK_ACTIVATION_TANH)
        case .gelu: make(CVK_ACTIVATION_GELU)
        case .geluTanh: make(CVK_ACTIVATION_GELU_TANH)
        case .elu(let alpha): make(CVK_ACTIVATION_ELU, alpha)
        case .softplus: make(CVK_ACTIVATION_SOFTPLUS)
        case .mish: make(CVK_ACTIVATION_MISH)
        }
    }
}
