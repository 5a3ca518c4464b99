extension NeuralNetworkLayerDefinition {
    static let recurrent: [String: NeuralNetworkLayerDefinition] = [
        "simpleRecurrent": .init(lower: { layer in
            let size = try layer.int(2)
            let direction = try RecurrentDirection(
                layer, matrices: [30], recursions: [31], biases: layer.bool(20) ? [32] : [],
                activations: layer.parameters.messages(10), of: layer.parameters)
            return try layer.recurrent(.plain, size, [direction], returnsSequence: layer.bool(15))
        }),
        "gru": .init(lower: { layer in
            let size = try layer.int(2)
            let direction = try RecurrentDirection(
                layer, matrices: [30, 31, 32], recursions: [50, 51, 52],
                biases: layer.bool(20) ? [70, 71, 72] : [], activations: layer.parameters.messages(10),
                of: layer.parameters)
            return try layer.recurrent(
                .gru(linearBeforeReset: false), size, [direction], returnsSequence: layer.bool(15))
        }),
        "uniDirectionalLSTM": .init(
            notes: "cell states are not clipped",
            lower: { layer in
                try layer.longShortTermMemory(
                    weights: [layer.parameters.message(20)], activations: [layer.parameters.messages(10)])
            }),
        "biDirectionalLSTM": .init(
            notes: "cell states are not clipped",
            lower: { layer in
                try layer.longShortTermMemory(
                    weights: layer.parameters.messages(20),
                    activations: [layer.parameters.messages(10), layer.parameters.messages(11)])
            }),
    ]
}

/// The weights of one direction of a recurrent layer, in the order that the engine wants.
private struct RecurrentDirection {
    var matrix: Graph.ValueID
    var recursion: Graph.ValueID
    var bias: Graph.ValueID?
    var peepholes: Graph.ValueID?
    var functions: [RecurrentNetwork.Function]

    /// - Parameters:
    ///   - matrices: fields of `message`, by gates in the engine's order.
    ///   - forgetGate: the position of the gate whose bias is one more; nil: none.
    init(
        _ layer: NeuralNetworkLowering, matrices: [Int], recursions: [Int], biases: [Int], peepholes: [Int] = [],
        forgetGate: Int? = nil, activations: [ProtobufMessage], of message: ProtobufMessage
    ) throws {
        let (features, size) = (try layer.int(1), try layer.int(2))
        try layer.require((1...1 << 20).contains(size) && features > 0, "vectors of \(features) and \(size) numbers")
        func joined(_ fields: [Int], _ shape: Shape) throws -> Graph.ValueID {
            try layer.concat(fields.map { try layer.weights(message.message($0), shape) }, axis: 0)
        }
        matrix = try layer.unsqueeze(joined(matrices, [size, features]), axes: [0])
        recursion = try layer.unsqueeze(joined(recursions, [size, size]), axes: [0])
        let gates = matrices.count
        var sums = biases.isEmpty ? nil : try joined(biases, [size])
        if let forgetGate {
            var ones = [Float](repeating: 0, count: gates * size)
            for index in forgetGate * size..<(forgetGate + 1) * size { ones[index] = 1 }
            let more = layer.constant(try Tensor(ones))
            sums = try sums.map { try layer.binary(.add, $0, more) } ?? more
        }
        // The engine has a bias for the recurrent product too.
        bias = try sums.map { sum in
            let none = layer.constant(try Tensor(zeros: [gates * size], of: .float32))
            return try layer.unsqueeze(layer.concat([sum, none], axis: 0), axes: [0])
        }
        self.peepholes = peepholes.isEmpty ? nil : try layer.unsqueeze(joined(peepholes, [size]), axes: [0])
        functions = try activations.map { try Self.function($0) }
    }

    private static func function(_ message: ProtobufMessage) throws -> RecurrentNetwork.Function {
        guard let kind = message.first(in: 5...71), let parameters = try message.message(kind) else {
            throw ModelError.damaged("an activation without a function")
        }
        let hasNumbers = kind != 25 && kind != 71
        let (alpha, beta) = hasNumbers ? (try parameters.float(1), try parameters.float(2)) : (0, 0)
        switch kind {
        case 5: return .affine(alpha: alpha, beta: beta)
        case 10: return .activation(.clamp(low: 0, high: .infinity))
        case 15: return .activation(.leaky(slope: alpha))
        case 20: return .thresholdedRelu(alpha: alpha)
        case 30: return .activation(.tanh)
        case 31: return .scaledTanh(alpha: alpha, beta: beta)
        case 40: return .activation(.sigmoid)
        case 41: return .activation(.hardSigmoid(alpha: alpha, beta: beta))
        case 50: return .activation(.elu(alpha: alpha))
        case 60: return .softsign
        case 70: return .activation(.softplus)
        default: throw ModelError.unsupported("the activation of field \(kind) in a recurrent layer")
        }
    }
}

extension NeuralNetworkLowering {
    fileprivate func longShortTermMemory(
        weights: [ProtobufMessage?], activations: [[ProtobufMessage]]
    ) throws -> [Value] {
        guard let settings = try parameters.message(15) else { throw ModelError.damaged("the layer has no settings") }
        try require(weights.count == activations.count, "weights of \(weights.count) directions")
        let couples = try settings.bool(50)
        let directions = try zip(weights, activations).map { message, functions in
            guard let message else { throw ModelError.damaged("the layer has no weights") }
            // Input, output and forget gate, block input: where Core ML has input, forget, block, output.
            let order = [0, 3, 1, 2]
            // A coupled gate needs no weights, and may have none.
            func fields(_ first: Int) -> [Int] {
                order.map { first + (couples && $0 == 1 ? 0 : $0) }
            }
            return try RecurrentDirection(
                self, matrices: fields(1), recursions: fields(20), biases: settings.bool(20) ? fields(40) : [],
                peepholes: settings.bool(40) ? [60, 62, couples ? 60 : 61] : [],
                forgetGate: settings.bool(30) && !couples ? 2 : nil, activations: functions, of: message)
        }
        return try recurrent(
            .lstm(couplesForget: couples), int(2), directions, returnsSequence: settings.bool(10))
    }

    /// Inputs and outputs are (sequence, batch, features, 1, 1): the sequence, then for each direction the state, and
    /// of an LSTM the cell.
    fileprivate func recurrent(
        _ kind: RecurrentNetwork.Kind, _ size: Int, _ directions: [RecurrentDirection], returnsSequence: Bool
    ) throws -> [Value] {
        var hasCell = false
        if case .lstm = kind { hasCell = true }
        let isReversed = try directions.count == 1 && bool(100)
        var sequence = try vectors(input(0))
        if isReversed {
            // Results are in the order in which the elements were processed.
            sequence = try slice(sequence, from: [-1], to: [Int(Int32.min)], axes: [0], steps: [-1])
        }
        let states = hasCell ? 2 : 1
        try require(
            inputs.count == 1 || inputs.count == 1 + states * directions.count, "\(inputs.count) inputs of a layer")
        func initial(_ index: Int) throws -> Value? {
            guard inputs.count > 1 else { return nil }
            return try concat(directions.indices.map { try vectors(input(1 + $0 * states + index)) }, axis: 0)
        }
        func joined(_ values: [Value?]) throws -> Value? {
            let present = values.compactMap { $0 }
            return present.isEmpty ? nil : try concat(present, axis: 0)
        }
        let functions = directions.flatMap(\.functions)
        let operation = RecurrentNetwork(
            kind: kind, direction: directions.count == 2 ? .both : .forward, hiddenSize: size,
            functions: functions.isEmpty ? nil : functions, clip: 50)
        let results = try add(
            operation,
            [
                sequence, joined(directions.map(\.matrix)), joined(directions.map(\.recursion)),
                joined(directions.map(\.bias)), nil, initial(0), hasCell ? initial(1) : nil,
                joined(directions.map(\.peepholes)),
            ], outputs: hasCell ? 3 : 2)
        return try outputs(results, directions: directions.count, size: size, returnsSequence: returnsSequence)
    }

    private func outputs(
        _ results: [Value], directions: Int, size: Int, returnsSequence: Bool
    ) throws -> [Value] {
        // (sequence, directions, batch, size), (directions, batch, size), the same.
        let shape = try shape(results[0])
        let (length, batch) = (shape[0], shape[2])
        func image(_ value: Value, _ length: Int, _ channels: Int) throws -> Value {
            try withoutSequence(reshape(value, [length, batch, channels, 1, 1]))
        }
        let all =
            returnsSequence
            ? try image(transpose(results[0], [0, 2, 1, 3]), length, directions * size)
            : try image(transpose(results[1], [1, 0, 2]), 1, directions * size)
        var outputs = [all]
        for direction in 0..<directions {
            for state in results.dropFirst() {
                outputs.append(try image(slice(state, axis: 0, direction..<direction + 1), 1, size))
            }
        }
        return outputs
    }

    /// (sequence, batch, features).
    private func vectors(_ value: Value) throws -> Value {
        let full = try withSequence(value)
        let shape = try shape(full)
        try require(shape.count == 5 && shape[3] == 1 && shape[4] == 1, "a sequence of shape \(shape)")
        return try reshape(full, Array(shape[..<3]))
    }
}
