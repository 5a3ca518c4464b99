/// Lets changes of shape wait until what follows a convolution has been computed, so that both can be joined: products
/// of matrices are convolutions of pixels, whose result has the shape of the product only after such a change.
enum ViewSinking {
    static func run(_ graph: inout ShapedGraph) throws {
        let uses = graph.graph.useCounts()
        // What a convolution makes, and what was computed of that before its shape changes.
        var results = Set<Graph.ValueID>()
        // Changed shapes of these that have one reader, and what they were made of.
        var sources: [Graph.ValueID: Graph.ValueID] = [:]
        try graph.rewrite { graph, node in
            if let (inputs, shape) = try moved(&graph, node, sources) {
                let value = try graph.append(node.operation, inputs, name: node.name)
                let sizes = graph.addConstant(try Tensor(shape.map { Int64($0) }), name: "\(node.name):shape")
                try graph.append(
                    Graph.Node(
                        name: "\(node.name):result", operation: Reshape(allowZero: true), inputs: [value, sizes],
                        outputs: node.outputs))
                if uses[node.outputs[0]] == 1 { sources[node.outputs[0]] = value }
                return
            }
            try graph.append(node)
            guard node.outputs.count == 1 else { return }
            if node.operation is Convolution {
                results.insert(node.outputs[0])
            } else if node.operation.isView, let input = node.inputs[0], uses[input] == 1,
                let source = results.contains(input) ? input : sources[input], uses[node.outputs[0]] == 1,
                let channels = graph[source]?.shape.last, graph[node.outputs[0]]?.shape.last == channels
            {
                sources[node.outputs[0]] = source
            }
        }
        try DeadCode.run(&graph)
    }

    /// The inputs that a node has before the change of shape of one of them, and the changed shape; nil where it needs
    /// that, or could not be joined with a convolution.
    private static func moved(
        _ graph: inout ShapedGraph, _ node: Graph.Node, _ sources: [Graph.ValueID: Graph.ValueID]
    ) throws -> (inputs: [Graph.ValueID?], shape: Shape)? {
        for (position, input) in node.inputs.enumerated() {
            guard let input, let source = sources[input], let changed = graph[input]?.shape,
                let shape = graph[source]?.shape, let channels = shape.last, node.outputs.count == 1
            else { continue }
            var inputs = node.inputs
            inputs[position] = source
            if let binary = node.operation as? BinaryOperation {
                guard let other = node.inputs[1 - position], let description = graph[other],
                    description.type == .float32
                else { continue }
                if let constant = description.constant {
                    let count = constant.elementCount
                    let isByChannel = count == 1 || (count == channels && constant.shape.last == channels)
                    let isFoldable =
                        binary.kind == .add || binary.kind == .mul
                        || (position == 0 && (binary.kind == .sub || binary.kind == .div))
                    guard isByChannel, isFoldable, constant.shape.count <= changed.count else { continue }
                    inputs[1 - position] = graph.addConstant(
                        try constant.reshaped([count]), name: "\(node.name):values")
                } else {
                    guard binary.kind == .add, description.shape == changed, other != input else { continue }
                    inputs[1 - position] = try Lowering.reshape(&graph, other, shape, node.name)
                }
                return (inputs, changed)
            }
            if position == 0, node.operation.activation(graph.descriptions(node.inputs)) != nil {
                return (inputs, changed)
            }
        }
        return nil
    }
}
