/// A product and a sum by channel with an activation after them, which no convolution before them takes in, become a
/// depthwise convolution of single pixels: one pass over the memory instead of three. Networks that normalise before
/// they convolve (DenseNet) are full of them.
enum ChannelScaling {
    static func run(_ graph: inout ShapedGraph) throws {
        let producers = graph.graph.producers()
        let uses = graph.graph.useCounts()
        let nodes = graph.graph.nodes
        let before = graph
        /// The operands of the operation that makes a value which nobody else reads: a tensor, and a number a channel.
        func operands(_ value: Graph.ValueID?, _ kind: BinaryOperation.Kind) -> (Graph.ValueID, [Float])? {
            guard let value, uses[value] == 1, let node = producers[value].map({ nodes[$0] }),
                (node.operation as? BinaryOperation)?.kind == kind, let shape = before[value]?.shape
            else { return nil }
            for position in 0...1 {
                guard let other = node.inputs[1 - position], let tensor = node.inputs[position],
                    let constant = before[other]?.constant, constant.shape.last == shape.last,
                    constant.elementCount == shape.last, before[tensor]?.shape == shape,
                    let values = constant.floats
                else { continue }
                return (tensor, values)
            }
            return nil
        }
        let geometry = WindowGeometry(kernelHeight: 1, kernelWidth: 1)
        try graph.rewrite { graph, node in
            guard let activation = node.operation.activation(graph.descriptions(node.inputs)),
                node.outputs.count == 1, let (product, terms) = operands(node.inputs[0], .add),
                let (input, factors) = operands(product, .mul), let description = graph[input],
                description.type == .float32, description.shape.count == 4, factors.count > 1,
                // Rows are what threads share, and not every tensor with four axes is an image.
                description.shape[1] > 1,
                (try? geometry.resolved(height: description.shape[1], width: description.shape[2])) != nil
            else { return try graph.append(node) }
            var convolution = Convolution(geometry: geometry, groups: factors.count, order: .oihw)
            convolution.activation = activation
            let weights = graph.addConstant(
                try Tensor(factors, shape: [factors.count, 1, 1, 1]), name: "\(node.name):weights")
            let bias = graph.addConstant(try Tensor(terms), name: "\(node.name):bias")
            try graph.append(
                Graph.Node(
                    name: node.name, operation: convolution, inputs: [input, weights, bias], outputs: node.outputs))
        }
        try DeadCode.run(&graph)
    }
}
