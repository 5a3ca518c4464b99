/// Writes a graph as an ML program.
final class MILExporter {
    let program: MILProgram
    private let graph: ShapedGraph
    private var references: [Graph.ValueID: MILReference] = [:]

    /// - Parameter graph: with constants folded and composites replaced, nothing of it fused.
    init(_ graph: ShapedGraph, program: MILProgram) {
        self.graph = graph
        self.program = program
    }

    /// Says which value of the program a value of the graph is.
    func define(_ value: Graph.ValueID, as reference: MILReference) { references[value] = reference }

    /// Writes all nodes, in their order.
    ///
    /// - Throws: `ModelError`, which names the operator and the node, for what programs cannot state.
    func writeNodes() throws {
        let uses = graph.graph.useCounts()
        for node in graph.graph.nodes {
            try ModelError.adding(node.context) { try write(node, uses) }
        }
    }

    private func write(_ node: Graph.Node, _ uses: [Int]) throws {
        let inputs = graph.descriptions(node.inputs)
        let outputs = graph.descriptions(node.outputs.map { $0 })
        guard zip(node.inputs, inputs).allSatisfy({ $0 == nil || $1 != nil }), !outputs.contains(where: { $0 == nil })
        else { throw ModelError.unsupported("a shape depends on what the network computes") }
        guard let operation = node.operation as? any MILOperator else {
            throw ModelError.unsupported("it cannot be written as operations of an ML program")
        }
        guard !outputs.contains(where: { $0?.shape.contains(0) ?? false }) else {
            throw ModelError.unsupported("its result is empty, and ML programs have no empty tensors")
        }
        let result = MILNode(
            node, inputs: inputs, outputs: outputs.compactMap { $0 }, isRead: node.outputs.map { uses[$0] > 0 },
            program: program, evaluator: graph.evaluator
        ) { try self.reference(of: $0) }
        try operation.write(result)
        for (value, reference) in zip(node.outputs, result.results) { references[value] = reference }
    }

    /// The value of the program that a value of the graph is; constants are written when they are asked for.
    func reference(of value: Graph.ValueID) throws -> MILReference {
        if let reference = references[value] { return reference }
        guard let constant = graph[value]?.constant else {
            throw ModelError.invalid("nothing makes “\(graph.graph.values[value].name)”")
        }
        let reference = try program.constant(constant, name: graph.graph.values[value].name)
        references[value] = reference
        return reference
    }
}
