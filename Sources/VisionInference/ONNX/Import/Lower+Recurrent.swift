extension ONNXDefinition {
    static let recurrent: [String: ONNXDefinition] = [
        "RNN": ONNXDefinition(.floats, since: 7, notes: recurrentNotes) { try recur($0, gates: 1, simpleStep) },
        "GRU": ONNXDefinition(.floats, since: 7, notes: recurrentNotes) { try recur($0, gates: 3, gatedStep) },
        "LSTM": ONNXDefinition(.floats, since: 7, notes: recurrentNotes) { try recur($0, gates: 4, memoryStep) },
    ]

    private static let recurrentNotes =
        "clip; sequences of different lengths; activations other than Sigmoid, Tanh and Relu"

    /// What one direction of a network works with.
    private struct Direction {
        /// (input, gates · hidden), (hidden, gates · hidden), and the biases of both, (gates · hidden) or none.
        var weights: Graph.ValueID
        var recurrence: Graph.ValueID
        var inputBias: Graph.ValueID?
        var recurrentBias: Graph.ValueID?
        /// Weights from the memory to the gates of input, output and forgetting.
        var peepholes: Graph.ValueID?
        var hidden: Int
        var activations: [String]
        var linearBeforeReset: Bool
    }

    private typealias State = (hidden: Graph.ValueID, memory: Graph.ValueID?)

    private typealias Cell = @Sendable (ONNXLowering, Direction, _ input: Graph.ValueID, State) throws -> State

    /// Works through the sequence step by step, in each direction, and puts the hidden states behind each other.
    private static func recur(_ node: ONNXLowering, gates: Int, _ cell: Cell) throws -> [Graph.ValueID] {
        if node.float("clip") != nil { throw node.unsupported("clip") }
        let isBatchFirst = node.int("layout", 0) == 1
        var input = try node.input(0)
        if isBatchFirst { input = try node.transpose(input, [1, 0, 2]) }
        let shape = try node.shape(input)
        try node.require(shape.count == 3, "an input of shape \(shape)")
        if let lengths = try node.constantInts(4), lengths.contains(where: { $0 != shape[0] }) {
            throw node.unsupported("sequences of different lengths")
        }
        guard shape[0] <= 1 << 12 || node.graph.foldsEverything else { throw ExpansionPostponed() }
        let direction = node.string("direction", "forward")
        let count = direction == "bidirectional" ? 2 : 1
        var outputs: [[Graph.ValueID]] = []
        var finals: [State] = []
        for index in 0..<count {
            let parts = try part(node, index, gates: gates)
            var state = try initial(node, index, batch: shape[1], hidden: parts.hidden, isBatchFirst)
            var steps: [Graph.ValueID] = []
            let isReverse = direction == "reverse" || index == 1
            for step in 0..<shape[0] {
                let time = isReverse ? shape[0] - 1 - step : step
                let slice = try node.reshape(
                    node.slice(input, axis: 0, time..<time + 1), [shape[1], shape[2]])
                state = try cell(node, parts, slice, state)
                steps.append(state.hidden)
            }
            outputs.append(isReverse ? steps.reversed() : steps)
            finals.append(state)
        }
        return try results(node, outputs, finals, isBatchFirst)
    }

    /// All states (time, directions, batch, hidden), then the last ones (directions, batch, hidden).
    private static func results(
        _ node: ONNXLowering, _ outputs: [[Graph.ValueID]], _ finals: [State], _ isBatchFirst: Bool
    ) throws -> [Graph.ValueID] {
        let zero = try node.constant([0])
        func stack(_ values: [Graph.ValueID]) throws -> Graph.ValueID {
            try node.concat(values.map { try node.add(Unsqueeze(), [$0, zero]) }, axis: 0)
        }
        let steps = try (0..<outputs[0].count).map { time in try stack(outputs.map { $0[time] }) }
        var all = try stack(steps)
        var hidden = try stack(finals.map(\.hidden))
        var memory = try finals[0].memory == nil ? nil : stack(finals.compactMap(\.memory))
        if isBatchFirst {
            all = try node.transpose(all, [2, 0, 1, 3])
            hidden = try node.transpose(hidden, [1, 0, 2])
            memory = try memory.map { try node.transpose($0, [1, 0, 2]) }
        }
        return [all, hidden] + (memory.map { [$0] } ?? [])
    }

    private static func part(_ node: ONNXLowering, _ index: Int, gates: Int) throws -> Direction {
        func direction(_ input: Graph.ValueID) throws -> Graph.ValueID {
            let shape = try node.shape(input)
            try node.require(shape.count >= 2 && index < shape[0], "weights of shape \(shape)")
            return try node.reshape(node.slice(input, axis: 0, index..<index + 1), Array(shape[1...]))
        }
        let recurrence = try direction(node.input(2))
        let shape = try node.shape(recurrence)
        try node.require(shape.count == 2 && shape[0] == gates * shape[1], "weights of shape \(shape)")
        let hidden = shape[1]
        var biases: [Graph.ValueID?] = [nil, nil]
        if let bias = try node.optional(3).map(direction) {
            biases = try (0..<2).map { try node.slice(bias, axis: 0, $0 * gates * hidden..<($0 + 1) * gates * hidden) }
        }
        let defaults = gates == 1 ? ["Tanh"] : gates == 3 ? ["Sigmoid", "Tanh"] : ["Sigmoid", "Tanh", "Tanh"]
        let named = node.strings("activations") ?? []
        let first = index * defaults.count
        let activations =
            named.count >= first + defaults.count ? Array(named[first..<first + defaults.count]) : defaults
        if node.int("input_forget", 0) != 0 { throw node.unsupported("input_forget") }
        return Direction(
            weights: try node.transpose(direction(node.input(1)), [1, 0]),
            recurrence: try node.transpose(recurrence, [1, 0]), inputBias: biases[0], recurrentBias: biases[1],
            peepholes: gates == 4 ? try node.optional(7).map(direction) : nil, hidden: hidden,
            activations: activations, linearBeforeReset: node.flag("linear_before_reset"))
    }

    private static func initial(
        _ node: ONNXLowering, _ index: Int, batch: Int, hidden: Int, _ isBatchFirst: Bool
    ) throws -> State {
        func state(_ input: Int) throws -> Graph.ValueID {
            guard var given = node.optional(input) else {
                return node.constant(try Tensor(zeros: [batch, hidden], of: node.type(node.input(0))))
            }
            if isBatchFirst { given = try node.transpose(given, [1, 0, 2]) }
            return try node.reshape(node.slice(given, axis: 0, index..<index + 1), [batch, hidden])
        }
        let isMemory = node.node.operatorType == "LSTM"
        return (try state(5), isMemory ? try state(6) : nil)
    }

    // MARK: Cells

    private static func activated(
        _ node: ONNXLowering, _ name: String, _ value: Graph.ValueID
    ) throws -> Graph.ValueID {
        switch name.lowercased() {
        case "sigmoid": return try node.activation(.sigmoid, value)
        case "tanh": return try node.activation(.tanh, value)
        case "relu": return try node.add(ActivationOperation(activation: .relu), [value])
        default: throw node.unsupported("the activation \(name)")
        }
    }

    private static func product(
        _ node: ONNXLowering, _ value: Graph.ValueID, _ weights: Graph.ValueID, _ bias: Graph.ValueID?
    ) throws -> Graph.ValueID {
        let product = try node.matMul(value, weights)
        return try bias.map { try node.binary(.add, product, $0) } ?? product
    }

    private static func gate(
        _ node: ONNXLowering, _ value: Graph.ValueID, _ index: Int, _ part: Direction
    ) throws -> Graph.ValueID {
        try node.slice(
            value, axis: node.rank(value) - 1, index * part.hidden..<(index + 1) * part.hidden)
    }

    @Sendable private static func simpleStep(
        _ node: ONNXLowering, _ part: Direction, _ input: Graph.ValueID, _ state: State
    ) throws -> State {
        let own = try product(node, input, part.weights, part.inputBias)
        let past = try product(node, state.hidden, part.recurrence, part.recurrentBias)
        return (try activated(node, part.activations[0], node.binary(.add, own, past)), nil)
    }

    /// Gates: update z, reset r, hidden h.
    @Sendable private static func gatedStep(
        _ node: ONNXLowering, _ part: Direction, _ input: Graph.ValueID, _ state: State
    ) throws -> State {
        let own = try product(node, input, part.weights, part.inputBias)
        let past = try product(node, state.hidden, part.recurrence, part.recurrentBias)
        let gates = try (0..<2).map { index in
            try activated(
                node, part.activations[0],
                node.binary(.add, gate(node, own, index, part), gate(node, past, index, part)))
        }
        let (update, reset) = (gates[0], gates[1])
        let recurrent: Graph.ValueID
        if part.linearBeforeReset {
            recurrent = try node.binary(.mul, reset, gate(node, past, 2, part))
        } else {
            let weights = try gate(node, part.recurrence, 2, part)
            let bias = try part.recurrentBias.map { try gate(node, $0, 2, part) }
            recurrent = try product(node, node.binary(.mul, reset, state.hidden), weights, bias)
        }
        let new = try activated(
            node, part.activations[1], node.binary(.add, gate(node, own, 2, part), recurrent))
        // (1 − z) new + z old
        let change = try node.binary(.mul, update, node.binary(.sub, state.hidden, new))
        return (try node.binary(.add, new, change), nil)
    }

    /// Gates: input i, output o, forgetting f, memory c.
    @Sendable private static func memoryStep(
        _ node: ONNXLowering, _ part: Direction, _ input: Graph.ValueID, _ state: State
    ) throws -> State {
        guard let memory = state.memory else { throw node.invalid("no memory") }
        let own = try product(node, input, part.weights, part.inputBias)
        let sum = try node.binary(
            .add, own, product(node, state.hidden, part.recurrence, part.recurrentBias))
        func peeking(_ index: Int, _ memory: Graph.ValueID) throws -> Graph.ValueID {
            let plain = try gate(node, sum, index, part)
            guard let peepholes = part.peepholes else { return plain }
            return try node.binary(.add, plain, node.binary(.mul, gate(node, peepholes, index, part), memory))
        }
        let entering = try activated(node, part.activations[0], peeking(0, memory))
        let kept = try activated(node, part.activations[0], peeking(2, memory))
        let candidate = try activated(node, part.activations[1], gate(node, sum, 3, part))
        let new = try node.binary(
            .add, node.binary(.mul, kept, memory), node.binary(.mul, entering, candidate))
        let leaving = try activated(node, part.activations[0], peeking(1, new))
        return (try node.binary(.mul, leaving, activated(node, part.activations[2], new)), new)
    }
}
