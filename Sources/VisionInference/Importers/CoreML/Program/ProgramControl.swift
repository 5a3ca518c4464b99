/// An operation of an ML program that runs blocks of others, or not, by conditions: `cond` and `while_loop`.
struct ProgramControl: CompositeOperator {
    let type: String
    private let message: ProtobufMessage
    /// The values from outside that are read, the node's inputs in this order, and those that are stated.
    private let captured: [String]
    private let constants: [String: ProgramValue]
    private let files: ProgramFiles
    private let results: [String]

    var name: String { type }

    static let types: Set<String> = ["cond", "while_loop"]

    private static func isControl(_ message: ProtobufMessage) throws -> Bool {
        types.contains(try message.string(1))
    }

    /// Nil for an operation that is none of these.
    init?(_ message: ProtobufMessage, in scope: ProgramScope<Graph>) throws {
        guard try Self.isControl(message) else { return nil }
        self.message = message
        type = try message.string(1)
        results = try message.messages(3).map { try $0.string(1) }
        var names: Set<String> = []
        try Self.collect(message, into: &names, depth: 0)
        captured = names.filter { scope.values[$0] != nil }.sorted()
        constants = scope.constants
        files = scope.files
    }

    /// The names that an operation and the blocks within read.
    private static func collect(_ message: ProtobufMessage, into names: inout Set<String>, depth: Int) throws {
        guard depth <= LoopLimits.deepest else {
            throw ModelError.unsupported("blocks within \(LoopLimits.deepest) others")
        }
        for (_, argument) in try message.map(2) {
            for binding in try argument.messages(1) { names.insert(try binding.string(1)) }
        }
        for block in try message.messages(4) {
            names.formUnion(try block.strings(2))
            for inner in try block.messages(3) {
                try collect(inner, into: &names, depth: depth + 1)
                try checkKnown(inner)
            }
        }
    }

    /// Refuses, when the file is opened, what a block could not run.
    private static func checkKnown(_ message: ProtobufMessage) throws {
        let type = try message.string(1)
        guard ProgramDefinition.all[type] == nil, type != "const", !type.hasPrefix("constexpr_"),
            try !isControl(message)
        else { return }
        throw ProgramDefinition.refusal(of: type, node: try message.messages(3).first?.string(1) ?? "")
    }

    func append(to scope: inout ProgramScope<Graph>) throws {
        let inputs = captured.map { scope.values[$0] }
        let outputs = try scope.sink.append(self, inputs, name: results.first ?? "", outputs: results)
        for (name, value) in zip(results, outputs) { scope.values[name] = value }
    }

    func expand(_ node: Graph.Node, into graph: inout ShapedGraph) throws -> [Graph.ValueID] {
        // The graph is lent, not copied.
        var lent = ShapedGraph(evaluator: graph.evaluator)
        swap(&lent, &graph)
        var scope = ProgramScope(lent, files: files)
        lent = ShapedGraph(evaluator: lent.evaluator)
        defer { swap(&graph, &scope.sink) }
        scope.constants = constants
        for (name, value) in zip(captured, node.inputs) { scope.values[name] = value }
        return try Self.run(message, in: &scope, depth: 0)
    }

    // MARK: Running

    private typealias Scope = ProgramScope<ShapedGraph>

    /// Appends what an operation's blocks do, and returns the values of its outputs.
    private static func run(_ message: ProtobufMessage, in scope: inout Scope, depth: Int) throws -> [Graph.ValueID] {
        guard depth <= LoopLimits.deepest else {
            throw ModelError.unsupported("blocks within \(LoopLimits.deepest) others")
        }
        let arguments = Dictionary(try scope.arguments(message)) { first, _ in first }
        let blocks = try scope.parts(message, 4)
        guard blocks.count == 2 else { throw ModelError.damaged("\(blocks.count) blocks") }
        if try message.string(1) == "cond" {
            guard let condition = try arguments["pred"]?.first.map({ try value($0, &scope) }) else {
                throw ModelError.damaged("no condition")
            }
            return try run(blocks[try holds(condition, scope) ? 0 : 1], [], in: &scope, depth: depth + 1)
        }
        var variables = try (arguments["loop_vars"] ?? []).map { try value($0, &scope) }
        var iteration = 0
        while true {
            guard let holding = try run(blocks[0], variables, in: &scope, depth: depth + 1).first else {
                throw ModelError.damaged("a loop without a condition")
            }
            guard try holds(holding, scope) else { return variables }
            if iteration == LoopLimits.unrolled, !scope.sink.foldsEverything { throw ExpansionPostponed() }
            guard iteration < LoopLimits.longest else {
                throw ModelError.tooLarge("a loop of more than \(LoopLimits.longest) iterations")
            }
            let next = try run(blocks[1], variables, in: &scope, depth: depth + 1)
            guard next.count == variables.count else {
                throw ModelError.damaged("\(next.count) values for \(variables.count) variables of a loop")
            }
            variables = next
            iteration += 1
        }
    }

    private static func run(
        _ block: ProtobufMessage, _ arguments: [Graph.ValueID], in scope: inout Scope, depth: Int
    ) throws -> [Graph.ValueID] {
        let names = try block.messages(1).map { try $0.string(1) }
        guard names.count == arguments.count else {
            throw ModelError.damaged("\(arguments.count) values for a block of \(names.count)")
        }
        for (name, value) in zip(names, arguments) {
            scope.constants[name] = nil
            scope.values[name] = value
        }
        for operation in try scope.parts(block, 3) {
            guard try isControl(operation) else {
                try scope.append(operation)
                continue
            }
            let outputs = try operation.messages(3).map { try $0.string(1) }
            for (name, value) in zip(outputs, try run(operation, in: &scope, depth: depth)) {
                scope.values[name] = value
            }
        }
        return try block.strings(2).map { name in
            guard let value = try scope.value(name) else {
                throw ModelError.invalid("nothing in a block makes its output “\(name)”")
            }
            return value
        }
    }

    private static func value(_ binding: Scope.Binding, _ scope: inout Scope) throws -> Graph.ValueID {
        switch binding {
        case .value(let name):
            if let value = try scope.value(name) { return value }
        case .constant(let constant):
            if let tensor = constant.tensor { return scope.sink.addConstant(tensor, name: "") }
        }
        throw ModelError.damaged("an argument that is no tensor")
    }

    /// A condition has to be known before the operations after it can be chosen.
    private static func holds(_ value: Graph.ValueID, _ scope: Scope) throws -> Bool {
        guard let tensor = try scope.sink.known(value)?.constant else { throw ExpansionPostponed() }
        guard let number = tensor.doubles?.first else { throw ModelError.invalid("an empty condition") }
        return number != 0
    }
}
