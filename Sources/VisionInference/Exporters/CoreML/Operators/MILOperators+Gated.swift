/// A gated recurrent layer (GRU) step by step: the operation that ML programs have adds the biases of the candidate
/// outside of the reset gate, which networks seldom do.
struct MILGatedSteps {
    /// Longer sequences would make programs of thousands of operations.
    static let longest = 256

    let node: MILNode
    let size: Int
    /// The reset gate is applied behind the recurrent weights.
    let linearBeforeReset: Bool

    /// What one direction has: weights and biases of the gates update, reset and candidate, in this order.
    struct Weights {
        var input: MILReference
        var inputBias: MILReference
        var recurrent: [MILReference]
        var recurrentBias: [MILReference]
    }

    /// - Parameter x: (sequence, batch, features).
    /// - Returns: The states (1, batch, size), in the order in which they are computed, and the last (batch, size).
    func states(
        of x: MILReference, from first: MILReference, _ weights: Weights
    ) throws -> (all: [MILReference], last: MILReference) {
        let (length, batch) = (x.shape[0], x.shape[1])
        let products = try linear(x, weights.input, weights.inputBias, [length, batch, 3 * size])
        var (state, states): (MILReference, [MILReference]) = (first, [])
        for step in 0..<length {
            let row = try node.sliced(
                products, starts: [step, 0, 0], steps: [1, 1, 1], shape: [1, batch, 3 * size])
            state = try next(state, node.reshape(row, [batch, 3 * size]), weights)
            states.append(try node.reshape(state, [1, batch, size]))
        }
        return (states, state)
    }

    private func linear(
        _ x: MILReference, _ weights: MILReference, _ bias: MILReference, _ shape: Shape
    ) throws -> MILReference {
        try node.add("linear", ["x": .value(x), "weight": .value(weights), "bias": .value(bias)], shape)
    }

    private func next(_ state: MILReference, _ products: MILReference, _ weights: Weights) throws -> MILReference {
        let shape = state.shape
        func gate(_ index: Int) throws -> MILReference {
            try node.sliced(products, starts: [0, index * size], steps: [1, 1], shape: shape)
        }
        func recurrent(_ index: Int, _ state: MILReference) throws -> MILReference {
            try linear(state, weights.recurrent[index], weights.recurrentBias[index], shape)
        }
        let update = try node.unary("sigmoid", node.binary("add", gate(0), recurrent(0, state)))
        let reset = try node.unary("sigmoid", node.binary("add", gate(1), recurrent(1, state)))
        let memory =
            linearBeforeReset
            ? try node.binary("mul", reset, recurrent(2, state))
            : try recurrent(2, node.binary("mul", reset, state))
        let candidate = try node.unary("tanh", node.binary("add", gate(2), memory))
        // (1 − z) n + z h = n + z (h − n).
        let change = try node.binary("mul", update, node.binary("sub", state, candidate))
        return try node.binary("add", candidate, change)
    }
}

extension RecurrentNetwork {
    /// Writes a gated recurrent layer.
    func writeGated(_ node: MILNode, linearBeforeReset: Bool) throws {
        guard clip == nil, functions == nil || (0..<directions).allSatisfy({ isUsual(functions(ofDirection: $0)) })
        else { throw ModelError.unsupported("it has other functions than sigmoid and tanh, or limits") }
        var x = try node.input(0)
        if isBatchFirst { x = try node.transpose(x, [1, 0, 2]) }
        let (length, batch) = (x.shape[0], x.shape[1])
        guard length <= MILGatedSteps.longest else {
            throw ModelError.unsupported(
                "ML programs have a sequence step by step, \(MILGatedSteps.longest) at most, and this has \(length)")
        }
        let steps = MILGatedSteps(node: node, size: hiddenSize, linearBeforeReset: linearBeforeReset)
        let first = try firstState(5, batch, node)
        var (all, last): ([MILReference], [MILReference]) = ([], [])
        for index in 0..<directions {
            let isBackwards = direction == .reverse || index == 1
            let start = try node.sliced(
                first, starts: [0, index * hiddenSize], steps: [1, 1], shape: [batch, hiddenSize])
            let made = try steps.states(
                of: isBackwards ? backwards(x, node) : x, from: start, gatedWeights(index, node))
            let ordered = isBackwards ? made.all.reversed() : made.all
            all.append(try join(ordered, axis: 0, [length, batch, hiddenSize], node))
            last.append(made.last)
        }
        let width = directions * hiddenSize
        try finish(
            node,
            [
                join(all, axis: 2, [length, batch, width], node), join(last, axis: 1, [batch, width], node),
            ], length, batch)
    }

    private func isUsual(_ functions: [Function]) -> Bool {
        functions == [.activation(.sigmoid), .activation(.tanh)]
    }

    private func join(
        _ values: [MILReference], axis: Int, _ shape: Shape, _ node: MILNode
    ) throws -> MILReference {
        if values.count == 1 { return values[0] }
        return try node.add(
            "concat", ["values": .values(values), "axis": .int(axis), "interleave": .bool(false)], shape)
    }

    private func gatedWeights(_ index: Int, _ node: MILNode) throws -> MILGatedSteps.Weights {
        // Biases have no width.
        func rows(_ input: Int, _ what: String, from: Int, _ count: Int, width columns: Int?) throws -> MILReference {
            let width = columns ?? 1
            let values = node.has(input) ? try node.tensor(input, what).floats ?? [] : []
            let part =
                values.isEmpty
                ? [Float](repeating: 0, count: count * width) : Array(values[from * width..<(from + count) * width])
            return try node.constant(Tensor(part, shape: columns.map { [count, $0] } ?? [count]), what)
        }
        let (rowCount, features) = (3 * hiddenSize, node.shape(1)[2])
        return .init(
            input: try rows(1, "weights", from: index * rowCount, rowCount, width: features),
            inputBias: try rows(3, "biases", from: 2 * index * rowCount, rowCount, width: nil),
            recurrent: try (0..<3).map { gate in
                try rows(2, "weights", from: index * rowCount + gate * hiddenSize, hiddenSize, width: hiddenSize)
            },
            recurrentBias: try (0..<3).map { gate in
                try rows(3, "biases", from: (2 * index + 1) * rowCount + gate * hiddenSize, hiddenSize, width: nil)
            })
    }
}
