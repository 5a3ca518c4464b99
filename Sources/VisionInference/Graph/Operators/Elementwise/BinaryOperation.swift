/// A function of two elements; shapes are broadcast.
package struct BinaryOperation: BroadcastingOperator {
    package enum Kind: Hashable, Sendable {
        // Of numbers. Integers wrap around, are divided towards zero, and give zero when divided by it.
        case add, sub, mul, div, min, max
        /// The second input may be of another type than the first.
        case pow
        /// The remainder, with the divisor's sign, or with `fmod` the dividend's.
        case mod(fmod: Bool)
        /// The quotient rounded down, and (a − b)².
        case floorDiv, squaredDifference
        case atan2
        // Giving truth values
        case equal, notEqual, less, greater, lessOrEqual, greaterOrEqual
        // Of truth values
        case and, or, xor
        // Of integers
        case bitAnd, bitOr, bitXor, shiftLeft, shiftRight
    }

    package var kind: Kind

    package init(kind: Kind) { self.kind = kind }

    package var name: String {
        let text = String(describing: kind).prefix { $0 != "(" }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    var givesTruth: Bool {
        switch kind {
        case .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual: true
        default: false
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let a = try required(inputs, 0)
        let b = try required(inputs, 1)
        let isWhole = !a.type.isFloat && a.type != .bool
        let fits =
            switch kind {
            case .and, .or, .xor: a.type == .bool
            case .equal, .notEqual: true
            case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight: isWhole
            case .atan2: a.type.isFloat
            default: a.type != .bool
            }
        guard fits else { throw unsupported(a.type) }
        if kind == .pow {
            guard b.type != .bool else { throw unsupported(b.type) }
        } else {
            try check(a.type == b.type, "inputs of types \(a.type) and \(b.type)")
        }
        return .known([TensorDescription(givesTruth ? .bool : a.type, try a.shape.broadcast(with: b.shape))])
    }
}
