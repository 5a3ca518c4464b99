extension RecurrentNetwork: MILOperator {
    func write(_ node: MILNode) throws {
        guard !node.has(4) else { throw ModelError.unsupported("sequences have lengths of their own") }
        guard !node.has(7) else { throw ModelError.unsupported("it has peepholes") }
        switch kind {
        case .gru(let linearBeforeReset): return try writeGated(node, linearBeforeReset: linearBeforeReset)
        case .lstm(couplesForget: true): throw ModelError.unsupported("its gates are coupled")
        case .plain where direction == .both:
            throw ModelError.unsupported("ML programs have no plain recurrent layers in both directions")
        default: break
        }
        var x = try node.input(0)
        if isBatchFirst { x = try node.transpose(x, [1, 0, 2]) }
        let (length, batch) = (x.shape[0], x.shape[1])
        let isReverse = direction == .reverse
        if isReverse { x = try backwards(x, node) }
        var arguments: [(String, MILNode.Argument)] = [("x", .value(x))]
        arguments.append(("initial_h", .value(try firstState(5, batch, node))))
        if gates == 4 { arguments.append(("initial_c", .value(try firstState(6, batch, node)))) }
        let rows = gates * hiddenSize
        for (index, name) in [(1, "weight_ih"), (2, "weight_hh")] {
            let all = try node.tensor(index, "weights")
            for direction in 0..<directions {
                let part = try ordered(all, direction * rows, all.shape[2])
                let weights = try Tensor(part, shape: [rows, all.shape[2]])
                arguments.append((name + (direction == 0 ? "" : "_back"), .value(try node.constant(weights, name))))
            }
        }
        if node.has(3) {
            let all = try node.tensor(3, "biases")
            for direction in 0..<directions {
                let input = try ordered(all, 2 * direction * rows, 1)
                let recurrent = try ordered(all, (2 * direction + 1) * rows, 1)
                let bias = try node.constant(zip(input, recurrent).map { $0 + $1 }, "bias")
                arguments.append(("bias" + (direction == 0 ? "" : "_back"), .value(bias)))
            }
        }
        arguments.append(("direction", .text(direction == .both ? "bidirectional" : "forward")))
        arguments.append(("output_sequence", .bool(true)))
        arguments += try activations()
        if let clip { arguments.append(("clip", .float(clip))) }
        let state = MILType(x.element, [batch, directions * hiddenSize])
        let types =
            [MILType(x.element, [length, batch, directions * hiddenSize]), state] + (gates == 4 ? [state] : [])
        var results = try node.add(gates == 4 ? "lstm" : "rnn", arguments, types)
        if isReverse { results[0] = try backwards(results[0], node) }
        try finish(node, results, length, batch)
    }

    /// All states (sequence, directions, batch, size), the last, and the last cell.
    ///
    /// - Parameter results: (sequence, batch, directions · size), (batch, directions · size)…
    func finish(_ node: MILNode, _ results: [MILReference], _ length: Int, _ batch: Int) throws {
        if node.isRead[0] {
            let parted = try node.reshape(results[0], [length, batch, directions, hiddenSize])
            node.finish(try node.transpose(parted, isBatchFirst ? [1, 0, 2, 3] : [0, 2, 1, 3]))
        }
        for index in 1..<max(results.count, 1) where node.isRead.indices.contains(index) && node.isRead[index] {
            let parted = try node.reshape(results[index], [batch, directions, hiddenSize])
            node.finish(isBatchFirst ? parted : try node.transpose(parted, [1, 0, 2]), output: index)
        }
        if gates != 4 { try node.refuseOutputs(from: 2) }
    }

    func backwards(_ x: MILReference, _ node: MILNode) throws -> MILReference {
        try node.add("reverse", ["x": .value(x), "axes": .ints([0])], x.shape)
    }

    /// The first state (directions, batch, size) as (batch, directions · size).
    func firstState(_ index: Int, _ batch: Int, _ node: MILNode) throws -> MILReference {
        let shape = [batch, directions * hiddenSize]
        guard let state = try node.optional(index) else {
            return try node.constant(Tensor(zeros: shape, of: .float32), "state")
        }
        return try node.reshape(isBatchFirst ? state : node.transpose(state, [1, 0, 2]), shape)
    }

    /// Rows of weights in the order of programs: input, forget, output, cell instead of input, output, forget, cell.
    private func ordered(_ weights: Tensor, _ firstRow: Int, _ width: Int) throws -> [Float] {
        guard let values = weights.floats else { throw ModelError.invalid("weights of type \(weights.type)") }
        let order = gates == 4 ? [0, 2, 1, 3] : [0]
        return order.flatMap { gate in
            let start = (firstRow + gate * hiddenSize) * width
            return values[start..<start + hiddenSize * width]
        }
    }

    private func activations() throws -> [(String, MILNode.Argument)] {
        let names = gates == 4 ? ["recurrent_activation", "cell_activation", "activation"] : ["activation"]
        let first = functions(ofDirection: 0)
        guard directions == 1 || functions(ofDirection: 1) == first else {
            throw ModelError.unsupported("its directions have different functions")
        }
        return try zip(names, first).map { name, function in
            switch function {
            case .activation(.sigmoid): return (name, .text("sigmoid"))
            case .activation(.tanh): return (name, .text("tanh"))
            case .activation(.clamp(0, .infinity)): return (name, .text("relu"))
            case .activation(.hardSigmoid(0.2, 0.5)): return (name, .text("sigmoid_hard"))
            case .affine(1, 0): return (name, .text("linear"))
            default: throw ModelError.unsupported("ML programs have no layer with the function \(function)")
            }
        }
    }
}
