/// A function of one number that a kernel can apply to what it is about to store.
package struct Activation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case identity
        /// min(max(x, low), high).
        case clamp(low: Float, high: Float)
        /// x below zero is multiplied by the slope.
        case leaky(slope: Float)
        case sigmoid
        /// min(max(alpha x + beta, 0), 1).
        case hardSigmoid(alpha: Float, beta: Float)
        /// x sigmoid(alpha x).
        case silu(alpha: Float)
        /// x min(max(x / 6 + 1/2, 0), 1).
        case hardSwish
        case tanh
        case gelu
        /// The approximation of GELU by tanh.
        case geluTanh
        /// x below zero becomes alpha (exp(x) − 1).
        case elu(alpha: Float)
        /// log(1 + exp(x)).
        case softplus
        /// x tanh(log(1 + exp(x))).
        case mish
    }

    package var kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    package static let relu = Activation(.clamp(low: 0, high: .infinity))
    package static let relu6 = Activation(.clamp(low: 0, high: 6))

    package var isIdentity: Bool { kind == .identity }
}
