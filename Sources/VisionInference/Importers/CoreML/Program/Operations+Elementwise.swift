extension ProgramDefinition {
    static let elementwise: [String: ProgramDefinition] = [functions, activations, pairs]
        .reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    private static func function(_ kind: UnaryOperation.Kind) -> ProgramDefinition {
        .init { operation in try operation.unary(kind, operation.value()) }
    }

    private static func activation(_ kind: Activation.Kind) -> ProgramDefinition {
        .init { operation in try operation.activation(kind, operation.value()) }
    }

    private static let functions: [String: ProgramDefinition] = [
        "abs": function(.abs), "acos": function(.acos), "asin": function(.asin), "atan": function(.atan),
        "atanh": function(.atanh), "ceil": function(.ceil), "cos": function(.cos), "cosh": function(.cosh),
        "erf": function(.erf), "exp": function(.exp), "floor": function(.floor), "round": function(.round),
        "sign": function(.sign), "sin": function(.sin), "sinh": function(.sinh), "sqrt": function(.sqrt),
        "square": function(.square), "tan": function(.tan), "logical_not": function(.not),
        "identity": .init { operation in try operation.value() },
        "exp2": .init { operation in
            try operation.binary(.pow, operation.scalar(2, like: operation.value()), operation.value())
        },
        "inverse": .init { operation in
            try operation.unary(.reciprocal, operation.affine(operation.value(), 1, operation.float("epsilon", 1e-4)))
        },
        "log": .init { operation in
            try operation.unary(.log, operation.affine(operation.value(), 1, operation.float("epsilon", 0)))
        },
        "rsqrt": .init { operation in
            let shifted = try operation.affine(operation.value(), 1, operation.float("epsilon", 1e-12))
            return try operation.unary(.reciprocalSqrt, shifted)
        },
        "threshold": .init { operation in
            let value = try operation.value()
            return try operation.binary(.max, value, operation.scalar(Double(operation.float("alpha", 0)), like: value))
        },
        "clip": .init { operation in
            let (low, high) = (try operation.float("alpha", -.infinity), try operation.float("beta", .infinity))
            try operation.require(low <= high, "bounds \(low) and \(high)")
            return try operation.activation(.clamp(low: low, high: high), operation.value())
        },
        "cast": .init { operation in
            let types: [String: ElementType] = [
                "fp16": .float32, "fp32": .float32, "fp64": .float32, "int8": .int8, "uint8": .uint8, "int16": .int16,
                "uint16": .uint16, "int32": .int32, "int64": .int32, "bool": .bool,
            ]
            guard let type = types[operation.text("dtype", "")] else {
                throw ModelError.unsupported("the type “\(operation.text("dtype", ""))”")
            }
            return try operation.cast(operation.value(), type)
        },
    ]

    private static let activations: [String: ProgramDefinition] = [
        "relu": activation(.clamp(low: 0, high: .infinity)), "relu6": activation(.clamp(low: 0, high: 6)),
        "sigmoid": activation(.sigmoid), "silu": activation(.silu(alpha: 1)), "tanh": activation(.tanh),
        "softplus": activation(.softplus), "softsign": function(.softsign),
        "gelu": .init { operation in
            switch operation.text("mode", "EXACT") {
            case "EXACT": return try operation.activation(.gelu, operation.value())
            case "TANH_APPROXIMATION": return try operation.activation(.geluTanh, operation.value())
            case "SIGMOID_APPROXIMATION": return try operation.geluBySigmoid(operation.value())
            case let mode: throw ModelError.invalid("the mode “\(mode)”")
            }
        },
        "elu": .init { operation in
            try operation.activation(.elu(alpha: operation.float("alpha", 1)), operation.value())
        },
        "leaky_relu": .init { operation in
            try operation.activation(.leaky(slope: operation.float("alpha", 0.01)), operation.value())
        },
        "sigmoid_hard": .init { operation in
            let (alpha, beta) = (try operation.float("alpha", 0.2), try operation.float("beta", 0.5))
            return try operation.activation(.hardSigmoid(alpha: alpha, beta: beta), operation.value())
        },
        "linear_activation": .init { operation in
            try operation.affine(operation.value(), operation.float("alpha", 1), operation.float("beta", 0))
        },
        "scaled_tanh": .init { operation in
            try operation.scaledTanh(operation.value(), operation.float("alpha", 1), operation.float("beta", 1))
        },
        "thresholded_relu": .init { operation in
            try operation.unary(.thresholdedRelu(alpha: operation.float("alpha", 1)), operation.value())
        },
        "clamped_relu": .init { operation in
            let leaky = try operation.activation(.leaky(slope: operation.float("alpha", 0)), operation.value())
            return try operation.activation(.clamp(low: -.infinity, high: operation.float("beta", .infinity)), leaky)
        },
        "prelu": .init { operation in
            try operation.add(PRelu(), [operation.value(), operation.byChannel("alpha")])
        },
        "softplus_parametric": .init { operation in
            let scaled = try operation.binary(.mul, operation.value(), operation.byChannel("beta"))
            return try operation.binary(.mul, operation.activation(.softplus, scaled), operation.byChannel("alpha"))
        },
        "softmax": .init { operation in
            try operation.add(Softmax(axis: operation.int("axis", -1)), [operation.value()])
        },
    ]

    private static let pairs: [String: ProgramDefinition] = [
        "add": pair(.add), "sub": pair(.sub), "mul": pair(.mul), "real_div": pair(.div), "floor_div": pair(.floorDiv),
        "mod": pair(.mod(fmod: false)), "pow": pair(.pow), "maximum": pair(.max), "minimum": pair(.min),
        "equal": pair(.equal), "not_equal": pair(.notEqual), "less": pair(.less), "less_equal": pair(.lessOrEqual),
        "greater": pair(.greater), "greater_equal": pair(.greaterOrEqual), "logical_and": pair(.and),
        "logical_or": pair(.or), "logical_xor": pair(.xor),
        "select": .init { operation in
            let (a, b) = (try operation.value("a"), try operation.value("b"))
            return try operation.add(Where(), [operation.truth(operation.value("cond")), a, b])
        },
    ]

    private static func pair(_ kind: BinaryOperation.Kind) -> ProgramDefinition {
        .init { operation in try operation.binary(kind, operation.value("x"), operation.value("y")) }
    }
}

extension ProgramLowering {
    /// A vector by channels (axis 1) in a form that is broadcast to the input.
    func byChannel(_ name: String) throws -> Value {
        let (vector, rank) = (try value(name), try rank(value()))
        guard try self.rank(vector) == 1, rank >= 2 else { return vector }
        return try unsqueeze(vector, axes: Array(1..<rank - 1))
    }
}
