/// A layer of a Core ML network that runs other layers, or not, by conditions: `branch` and `loop`.
///
/// All names of a Core ML network are in one scope, and a layer within may give a name another value. So the layer
/// takes every value whose name is used in it, and gives every one that it may change and that is read afterwards.
struct NeuralNetworkControl: CompositeOperator {
    let entry: NeuralNetworkEntry
    /// The names of the node's inputs: those of the layer first.
    let captured: [String]
    let results: [String]
    let settings: NeuralNetworkSettings

    var name: String { entry.type }

    static let types: Set<String> = ["branch", "loop"]
    /// What ends an iteration of a loop.
    static let jumps: Set<String> = ["loopBreak", "loopContinue"]

    /// - Parameters:
    ///   - before: The values before the layer.
    ///   - isReadLater: Whether a layer after it, or the network's outputs, read a name.
    init(
        _ entry: NeuralNetworkEntry, before: [String: Graph.ValueID], _ settings: NeuralNetworkSettings,
        isReadLater: (String) -> Bool
    ) throws {
        self.entry = entry
        self.settings = settings
        var names = Names()
        try names.collect(entry, depth: 0)
        captured = names.read.union(names.written).filter { before[$0] != nil }.sorted()
        results = names.written.filter { before[$0] != nil || isReadLater($0) }.sorted()
    }

    func expand(_ node: Graph.Node, into graph: inout ShapedGraph) throws -> [Graph.ValueID] {
        // The graph is lent, not copied.
        var lent = ShapedGraph(evaluator: graph.evaluator)
        swap(&lent, &graph)
        var scope = NeuralNetworkScope(lent, settings: settings)
        lent = ShapedGraph(evaluator: lent.evaluator)
        defer { swap(&graph, &scope.sink) }
        for (name, value) in zip(captured, node.inputs) { scope.values[name] = value }
        _ = try Self.run(entry, in: &scope, depth: 0)
        return try results.map { name in
            guard let value = scope.values[name] else {
                throw ModelError.invalid("“\(name)” is read after it, and the layers that ran do not make it")
            }
            return value
        }
    }

    // MARK: Names

    static func namesRead(by entry: NeuralNetworkEntry) throws -> Set<String> {
        var names = Names()
        try names.collect(entry, depth: 0)
        return names.read
    }

    private struct Names {
        var read: Set<String> = []
        var written: Set<String> = []

        mutating func collect(_ entry: NeuralNetworkEntry, depth: Int) throws {
            guard depth <= LoopLimits.deepest else {
                throw ModelError.unsupported("conditions within \(LoopLimits.deepest) others")
            }
            read.formUnion(try entry.inputs())
            written.formUnion(try entry.outputs())
            guard types.contains(entry.type), let parameters = try entry.parameters() else {
                if depth > 0, !jumps.contains(entry.type) { _ = try entry.naming { try entry.definition() } }
                return
            }
            if entry.type == "loop" {
                let condition = try parameters.string(2)
                if !condition.isEmpty { read.insert(condition) }
            }
            for field in fields(entry) {
                for inner in try NeuralNetworkEntry.list(parameters.message(field)) {
                    try collect(inner, depth: depth + 1)
                }
            }
        }
    }

    /// Where the condition and the body of a loop are, or both alternatives of a branch.
    private static func fields(_ entry: NeuralNetworkEntry) -> [Int] { entry.type == "loop" ? [3, 4] : [1, 2] }

    // MARK: Running

    /// What follows a layer.
    private enum Flow { case next, nextIteration, leavesLoop }

    private static func run(
        _ entry: NeuralNetworkEntry, in scope: inout NeuralNetworkScope<ShapedGraph>, depth: Int
    ) throws -> Flow {
        guard depth <= LoopLimits.deepest else {
            throw ModelError.unsupported("conditions within \(LoopLimits.deepest) others")
        }
        switch entry.type {
        case "loopBreak": return .leavesLoop
        case "loopContinue": return .nextIteration
        case "branch":
            guard let parameters = try entry.parameters(), let condition = try entry.inputs().first else {
                throw ModelError.damaged("a branch without a condition")
            }
            let networks = try scope.networks(parameters, fields(entry))
            return try run(networks[try holds(condition, scope) ? 0 : 1], in: &scope, depth: depth + 1)
        case "loop":
            try loop(entry, in: &scope, depth: depth)
            return .next
        default:
            try scope.append(entry)
            return .next
        }
    }

    private static func run(
        _ entries: [NeuralNetworkEntry], in scope: inout NeuralNetworkScope<ShapedGraph>, depth: Int
    ) throws -> Flow {
        for entry in entries {
            let flow = try run(entry, in: &scope, depth: depth)
            if flow != .next { return flow }
        }
        return .next
    }

    private static func loop(
        _ entry: NeuralNetworkEntry, in scope: inout NeuralNetworkScope<ShapedGraph>, depth: Int
    ) throws {
        guard let parameters = try entry.parameters() else { throw ModelError.damaged("no parameters") }
        let networks = try scope.networks(parameters, fields(entry))
        let variable = try parameters.string(2)
        var limit: Int? = try parameters.int(1)
        if let input = try entry.inputs().first {
            let number = try constant(input, scope)
            limit = number.isFinite ? Int(min(max(number, 0), Double(LoopLimits.longest) + 1)) : 0
        } else if limit == 0, !variable.isEmpty {
            limit = nil
        }
        var iteration = 0
        while iteration < limit ?? Int.max {
            if !variable.isEmpty {
                _ = try run(networks[0], in: &scope, depth: depth + 1)
                guard try holds(variable, scope) else { return }
            }
            if iteration == LoopLimits.unrolled, !scope.sink.foldsEverything { throw ExpansionPostponed() }
            guard iteration < LoopLimits.longest else {
                throw ModelError.tooLarge("a loop of more than \(LoopLimits.longest) iterations")
            }
            if try run(networks[1], in: &scope, depth: depth + 1) == .leavesLoop { return }
            iteration += 1
        }
    }

    /// A value that has to be known before the layers after it can be chosen.
    private static func constant(_ name: String, _ scope: NeuralNetworkScope<ShapedGraph>) throws -> Double {
        guard let tensor = try scope.sink.known(scope.value(name))?.constant else { throw ExpansionPostponed() }
        guard let number = tensor.doubles?.first else { throw ModelError.invalid("“\(name)” has no elements") }
        return number
    }

    private static func holds(_ name: String, _ scope: NeuralNetworkScope<ShapedGraph>) throws -> Bool {
        try constant(name, scope).magnitude > 1e-6
    }
}
