extension NeuralNetworkLayerDefinition {
    static let elementwise: [String: NeuralNetworkLayerDefinition] = [
        functions, arithmetic, comparisons,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    // MARK: Functions of one number

    private static let functions: [String: NeuralNetworkLayerDefinition] = [
        "activation": .init { layer in try layer.activated() },
        "unary": .init { layer in try layer.unaryFunction() },
        "ceil": function(.ceil), "floor": function(.floor), "sign": function(.sign), "round": function(.round),
        "sin": function(.sin), "cos": function(.cos), "tan": function(.tan), "asin": function(.asin),
        "acos": function(.acos), "atan": function(.atan), "sinh": function(.sinh), "cosh": function(.cosh),
        "asinh": function(.asinh), "acosh": function(.acosh), "atanh": function(.atanh), "erf": function(.erf),
        "tanh": .init { layer in try layer.activation(.tanh, layer.input()) },
        "exp2": .init { layer in
            try layer.binary(.pow, layer.scalar(2, .float32), layer.input())
        },
        "clip": .init { layer in
            let (low, high) = (try layer.float(1), try layer.float(2))
            try layer.require(low <= high, "bounds \(low) and \(high)")
            return try layer.activation(.clamp(low: low, high: high), layer.input())
        },
        "clampedReLU": .init { layer in
            let (alpha, beta) = (try layer.float(1), try layer.float(2))
            let leaky = try layer.activation(.leaky(slope: alpha), layer.input())
            return try layer.activation(.clamp(low: -.infinity, high: beta), leaky)
        },
        "gelu": .init { layer in
            switch try layer.int(1) {
            case 0: try layer.activation(.gelu, layer.input())
            case 1: try layer.activation(.geluTanh, layer.input())
            case 2: try layer.geluBySigmoid(layer.input())
            default: throw ModelError.invalid("the mode \(try layer.int(1))")
            }
        },
        "logicalNot": .init { layer in
            try layer.floats(layer.unary(.not, layer.truth(layer.input())))
        },
    ]

    private static func function(_ kind: UnaryOperation.Kind) -> NeuralNetworkLayerDefinition {
        .init { layer in try layer.unary(kind, layer.input()) }
    }

    // MARK: Functions of several

    private static let arithmetic: [String: NeuralNetworkLayerDefinition] = [
        "add": .init { layer in
            if layer.inputs.count == 1 { return try layer.affine(layer.input(), 1, layer.float(1)) }
            return try layer.fold(.add, layer.inputs)
        },
        "multiply": .init { layer in
            if layer.inputs.count == 1 { return try layer.affine(layer.input(), layer.float(1), 0) }
            return try layer.fold(.mul, layer.inputs)
        },
        "average": .init { layer in
            try layer.affine(layer.fold(.add, layer.inputs), 1 / Float(layer.inputs.count), 0)
        },
        "max": folding(.max), "min": folding(.min),
        "maxBroadcastable": folding(.max), "minBroadcastable": folding(.min),
        "addBroadcastable": folding(.add), "multiplyBroadcastable": folding(.mul),
        "subtractBroadcastable": pair(.sub), "divideBroadcastable": pair(.div), "powBroadcastable": pair(.pow),
        "floorDivBroadcastable": pair(.floorDiv), "modBroadcastable": pair(.mod(fmod: false)),
        "scale": .init { layer in
            let scale = try layer.weights(2, layer.imageShape(layer.ints(1)))
            let product = try layer.binary(.mul, layer.input(), scale)
            guard try layer.bool(3) else { return product }
            return try layer.binary(.add, product, layer.weights(5, layer.imageShape(layer.ints(4))))
        },
        "bias": .init { layer in
            try layer.binary(.add, layer.input(), layer.weights(2, layer.imageShape(layer.ints(1))))
        },
        "whereBroadcastable": .init { layer in
            try layer.add(Where(), [layer.truth(layer.input(0)), layer.input(1), layer.input(2)])
        },
    ]

    private static func folding(_ kind: BinaryOperation.Kind) -> NeuralNetworkLayerDefinition {
        .init { layer in
            try layer.fold(kind, layer.inputs)
        }
    }

    private static func pair(_ kind: BinaryOperation.Kind) -> NeuralNetworkLayerDefinition {
        .init { layer in try layer.binary(kind, layer.input(0), layer.input(1)) }
    }

    // MARK: Truth values, which are floats of 0 and 1

    private static let comparisons: [String: NeuralNetworkLayerDefinition] = [
        "equal": comparison(.equal, alpha: 1), "notEqual": comparison(.notEqual, alpha: 1),
        "lessThan": comparison(.less, alpha: 2), "lessEqual": comparison(.lessOrEqual, alpha: 2),
        "greaterThan": comparison(.greater, alpha: 2), "greaterEqual": comparison(.greaterOrEqual, alpha: 2),
        "logicalAnd": logical(.and), "logicalOr": logical(.or), "logicalXor": logical(.xor),
    ]

    /// - Parameter alpha: the field with what a single input is compared with.
    private static func comparison(_ kind: BinaryOperation.Kind, alpha: Int) -> NeuralNetworkLayerDefinition {
        .init { layer in
            let other =
                layer.inputs.count > 1
                ? try layer.input(1) : try layer.scalar(Double(layer.float(alpha)), .float32)
            return try layer.floats(layer.binary(kind, layer.input(), other))
        }
    }

    private static func logical(_ kind: BinaryOperation.Kind) -> NeuralNetworkLayerDefinition {
        .init { layer in
            try layer.floats(layer.binary(kind, layer.truth(layer.input(0)), layer.truth(layer.input(1))))
        }
    }
}

extension NeuralNetworkLowering {
    /// The shape of a scale or bias, which belongs to the last three axes: [C] or [C, H, W], or [1].
    func imageShape(_ shape: [Int]) throws -> Shape {
        try require(shape.count == 1 || shape.count == 3, "a shape of \(shape.count) sizes")
        return shape.count == 1 ? [shape[0], 1, 1] : shape
    }

    fileprivate func activated() throws -> Value {
        let input = try input()
        guard let kind = parameters.first(in: 5...71), let message = try parameters.message(kind) else {
            throw ModelError.damaged("the layer has no function")
        }
        // Two functions have weights where the others have numbers.
        let hasNumbers = kind != 25 && kind != 71
        let (alpha, beta) = hasNumbers ? (try message.float(1), try message.float(2)) : (0, 0)
        switch kind {
        case 5: return try affine(input, alpha, beta)
        case 10: return try activation(.clamp(low: 0, high: .infinity), input)
        case 15: return try activation(.leaky(slope: alpha), input)
        case 20: return try unary(.thresholdedRelu(alpha: alpha), input)
        case 25: return try add(PRelu(), [input, channelVector(message.message(1), of: input)])
        case 30: return try activation(.tanh, input)
        case 31: return try scaledTanh(input, alpha, beta)
        case 40: return try activation(.sigmoid, input)
        case 41: return try activation(.hardSigmoid(alpha: alpha, beta: beta), input)
        case 50: return try activation(.elu(alpha: alpha), input)
        case 60: return try unary(.softsign, input)
        case 70: return try activation(.softplus, input)
        case 71:
            let scaled = try binary(.mul, input, channelVector(message.message(2), of: input))
            return try binary(.mul, activation(.softplus, scaled), channelVector(message.message(1), of: input))
        default: throw ModelError.unsupported("its function (field \(kind)) is not known here")
        }
    }

    /// Numbers of all channels, or one number for all.
    private func channelVector(_ message: ProtobufMessage?, of input: Value) throws -> Value {
        let channels = try channels(input)
        if let message, message.has(1), try message.floats(1).count == 1 { return try weights(message, [1, 1, 1]) }
        return try weights(message, [channels, 1, 1])
    }

    fileprivate func unaryFunction() throws -> Value {
        let input = try affine(self.input(), float(5, orIfZero: 1), float(4))
        let epsilon = try float(3, orIfZero: 1e-6)
        switch try int(1) {
        case 0: return try unary(.sqrt, input)
        case 1: return try unary(.reciprocalSqrt, affine(input, 1, epsilon))
        case 2: return try unary(.reciprocal, affine(input, 1, epsilon))
        case 3: return try binary(.pow, input, scalar(Double(float(2)), .float32))
        case 4: return try unary(.exp, input)
        case 5: return try unary(.log, input)
        case 6: return try unary(.abs, input)
        case 7: return try activation(.clamp(low: float(2), high: .infinity), input)
        default: throw ModelError.invalid("the function \(try int(1))")
        }
    }
}
