extension ONNXDefinition {
    static let elementwise: [String: ONNXDefinition] = [
        "Add": binary(.add), "Sub": binary(.sub), "Mul": binary(.mul), "Div": binary(.div), "Pow": binary(.pow),
        "Equal": binary(.equal, .any), "Less": binary(.less), "Greater": binary(.greater),
        "LessOrEqual": binary(.lessOrEqual), "GreaterOrEqual": binary(.greaterOrEqual),
        "And": binary(.and, .truth), "Or": binary(.or, .truth), "Xor": binary(.xor, .truth),
        "BitwiseAnd": binary(.bitAnd, .integers), "BitwiseOr": binary(.bitOr, .integers),
        "BitwiseXor": binary(.bitXor, .integers),
        "Mod": ONNXDefinition(.numbers) { node in
            [try node.binary(.mod(fmod: node.flag("fmod")), node.input(0), node.input(1))]
        },
        "BitShift": ONNXDefinition(.integers) { node in
            let isLeft = node.string("direction") == "LEFT"
            return [try node.binary(isLeft ? .shiftLeft : .shiftRight, node.input(0), node.input(1))]
        },
        "Max": variadic(.max), "Min": variadic(.min), "Sum": variadic(.add),
        "Mean": ONNXDefinition(.floats) { node in
            let sum = try node.fold(.add, node.allInputs)
            return [try node.binary(.div, sum, node.scalar(Double(node.inputCount), like: sum))]
        },

        "Abs": unary(.abs, .numbers), "Neg": unary(.neg, .numbers), "Sign": unary(.sign, .numbers),
        "Exp": unary(.exp), "Log": unary(.log), "Sqrt": unary(.sqrt), "Reciprocal": unary(.reciprocal),
        "Floor": unary(.floor), "Ceil": unary(.ceil), "Round": unary(.round), "Erf": unary(.erf),
        "Sin": unary(.sin), "Cos": unary(.cos), "Tan": unary(.tan), "Asin": unary(.asin), "Acos": unary(.acos),
        "Atan": unary(.atan), "Sinh": unary(.sinh), "Cosh": unary(.cosh), "Tanh": activation { _ in .tanh },
        "Asinh": unary(.asinh), "Acosh": unary(.acosh), "Atanh": unary(.atanh), "Softsign": unary(.softsign),
        "IsNaN": unary(.isNaN), "Not": unary(.not, .truth), "BitwiseNot": unary(.bitwiseNot, .integers),
        "IsInf": ONNXDefinition(.floats) { node in
            let kind = UnaryOperation.Kind.isInf(
                detectNegative: node.flag("detect_negative", true), detectPositive: node.flag("detect_positive", true))
            return [try node.unary(kind, node.input(0))]
        },
        "Celu": function { .celu(alpha: $0.float("alpha", 1)) },
        "Selu": function {
            .selu(
                alpha: $0.float("alpha", 1.67326319217681884765625),
                gamma: $0.float("gamma", 1.05070102214813232421875))
        },
        "ThresholdedRelu": function { .thresholdedRelu(alpha: $0.float("alpha", 1)) },
        "Shrink": ONNXDefinition(.numbers) { node in
            let kind = UnaryOperation.Kind.shrink(bias: node.float("bias", 0), lambd: node.float("lambd", 0.5))
            return [try node.unary(kind, node.input(0))]
        },

        "Relu": ONNXDefinition(.numbers) { node in
            [try node.activated(node.input(0), by: .relu)]
        },
        "Sigmoid": activation { _ in .sigmoid },
        "LeakyRelu": activation { .leaky(slope: $0.float("alpha", 0.01)) },
        "Elu": activation { .elu(alpha: $0.float("alpha", 1)) },
        "HardSigmoid": activation { .hardSigmoid(alpha: $0.float("alpha", 0.2), beta: $0.float("beta", 0.5)) },
        "HardSwish": activation { _ in .hardSwish },
        "Swish": activation { .silu(alpha: $0.float("alpha", 1)) },
        "Softplus": activation { _ in .softplus },
        "Mish": activation { _ in .mish },
        "Gelu": activation { $0.string("approximate") == "tanh" ? .geluTanh : .gelu },
        "PRelu": ONNXDefinition(.numbers, lower: preLU),
        "Clip": ONNXDefinition(.numbers, lower: clip),

        "Cast": ONNXDefinition(.any) { node in
            guard let type = try node.elementType("to") else { throw node.invalid("no type to cast to") }
            return [try node.add(Cast(to: type), [node.input(0)])]
        },
        "CastLike": .direct(.any) { node in try Cast(to: node.type(node.input(1))) },
        "Where": .direct(.any, inputs: 3) { _ in Where() },
    ]

    private static func binary(_ kind: BinaryOperation.Kind, _ types: Types = .numbers) -> ONNXDefinition {
        ONNXDefinition(types) { node in
            [try node.binary(kind, node.input(0), node.legacyBroadcast(node.input(1), to: node.input(0)))]
        }
    }

    private static func variadic(_ kind: BinaryOperation.Kind) -> ONNXDefinition {
        ONNXDefinition(.numbers) { node in [try node.fold(kind, node.allInputs)] }
    }

    private static func unary(_ kind: UnaryOperation.Kind, _ types: Types = .floats) -> ONNXDefinition {
        ONNXDefinition(types) { node in [try node.unary(kind, node.input(0))] }
    }

    private static func function(
        _ kind: @escaping @Sendable (ONNXLowering) -> UnaryOperation.Kind
    ) -> ONNXDefinition {
        ONNXDefinition(.floats) { node in [try node.unary(kind(node), node.input(0))] }
    }

    private static func activation(
        _ kind: @escaping @Sendable (ONNXLowering) -> Activation.Kind
    ) -> ONNXDefinition {
        ONNXDefinition(.floats) { node in
            [try node.activation(kind(node), node.input(0))]
        }
    }

    @Sendable private static func preLU(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        var slope = try node.input(1)
        let shape = try node.shape(slope)
        // Before operator set 7 a slope of one axis belonged to the channels.
        if node.opset < 7, shape.count == 1, shape[0] > 1, try node.rank(input) > 2 {
            slope = try node.reshape(slope, [shape[0]] + [Int](repeating: 1, count: node.rank(input) - 2))
        }
        return [try node.add(PRelu(), [input, slope])]
    }

    @Sendable private static func clip(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        if node.opset < 11 {
            let low = node.float("min", -.infinity)
            let high = node.float("max", .infinity)
            return [try node.activation(.clamp(low: low, high: high), input)]
        }
        let type = try node.type(input)
        let bounds = try (1...2).map { index in
            try node.optional(index).flatMap { try node.describe($0).constant?.floats?.first }
        }
        let isKnown = (node.optional(1) == nil || bounds[0] != nil) && (node.optional(2) == nil || bounds[1] != nil)
        if type.isFloat, type != .float64, isKnown {
            return [try node.activation(.clamp(low: bounds[0] ?? -.infinity, high: bounds[1] ?? .infinity), input)]
        }
        var result = input
        if let low = node.optional(1) { result = try node.binary(.max, result, low) }
        if let high = node.optional(2) { result = try node.binary(.min, result, high) }
        return [result]
    }
}

extension ONNXLowering {
    /// Before operator set 7 the second input was aligned with `axis` of the first.
    fileprivate func legacyBroadcast(_ value: Value, to other: Value) throws -> Value {
        guard opset < 7, flag("broadcast"), let axis = int("axis") else { return value }
        let shape = try shape(value)
        let rank = try rank(other)
        let first = axis < 0 ? axis + rank : axis
        try require(first >= 0 && first <= rank && shape.count <= rank - first, "axis \(axis)")
        return try reshape(value, shape + [Int](repeating: 1, count: rank - first - shape.count))
    }
}
