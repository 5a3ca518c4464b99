/// A function of every element.
package struct UnaryOperation: ElementwiseOperator {
    package enum Kind: Hashable, Sendable {
        // Of numbers
        case abs, neg, sign
        // Of floats
        case exp, log, sqrt, reciprocal, reciprocalSqrt, square, floor, ceil
        /// To the nearest, halves to even.
        case round
        case sin, cos, tan, asin, acos, atan, sinh, cosh, asinh, acosh, atanh, erf
        case softsign
        /// max(0, x) + min(0, alpha (exp(x / alpha) − 1)).
        case celu(alpha: Float)
        /// gamma (x, or alpha (exp(x) − 1) below zero).
        case selu(alpha: Float, gamma: Float)
        /// x above alpha, else 0.
        case thresholdedRelu(alpha: Float)
        /// x − bias above lambd, x + bias below −lambd, else 0.
        case shrink(bias: Float, lambd: Float)
        // Of floats, giving truth values
        case isNaN
        case isInf(detectNegative: Bool, detectPositive: Bool)
        // Of truth values, and of integers
        case not
        case bitwiseNot
    }

    package var kind: Kind

    package var name: String {
        let text = String(describing: kind).prefix { $0 != "(" }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    var givesTruth: Bool {
        switch kind {
        case .isNaN, .isInf: true
        default: false
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let fits =
            switch kind {
            case .abs, .neg, .sign, .square: input.type != .bool
            case .shrink: input.type != .bool
            case .not: input.type == .bool
            case .bitwiseNot: !input.type.isFloat && input.type != .bool
            default: input.type.isFloat
            }
        guard fits else { throw unsupported(input.type) }
        return .known([TensorDescription(givesTruth ? .bool : input.type, input.shape)])
    }
}
