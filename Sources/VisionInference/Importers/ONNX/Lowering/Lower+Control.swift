extension ONNXDefinition {
    static let control: [String: ONNXDefinition] = [
        "If": ONNXDefinition(.any, lower: condition),
        "Loop": ONNXDefinition(.any, lower: loop),
        "Scan": ONNXDefinition(.any, since: 9, lower: scan),
    ]

    private static let longest = 1 << 20

    @Sendable private static func condition(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        guard let holds = try node.constant(0)?.integers?.first else { throw node.invalid("no condition") }
        return try node.inline(node.graph(holds != 0 ? "then_branch" : "else_branch"), [])
    }

    /// The body takes the number of the iteration, the condition and the loop's variables; it gives the condition for
    /// the next, the variables, and what is collected.
    @Sendable private static func loop(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let body = try node.graph("body")
        let trips = try node.constantInts(0)?.first
        var holds = try node.constantInts(1)?.first.map { $0 != 0 } ?? true
        let ignoresCondition = node.optional(1) == nil
        var variables = try (2..<max(node.inputCount, 2)).map { try node.input($0) }
        try node.require(
            body.inputs.count == variables.count + 2 && body.outputs.count > variables.count,
            "\(variables.count) variables for a body with \(body.inputs.count) inputs")
        var collected = [[Graph.ValueID]](repeating: [], count: body.outputs.count - 1 - variables.count)
        var iteration = 0
        while holds, iteration < trips ?? Int.max {
            if iteration == LoopLimits.unrolled, !node.graph.foldsEverything { throw ExpansionPostponed() }
            guard iteration < longest else { throw ModelError.tooLarge("a loop of more than \(longest) rounds") }
            let number = node.constant(try Tensor(scalar: Int64(iteration)))
            let going = try node.scalar(1, .bool)
            let results = try node.inline(body, [number, going] + variables)
            if !ignoresCondition {
                guard let next = try node.describe(results[0]).constant?.integers?.first else {
                    throw ExpansionPostponed()
                }
                holds = next != 0
            }
            variables = Array(results[1...variables.count])
            for (index, value) in results[(variables.count + 1)...].enumerated() { collected[index].append(value) }
            iteration += 1
        }
        return variables + (try collected.map { try stacked(node, $0, axis: 0) })
    }

    /// The body takes the state and one slice of each scanned input; it gives the state and what is collected.
    @Sendable private static func scan(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let body = try node.graph("body")
        let scanned = node.int("num_scan_inputs", 0)
        let states = node.inputCount &- scanned
        try node.require(
            scanned >= 1 && scanned <= node.inputCount && body.inputs.count == node.inputCount
                && body.outputs.count >= states,
            "\(scanned) scanned inputs of \(node.inputCount)")
        let sources = try (0..<scanned).map { try node.input(states + $0) }
        let axes = try sources.indices.map { index in
            try node.axis(sources[index], node.ints("scan_input_axes")?[safe: index] ?? 0)
        }
        let backwards = sources.indices.map { node.ints("scan_input_directions")?[safe: $0] == 1 }
        let lengths = try zip(sources, axes).map { try node.shape($0)[$1] }
        let length = lengths[0]
        try node.require(lengths.allSatisfy { $0 == length }, "the scanned inputs have lengths \(lengths)")
        if length > LoopLimits.unrolled, !node.graph.foldsEverything { throw ExpansionPostponed() }
        var variables = try (0..<states).map { try node.input($0) }
        var collected = [[Graph.ValueID]](repeating: [], count: body.outputs.count - states)
        for step in 0..<length {
            let slices = try sources.indices.map { index in
                try node.slice(sources[index], at: backwards[index] ? length - 1 - step : step, axis: axes[index])
            }
            let results = try node.inline(body, variables + slices)
            variables = Array(results[..<states])
            for (index, value) in results[states...].enumerated() { collected[index].append(value) }
        }
        let outputs = try collected.indices.map { index -> Graph.ValueID in
            let isBackwards = node.ints("scan_output_directions")?[safe: index] == 1
            let values = isBackwards ? collected[index].reversed() : collected[index]
            return try stacked(node, values, axis: node.ints("scan_output_axes")?[safe: index] ?? 0)
        }
        return variables + outputs
    }

    private static func stacked(
        _ node: ONNXLowering, _ values: [Graph.ValueID], axis: Int
    ) throws -> Graph.ValueID {
        guard !values.isEmpty else { throw node.unsupported("it collects outputs in no rounds at all") }
        return try node.stack(values, axis: axis)
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension ONNXLowering {
    func graph(_ name: String) throws -> ONNXGraph {
        guard case .graph(let graph)? = node.attribute(name) else { throw invalid("no \(name)") }
        return graph
    }

    /// Appends the nodes of a graph inside of this node and returns its outputs.
    func inline(_ body: ONNXGraph, _ arguments: [Value]) throws -> [Value] {
        try graph.graph.checkRoom()
        var scope: [String: Value] = [:]
        for (name, value) in zip(operation.captured, inputs[inputCount...]) { scope[name] = value }
        guard body.inputs.count >= arguments.count, body.sparseInitialisers.isEmpty else {
            throw invalid("\(arguments.count) values for a graph with \(body.inputs.count) inputs")
        }
        for (input, value) in zip(body.inputs, arguments) { scope[input.name] = value }
        // The graph is lent, not copied.
        var lent = ShapedGraph(evaluator: graph.evaluator)
        swap(&lent, &graph)
        var builder = ONNXScope(lent, scope: scope, context: operation.context)
        lent = ShapedGraph(evaluator: lent.evaluator)
        defer { swap(&graph, &builder.sink) }
        for tensor in body.initialisers { try builder.define(tensor) }
        try builder.append(body.nodes, opsets: operation.opsets)
        return try body.outputs.map { output in
            guard let value = builder.scope[output.name] else {
                throw invalid("no node makes the output “\(output.name)” of a graph")
            }
            return value
        }
    }
}
