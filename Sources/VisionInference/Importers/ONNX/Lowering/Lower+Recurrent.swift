extension ONNXDefinition {
    static let recurrent: [String: ONNXDefinition] = [
        "RNN": ONNXDefinition(.floats, since: 7) { node in try node.recurrent(.plain, outputs: 2) },
        "GRU": ONNXDefinition(.floats, since: 7) { node in
            try node.recurrent(.gru(linearBeforeReset: node.flag("linear_before_reset")), outputs: 2)
        },
        "LSTM": ONNXDefinition(.floats, since: 7) { node in
            try node.recurrent(.lstm(couplesForget: node.flag("input_forget")), outputs: 3)
        },
    ]
}

extension ONNXLowering {
    fileprivate func recurrent(_ kind: RecurrentNetwork.Kind, outputs: Int) throws -> [Value] {
        let weights = try shape(input(2))
        try require(weights.count == 3, "recurrent weights of shape \(weights)")
        let directions: [String: RecurrentNetwork.Direction] = [
            "forward": .forward, "reverse": .reverse, "bidirectional": .both,
        ]
        guard let direction = directions[string("direction", "forward")] else {
            throw unsupported("the direction \(string("direction", ""))")
        }
        let operation = RecurrentNetwork(
            kind: kind, direction: direction, hiddenSize: weights[2],
            functions: try strings("activations").map { try recurrentFunctions($0) }, clip: float("clip"),
            isBatchFirst: flag("layout"))
        let inputs = try [input(0), input(1), input(2)] + (3..<8).map { optional($0) }
        return try add(operation, inputs, outputs: outputs)
    }

    /// Functions by their names; those that have parameters take the next of `activation_alpha` and `activation_beta`.
    private func recurrentFunctions(_ names: [String]) throws -> [RecurrentNetwork.Function] {
        var alphas = (floats("activation_alpha") ?? [])[...]
        var betas = (floats("activation_beta") ?? [])[...]
        func alpha(_ fallback: Float) -> Float { alphas.popFirst() ?? fallback }
        func beta(_ fallback: Float) -> Float { betas.popFirst() ?? fallback }
        return try names.map { name in
            switch name.lowercased() {
            case "relu": return .activation(.clamp(low: 0, high: .infinity))
            case "tanh": return .activation(.tanh)
            case "sigmoid": return .activation(.sigmoid)
            case "softsign": return .softsign
            case "softplus": return .activation(.softplus)
            case "leakyrelu": return .activation(.leaky(slope: alpha(0.01)))
            case "thresholdedrelu": return .thresholdedRelu(alpha: alpha(1))
            case "elu": return .activation(.elu(alpha: alpha(1)))
            case "affine": return .affine(alpha: alpha(1), beta: beta(0))
            case "scaledtanh": return .scaledTanh(alpha: alpha(1), beta: beta(1))
            case "hardsigmoid": return .activation(.hardSigmoid(alpha: alpha(0.2), beta: beta(0.5)))
            default: throw unsupported("the activation \(name)")
            }
        }
    }
}
