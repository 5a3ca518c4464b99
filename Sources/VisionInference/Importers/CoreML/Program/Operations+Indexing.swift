extension ProgramDefinition {
    static let indexing: [String: ProgramDefinition] = [
        "gather": .init { operation in
            let data = try operation.value()
            let axis = try operation.shape(data).resolvedAxis(operation.int("axis", 0))
            let indices = try operation.indices(operation.value("indices"), countedFrom: operation.shape(data)[axis])
            return try operation.add(
                Gather(axis: axis, batchDimensions: operation.int("batch_dims", 0)), [data, indices])
        },
        "gather_along_axis": .init { operation in
            let data = try operation.value()
            let axis = try operation.shape(data).resolvedAxis(operation.int("axis", 0))
            let indices = try operation.indices(operation.value("indices"), countedFrom: operation.shape(data)[axis])
            return try operation.add(GatherElements(axis: axis), [data, indices])
        },
        "gather_nd": .init { operation in
            let gather = GatherND(batchDimensions: try operation.int("batch_dims", 0))
            return try operation.add(gather, [operation.value(), operation.indices(operation.value("indices"))])
        },
        "one_hot": .init { operation in
            let indices = try operation.indices(operation.value("indices"))
            let size = try operation.int("one_hot_vector_size", 0)
            try operation.require((1...1 << 24).contains(size), "vectors of \(size) numbers")
            let rank = try operation.rank(indices)
            let axis = try Shape(repeating: 1, count: rank + 1).resolvedAxis(operation.int("axis", -1))
            var shape = Shape(repeating: 1, count: rank + 1)
            shape[axis] = size
            let classes = operation.constant(try Tensor((0..<size).map { Int64($0) }, shape: shape))
            let isHot = try operation.binary(.equal, operation.unsqueeze(indices, axes: [axis]), classes)
            let type = operation.operation.outputType ?? .int32
            let numbers = try [("on_value", Float(1)), ("off_value", 0)].map { name, fallback in
                try operation.scalar(Double(operation.float(name, fallback)), type)
            }
            return try operation.add(Where(), [isHot] + numbers)
        },
        "topk": .init(lower: { operation in
            let (value, axis) = (try operation.value(), try operation.int("axis", -1))
            let top = TopK(
                axis: axis, largest: try !operation.bool("ascending"), sorted: try operation.bool("sort", true),
                indexType: .int32)
            // −1 takes all.
            let wanted = try operation.int("k", 1)
            let shape = try operation.shape(value)
            let count = wanted == -1 ? shape[try shape.resolvedAxis(axis)] : wanted
            return try operation.add(top, [value, operation.constant([count])], outputs: 2)
        }),
    ]

    // MARK: Recurrent layers

    static let recurrent: [String: ProgramDefinition] = [
        "lstm": .init(
            notes: "sigmoid, tanh and the like; no peepholes",
            lower: { operation in
                try operation.recurrent(.lstm(couplesForget: false), gates: 4)
            }),
        "gru": .init(lower: { operation in try operation.recurrent(.gru(linearBeforeReset: true), gates: 3) }),
        "rnn": .init(lower: { operation in try operation.recurrent(.plain, gates: 1) }),
    ]
}

extension ProgramLowering {
    /// x (sequence, batch, features), the first states, weights by gates; of an LSTM in both directions, weights of the
    /// second with the ending `_back`.
    fileprivate func recurrent(_ kind: RecurrentNetwork.Kind, gates: Int) throws -> [Value] {
        let isLSTM = gates == 4
        let name = text("direction", "forward")
        let directions: [String: RecurrentNetwork.Direction] = [
            "forward": .forward, "reverse": .reverse, "bidirectional": .both,
        ]
        guard let direction = directions[name], isLSTM || direction != .both else {
            throw ModelError.unsupported("the direction “\(name)”")
        }
        let suffixes = direction == .both ? ["", "_back"] : [""]
        let size = try shape(value("weight_hh")).last ?? 0
        func weights(_ name: String) throws -> Value {
            let parts = try suffixes.map { try unsqueeze(orderedGates(value(name + $0), gates, size), axes: [0]) }
            return try concat(parts, axis: 0)
        }
        var bias: Value?
        if optional("bias") != nil {
            let none = constant(try Tensor(zeros: [gates * size], of: .float32))
            let parts = try suffixes.map { suffix in
                let sum = try orderedGates(value("bias" + suffix), gates, size)
                return try unsqueeze(concat([sum, none], axis: 0), axes: [0])
            }
            bias = try concat(parts, axis: 0)
        }
        // (batch, directions · size) as (directions, batch, size).
        func state(_ name: String) throws -> Value? {
            guard let value = optional(name) else { return nil }
            let batch = try shape(value).first ?? 0
            return try transpose(reshape(value, [batch, suffixes.count, size]), [1, 0, 2])
        }
        let operation = RecurrentNetwork(
            kind: kind, direction: direction, hiddenSize: size, functions: try functions(kind, suffixes.count),
            clip: try numbers("clip")?.first.map { Float($0) })
        let cell = isLSTM ? try state("initial_c") : nil
        let results = try add(
            operation,
            [
                floats(value()), weights("weight_ih"), weights("weight_hh"), bias, nil, state("initial_h"), cell, nil,
            ], outputs: isLSTM ? 3 : 2)
        let full = try shape(results[0])
        func joined(_ value: Value) throws -> Value {
            try reshape(transpose(value, [1, 0, 2]), [full[2], suffixes.count * size])
        }
        // (sequence, directions, batch, size) as (sequence, batch, directions · size).
        let sequence = try reshape(transpose(results[0], [0, 2, 1, 3]), [full[0], full[2], suffixes.count * size])
        let last = try results.dropFirst().map { try joined($0) }
        let output = try bool("output_sequence") ? sequence : unsqueeze(last[0], axes: [0])
        return [output] + last
    }

    /// Rows of an LSTM are in the order input, forget, output, cell, and the engine wants input, output, forget, cell;
    /// those of a GRU reset, new, update, and the engine wants update, reset, new.
    private func orderedGates(_ value: Value, _ gates: Int, _ size: Int) throws -> Value {
        let order = gates == 4 ? [0, 2, 1, 3] : gates == 3 ? [2, 0, 1] : [0]
        let rows = try shape(value).first ?? 0
        try require(rows == gates * size, "\(rows) rows of weights for \(gates) gates of \(size)")
        return try concat(order.map { try slice(value, axis: 0, $0 * size..<($0 + 1) * size) }, axis: 0)
    }

    private func functions(_ kind: RecurrentNetwork.Kind, _ directions: Int) throws -> [RecurrentNetwork.Function] {
        func function(_ name: String, _ fallback: String) throws -> RecurrentNetwork.Function {
            switch text(name, fallback) {
            case "sigmoid": return .activation(.sigmoid)
            case "tanh": return .activation(.tanh)
            case "relu": return .activation(.clamp(low: 0, high: .infinity))
            case "sigmoid_hard": return .activation(.hardSigmoid(alpha: 0.2, beta: 0.5))
            case "linear": return .affine(alpha: 1, beta: 0)
            case let other: throw ModelError.unsupported("the activation “\(other)”")
            }
        }
        let all: [RecurrentNetwork.Function]
        switch kind {
        case .plain: all = [try function("activation", "tanh")]
        case .gru: all = [try function("recurrent_activation", "sigmoid"), try function("activation", "tanh")]
        case .lstm:
            all = [
                try function("recurrent_activation", "sigmoid"), try function("cell_activation", "tanh"),
                try function("activation", "tanh"),
            ]
        }
        return (0..<directions).flatMap { _ in all }
    }
}
