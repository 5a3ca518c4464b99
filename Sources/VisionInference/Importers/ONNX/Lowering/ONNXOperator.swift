/// A node of an ONNX file, to be replaced by the operators that do its work.
struct ONNXOperator: CompositeOperator {
    let node: ONNXNode
    let definition: ONNXDefinition
    /// The version of the operator set of the node's domain, and those of all.
    let opset: Int
    let opsets: [String: Int]
    /// Names of the values from outside that graphs inside of the node read: inputs after the node's own.
    let captured: [String]
    let context: ONNXModelContext

    var name: String { node.operatorType }

    func expand(_ node: Graph.Node, into graph: inout ShapedGraph) throws -> [Graph.ValueID] {
        let lowering = ONNXLowering(
            self, name: node.name, inputs: node.inputs, graph: ShapedGraph(evaluator: graph.evaluator))
        // The graph is lent, not copied.
        swap(&graph, &lowering.graph)
        defer { swap(&graph, &lowering.graph) }
        return try definition.lower(lowering)
    }
}

/// How one operator of ONNX is expressed by the engine's.
struct ONNXDefinition: Sendable {
    /// The element types that are claimed, for the documentation.
    enum Types: String, Sendable {
        case any = "all"
        case numbers = "numbers"
        case floats = "floats"
        case float32 = "float32"
        case integers = "integers"
        case truth = "bool"
        case quantised = "int8, uint8"
    }

    /// The oldest operator set from which on the node means what is done here.
    var since: Int
    var types: Types
    /// What is left out.
    var notes: String
    var lower: @Sendable (ONNXLowering) throws -> [Graph.ValueID]

    init(
        _ types: Types, since: Int = 1, notes: String = "",
        lower: @escaping @Sendable (ONNXLowering) throws -> [Graph.ValueID]
    ) {
        self.since = since
        self.types = types
        self.notes = notes
        self.lower = lower
    }

    /// One operator of the engine in place of the node. Its inputs are the node's first ones: `inputs` that must be
    /// there, and then `optional` that need not.
    static func direct(
        _ types: Types, since: Int = 1, inputs required: Int = 1, optional: Int = 0,
        _ operation: @escaping @Sendable (ONNXLowering) throws -> any Operator
    ) -> ONNXDefinition {
        ONNXDefinition(types, since: since) { node in
            let inputs = try (0..<required).map { try node.input($0) }
            let others = (required..<required + optional).map { node.optional($0) }
            return [try node.add(operation(node), inputs + others)]
        }
    }

    static func find(_ name: String, domain: String) -> ONNXDefinition? {
        domain.isEmpty ? all[name] : nil
    }

    /// The default domain's operators.
    static let all: [String: ONNXDefinition] = [
        elementwise, shapes, windows, linear, reductions, normalisation, quantisation, indexing, control, sampling,
        losses, resizing, recurrent, attention, signals,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }
}
