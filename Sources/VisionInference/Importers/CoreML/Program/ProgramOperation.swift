/// An operation of an ML program, to be replaced by the operators that do its work.
struct ProgramOperation: CompositeOperator {
    enum Operand: Sendable {
        /// The position among the node's inputs.
        case input(Int)
        case text(String)
    }

    let type: String
    let definition: ProgramDefinition
    let parameters: [String: [Operand]]
    let outputType: ElementType?
    let outputCount: Int

    var name: String { type }

    func expand(_ node: Graph.Node, into graph: inout ShapedGraph) throws -> [Graph.ValueID] {
        let lowering = ProgramLowering(
            self, name: node.name, inputs: node.inputs, graph: ShapedGraph(evaluator: graph.evaluator))
        // The graph is lent, not copied.
        swap(&graph, &lowering.graph)
        defer { swap(&graph, &lowering.graph) }
        return try definition.lower(lowering)
    }
}

/// How one operation is expressed by the engine's operators.
struct ProgramDefinition: Sendable {
    /// What is left out.
    var notes: String
    var lower: @Sendable (ProgramLowering) throws -> [Graph.ValueID]

    init(notes: String = "", lower: @escaping @Sendable (ProgramLowering) throws -> [Graph.ValueID]) {
        self.notes = notes
        self.lower = lower
    }

    /// An operation with one output.
    init(notes: String = "", _ lower: @escaping @Sendable (ProgramLowering) throws -> Graph.ValueID) {
        self.init(notes: notes, lower: { operation in [try lower(operation)] })
    }

    /// The operations that run; the others are refused by name.
    static let all: [String: ProgramDefinition] = [
        elementwise, windows, sampling, linear, quantisation, shapes, indexing, selection, lists, recurrent,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    /// The names of everything that runs but constants.
    static var supported: Set<String> {
        Set(all.keys).union(ProgramControl.types).union(ProgramScope<Graph>.stateTypes)
    }

    static func refusal(of type: String, node: String) -> ModelError {
        .unsupported("Convert the network to ONNX, or without this operation", operation: type, node: node)
    }
}

/// One operation being expressed by operators of the engine.
final class ProgramLowering: CoreMLBuilder {
    let operation: ProgramOperation
    let inputs: [Value?]

    init(_ operation: ProgramOperation, name: String, inputs: [Value?], graph: ShapedGraph) {
        self.operation = operation
        self.inputs = inputs
        super.init(graph, name: name)
    }

    // MARK: Values

    func optional(_ name: String) -> Value? {
        guard case .input(let index)? = operation.parameters[name]?.first, inputs.indices.contains(index) else {
            return nil
        }
        return inputs[index]
    }

    func value(_ name: String = "x") throws -> Value {
        guard let value = optional(name) else { throw ModelError.invalid("“\(name)” is missing") }
        return value
    }

    func values(_ name: String = "values") throws -> [Value] {
        try (operation.parameters[name] ?? []).map { operand in
            guard case .input(let index) = operand, inputs.indices.contains(index), let value = inputs[index] else {
                throw ModelError.invalid("“\(name)” has a text among its tensors")
            }
            return value
        }
    }

    // MARK: Parameters, which have to be known before the run

    private func constant(_ name: String) throws -> Tensor? {
        guard let value = optional(name) else { return nil }
        guard let tensor = try describe(value).constant else { throw ExpansionPostponed() }
        return tensor
    }

    func numbers(_ name: String) throws -> [Double]? { try constant(name)?.doubles }
    func ints(_ name: String) throws -> [Int]? { try optional(name).map { try wholeNumbers($0) } }

    func bools(_ name: String) throws -> [Bool]? { try numbers(name)?.map { $0 != 0 } }
    func int(_ name: String) throws -> Int? { try ints(name)?.first }
    func int(_ name: String, _ fallback: Int) throws -> Int { try int(name) ?? fallback }
    func bool(_ name: String, _ fallback: Bool = false) throws -> Bool { try bools(name)?.first ?? fallback }
    func float(_ name: String, _ fallback: Float) throws -> Float {
        try numbers(name)?.first.map { Float($0) } ?? fallback
    }

    func text(_ name: String, _ fallback: String) -> String {
        if case .text(let text)? = operation.parameters[name]?.first { text } else { fallback }
    }

    /// The axes of a value that a parameter names.
    func axes(_ name: String, of value: Value) throws -> [Int]? {
        let shape = try shape(value)
        return try ints(name)?.map { try shape.resolvedAxis($0) }
    }
}
