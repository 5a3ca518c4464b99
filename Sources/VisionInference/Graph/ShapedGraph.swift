/// A graph whose input shapes are known, with what follows from them for every value.
package struct ShapedGraph: Sendable {
    package var graph: Graph
    /// nil for a value whose shape depends on data.
    package private(set) var known: [TensorDescription?]
    /// What computes constants.
    package let evaluator: any ConstantEvaluator
    /// Constants may grow without a limit but those of all tensors: for graphs that are nothing but constants.
    let foldsEverything: Bool
    /// Bytes and operations that folding may still take: many small nodes must not add up to what one large one may not
    /// be.
    private var foldableBytes = ModelLimits.foldedBytesOfAll
    private var foldableOperations = ModelLimits.foldedOperations

    package init(evaluator: any ConstantEvaluator) {
        graph = Graph()
        known = []
        self.evaluator = evaluator
        foldsEverything = false
    }

    /// Infers every shape, and folds what is constant.
    package init(
        _ graph: Graph, inputs: [TensorDescription], evaluator: any ConstantEvaluator, foldsEverything: Bool = false
    ) throws {
        self.graph = graph
        self.evaluator = evaluator
        self.foldsEverything = foldsEverything
        known = graph.values.map { value in value.constant.map { TensorDescription($0) } }
        let constants = graph.values.reduce(0) { $0 &+ ($1.constant?.byteCount ?? 0) }
        foldableBytes = max(foldableBytes, constants.multipliedReportingOverflow(by: 4).partialValue)
        for (port, description) in zip(graph.inputs, inputs) { known[port.value] = description }
        self.graph.nodes = []
        for node in graph.nodes { try append(node) }
    }

    package subscript(value: Graph.ValueID) -> TensorDescription? { known[value] }

    package func descriptions(_ values: [Graph.ValueID?]) -> [TensorDescription?] {
        values.map { value in value.flatMap { known[$0] } }
    }

    package mutating func addConstant(_ tensor: Tensor, name: String) -> Graph.ValueID {
        known.append(TensorDescription(tensor))
        return graph.addValue(name, constant: tensor)
    }

    /// Replaces every constant by an equal one.
    package mutating func replaceConstants(_ equal: (Tensor) -> Tensor) {
        for value in graph.values.indices {
            guard let constant = known[value]?.constant.map(equal) else { continue }
            known[value]?.constant = constant
            graph.values[value].constant = constant
        }
    }

    /// A value that a node which is appended next will make.
    package mutating func addPlainValue(_ name: String) -> Graph.ValueID {
        known.append(nil)
        return graph.addValue(name)
    }

    /// Appends a node that makes new values, and returns the first of them.
    package mutating func append(
        _ operation: any Operator, _ inputs: [Graph.ValueID?], name: String, outputs: Int = 1
    ) throws -> Graph.ValueID {
        let values = (0..<outputs).map { graph.addValue($0 == 0 ? name : "\(name):\($0)") }
        known.append(contentsOf: repeatElement(nil, count: outputs))
        try append(Graph.Node(name: name, operation: operation, inputs: inputs, outputs: values))
        return values[0]
    }

    /// Appends a node whose inputs exist, infers its outputs, and folds it when they are constant.
    package mutating func append(_ node: Graph.Node) throws {
        try ModelError.adding(node.context) { try appendUnnamed(node) }
    }

    private mutating func appendUnnamed(_ node: Graph.Node) throws {
        let inputs = descriptions(node.inputs)
        // An input whose shape is not known leaves the outputs unknown as well.
        guard zip(node.inputs, inputs).allSatisfy({ $0 == nil || $1 != nil }) else {
            graph.nodes.append(node)
            return
        }
        if let composite = node.operation as? any CompositeOperator { return try expand(composite, node) }
        guard case .known(var outputs) = try node.operation.infer(inputs) else {
            return try appendDependingOnData(node, inputs)
        }
        guard outputs.count >= node.outputs.count else {
            throw ModelError.invalid("\(node.operation.name) has \(outputs.count) outputs, not \(node.outputs.count)")
        }
        outputs.removeLast(outputs.count - node.outputs.count)
        for output in outputs { _ = try output.shape.checkedElementCount(output.type) }
        if !outputs.allSatisfy({ $0.constant != nil }), let folded = try fold(node, inputs, outputs) {
            outputs = folded.map { TensorDescription($0) }
        }
        for (value, output) in zip(node.outputs, outputs) {
            known[value] = output
            graph.values[value].constant = output.constant
        }
        if !outputs.allSatisfy({ $0.constant != nil }) { graph.nodes.append(node) }
    }

    /// What depends on data that is constant can be computed at once.
    private mutating func appendDependingOnData(_ node: Graph.Node, _ inputs: [TensorDescription?]) throws {
        let constants = inputs.map { $0?.constant }
        guard zip(inputs, constants).allSatisfy({ $0 == nil || $1 != nil }) else {
            graph.nodes.append(node)
            return
        }
        let results = try evaluator.evaluate(node.operation, constants)
        guard results.count >= node.outputs.count else {
            throw ModelError.invalid("\(node.operation.name) has \(results.count) outputs, not \(node.outputs.count)")
        }
        for (value, result) in zip(node.outputs, results) {
            known[value] = TensorDescription(result)
            graph.values[value].constant = result
        }
    }

    /// Replaces a node by those that it stands for, whose results get the numbers of the node's outputs.
    private mutating func expand(_ operation: any CompositeOperator, _ node: Graph.Node) throws {
        let first = graph.nodes.count
        let results: [Graph.ValueID]
        do {
            results = try operation.expand(node, into: &self)
        } catch is ExpansionPostponed {
            graph.nodes.removeLast(graph.nodes.count - first)
            graph.nodes.append(node)
            return
        }
        guard results.count >= node.outputs.count else {
            throw ModelError.invalid("\(operation.name) has \(results.count) outputs, not \(node.outputs.count)")
        }
        let made = Set(graph.nodes[first...].flatMap(\.outputs))
        var renamed: [Graph.ValueID: Graph.ValueID] = [:]
        var copied: [(from: Graph.ValueID, to: Graph.ValueID)] = []
        for (output, result) in zip(node.outputs, results) {
            if let constant = known[result]?.constant {
                known[output] = TensorDescription(constant)
                graph.values[output].constant = constant
            } else if made.contains(result), renamed[result] == nil {
                renamed[result] = output
                known[output] = known[result]
            } else {
                copied.append((result, output))
            }
        }
        for index in first..<graph.nodes.count {
            graph.nodes[index].inputs = graph.nodes[index].inputs.map { $0.map { renamed[$0] ?? $0 } }
            graph.nodes[index].outputs = graph.nodes[index].outputs.map { renamed[$0] ?? $0 }
        }
        for (result, output) in copied {
            let source = renamed[result] ?? result
            try append(Graph.Node(name: node.name, operation: Identity(), inputs: [source], outputs: [output]))
        }
    }

    private mutating func fold(
        _ node: Graph.Node, _ inputs: [TensorDescription?], _ outputs: [TensorDescription]
    ) throws -> [Tensor]? {
        guard node.operation.foldsConstants || foldsEverything else { return nil }
        var inputBytes = 0
        for input in inputs {
            guard let input else { continue }
            guard let constant = input.constant else { return nil }
            inputBytes += constant.byteCount
        }
        // A small constant must not become a huge one in the file's name: ConstantOfShape, Expand, Tile…
        let outputBytes = outputs.reduce(0) { $0 + $1.shape.elementCount * $1.type.size }
        guard foldsEverything || outputBytes <= max(ModelLimits.foldedBytes, 2 * inputBytes) else { return nil }
        // What is left then happens when the network runs.
        let operations = node.operation.operations(inputs, outputs)
        guard outputBytes <= foldableBytes, (0...foldableOperations).contains(operations) else { return nil }
        foldableBytes -= outputBytes
        foldableOperations -= operations
        return try evaluator.evaluate(node.operation, inputs.map { $0?.constant }, outputs: outputs)
    }

    /// The same graph with the nodes that `body` appends instead of its own, value numbers unchanged.
    package mutating func rewrite(_ body: (inout ShapedGraph, Graph.Node) throws -> Void) throws {
        let nodes = graph.nodes
        graph.nodes = []
        graph.nodes.reserveCapacity(nodes.count)
        for node in nodes { try body(&self, node) }
    }

    /// Makes every later reader of `value`, and the network's outputs, read `other`.
    package func replacing(_ substitutions: [Graph.ValueID: Graph.ValueID], in node: Graph.Node) -> Graph.Node {
        guard node.inputs.contains(where: { $0.map { substitutions[$0] != nil } ?? false }) else { return node }
        var node = node
        node.inputs = node.inputs.map { input in input.map { substitutions[$0] ?? $0 } }
        return node
    }
}
