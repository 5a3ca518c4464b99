/// What a builder appends to: a graph as a file states it, whose sizes may be open, or one whose shapes are known.
protocol GraphSink {
    mutating func addConstant(_ tensor: Tensor, name: String) -> Graph.ValueID

    /// Appends a node that makes new values, one for each name.
    mutating func append(
        _ operation: any Operator, _ inputs: [Graph.ValueID?], name: String, outputs: [String]
    ) throws -> [Graph.ValueID]

    /// What is known of a value; nil where importing goes on without.
    ///
    /// - Throws: `ExpansionPostponed` where it waits for the run instead.
    func known(_ value: Graph.ValueID) throws -> TensorDescription?
}

extension Graph: GraphSink {
    mutating func addConstant(_ tensor: Tensor, name: String) -> ValueID { addValue(name, constant: tensor) }

    mutating func append(
        _ operation: any Operator, _ inputs: [ValueID?], name: String, outputs: [String]
    ) throws -> [ValueID] {
        try checkRoom()
        let results = outputs.map { addValue($0) }
        nodes.append(Node(name: name, operation: operation, inputs: inputs, outputs: results))
        return results
    }

    func known(_ value: ValueID) throws -> TensorDescription? {
        values[value].constant.map { TensorDescription($0) }
    }

    /// Loops, functions and long files must not fill the memory.
    func checkRoom() throws {
        guard nodes.count < ModelLimits.nodes else { throw ModelError.tooLarge("more than \(ModelLimits.nodes) nodes") }
        guard values.count < ModelLimits.values else {
            throw ModelError.tooLarge("more than \(ModelLimits.values) values")
        }
    }
}

extension ShapedGraph: GraphSink {
    mutating func append(
        _ operation: any Operator, _ inputs: [Graph.ValueID?], name: String, outputs: [String]
    ) throws -> [Graph.ValueID] {
        try graph.checkRoom()
        guard !outputs.isEmpty else { return [] }
        let first = try append(operation, inputs, name: name, outputs: outputs.count)
        return Array(first..<first + outputs.count)
    }

    func known(_ value: Graph.ValueID) throws -> TensorDescription? {
        guard let description = self[value] else { throw ExpansionPostponed() }
        return description
    }
}
