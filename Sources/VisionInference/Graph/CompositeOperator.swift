/// An operator that is described by others: it is replaced by them as soon as the shapes of its inputs are known, so
/// that its description can use concrete sizes and the constants that follow from them.
package protocol CompositeOperator: Operator {
    /// Appends the nodes that do the work and returns the values that hold the outputs, in their order.
    ///
    /// Throws `ExpansionPostponed` when it needs to know more: the node is then kept, and expanded during the run.
    func expand(_ node: Graph.Node, into graph: inout ShapedGraph) throws -> [Graph.ValueID]
}

/// The description of an operator needs a value that depends on the network's inputs.
package struct ExpansionPostponed: Error {}

extension CompositeOperator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference { .dependsOnData }

    /// Expands the operator with its inputs as constants, which leaves nothing of it but the constants that it makes.
    package func evaluate(_ inputs: [Tensor?], by evaluator: any ConstantEvaluator) throws -> [Tensor] {
        var graph = Graph()
        let values = inputs.map { tensor in tensor.map { graph.addValue("", constant: $0) } }
        var shaped = try ShapedGraph(graph, inputs: [], evaluator: evaluator, foldsEverything: true)
        let node = Graph.Node(name: name, operation: self, inputs: values, outputs: [])
        let results = try expand(node, into: &shaped)
        return try results.map { value in
            guard let tensor = shaped[value]?.constant else {
                throw ModelError.invalid("it cannot be evaluated")
            }
            return tensor
        }
    }
}
