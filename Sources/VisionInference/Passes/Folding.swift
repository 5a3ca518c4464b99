/// Joins what follows a convolution with it, where one convolution can do it all: products and sums by channel become
/// part of the weights, a sum with another tensor and an activation its ending.
package enum Folding {
    package static func run(_ graph: inout ShapedGraph) throws {
        // Each round joins one follower with every convolution that has one.
        var changed = true
        while changed { changed = try joinFollowers(&graph) }
        try narrowResiduals(&graph)
        try DeadCode.run(&graph)
    }

    private static func joinFollowers(_ graph: inout ShapedGraph) throws -> Bool {
        let producers = graph.graph.producers()
        let uses = graph.graph.useCounts()
        let nodes = graph.graph.nodes
        // A convolution that was joined with its follower stands where the follower stood.
        var replaced = [Graph.Node?](repeating: nil, count: nodes.count)
        var joined = Set<Int>()
        for (index, node) in nodes.enumerated() {
            for (position, input) in node.inputs.enumerated() {
                guard let input, uses[input] == 1, let maker = producers[input], !joined.contains(maker),
                    replaced[maker] == nil, let convolution = nodes[maker].operation as? Convolution,
                    nodes[maker].outputs == [input], node.outputs.count == 1,
                    let new = try join(&graph, convolution, nodes[maker], node, at: position)
                else { continue }
                replaced[index] = new
                joined.insert(maker)
                break
            }
        }
        guard !joined.isEmpty else { return false }
        graph.graph.nodes = []
        for index in nodes.indices where !joined.contains(index) { try graph.append(replaced[index] ?? nodes[index]) }
        return true
    }

    /// A residual that is widened by channels of zeros is added as it was before.
    private static func narrowResiduals(_ graph: inout ShapedGraph) throws {
        let producers = graph.graph.producers()
        let nodes = graph.graph.nodes
        try graph.rewrite { graph, node in
            var node = node
            if let convolution = node.operation as? Convolution, convolution.residual != .none, convolution.groups == 1,
                let index = node.inputs[Convolution.Input.residual].flatMap({ producers[$0] }),
                let pad = nodes[index].operation as? Pad,
                let around = pad.zeros(graph.descriptions(nodes[index].inputs)),
                around.count == 8, around.dropLast().allSatisfy({ $0 == 0 }), around[7] >= 0,
                let narrow = nodes[index].inputs[0], graph[narrow]?.shape.last ?? 0 > 0
            {
                node.inputs[Convolution.Input.residual] = narrow
            }
            try graph.append(node)
        }
    }

    /// One node for a convolution and its only reader, or nil.
    private static func join(
        _ graph: inout ShapedGraph, _ convolution: Convolution, _ node: Graph.Node, _ follower: Graph.Node,
        at position: Int
    ) throws -> Graph.Node? {
        var convolution = convolution
        var inputs = node.inputs + [Graph.ValueID?](repeating: nil, count: max(5 - node.inputs.count, 0))
        guard let shape = graph[node.outputs[0]]?.shape else { return nil }
        let isPlain = convolution.activation.isIdentity && inputs[Convolution.Input.slopes] == nil
        if let binary = follower.operation as? BinaryOperation {
            guard let other = follower.inputs[1 - position], let description = graph[other] else { return nil }
            if isPlain, convolution.residual == .none, let constant = description.constant, constant.type == .float32,
                graph[follower.outputs[0]]?.shape == shape, let values = byChannel(constant, shape)
            {
                guard let folded = try fold(&graph, convolution, inputs, binary.kind, values, position, node.name)
                else {
                    return nil
                }
                inputs[Convolution.Input.weights] = folded.weights
                inputs[Convolution.Input.bias] = folded.bias
            } else if binary.kind == .add, convolution.residual == .none, description.shape == shape,
                description.constant == nil,
                isPlain || convolution.depthwiseWeights(graph.descriptions(inputs)) != true
            {
                convolution.residual = isPlain ? .beforeActivation : .afterActivation
                inputs[Convolution.Input.residual] = other
            } else {
                return nil
            }
        } else if position == 0, isPlain, follower.operation is PRelu, follower.inputs.count == 2,
            let slopes = follower.inputs[1], let constant = graph[slopes]?.constant, constant.elementCount > 1,
            let values = byChannel(constant, shape)
        {
            inputs[Convolution.Input.slopes] = graph.addConstant(try Tensor(values), name: "\(follower.name):slopes")
        } else if position == 0, isPlain,
            let activation = follower.operation.activation(graph.descriptions(follower.inputs))
        {
            convolution.activation = activation
        } else {
            return nil
        }
        while inputs.last == .some(nil) { inputs.removeLast() }
        return Graph.Node(name: node.name, operation: convolution, inputs: inputs, outputs: follower.outputs)
    }

    /// One value a channel (the last axis) of a tensor that is broadcast to `shape`; nil when it varies otherwise.
    private static func byChannel(_ constant: Tensor, _ shape: Shape) -> [Float]? {
        guard let channels = shape.last, let values = constant.floats else { return nil }
        if values.count == 1 { return [Float](repeating: values[0], count: channels) }
        return values.count == channels && constant.shape.last == channels ? values : nil
    }

    private static func fold(
        _ graph: inout ShapedGraph, _ convolution: Convolution, _ inputs: [Graph.ValueID?],
        _ kind: BinaryOperation.Kind,
        _ values: [Float], _ position: Int, _ name: String
    ) throws -> (weights: Graph.ValueID, bias: Graph.ValueID)? {
        guard let weightValue = inputs[Convolution.Input.weights], let weights = graph[weightValue]?.constant,
            var weightValues = weights.floats
        else { return nil }
        let shape = try convolution.weightShape(weights.shape)
        var bias = [Float](repeating: 0, count: shape.outputs)
        if let value = inputs[Convolution.Input.bias] {
            guard let constant = graph[value]?.constant?.floats else { return nil }
            bias = constant
        }
        switch kind {
        case .add: for channel in bias.indices { bias[channel] += values[channel] }
        case .sub where position == 0: for channel in bias.indices { bias[channel] -= values[channel] }
        case .mul, .div:
            guard kind == .mul || position == 0 else { return nil }
            for output in 0..<shape.outputs {
                let factor = kind == .mul ? values[output] : 1 / values[output]
                bias[output] *= factor
                for input in 0..<shape.inputs {
                    for row in 0..<shape.height {
                        for column in 0..<shape.width {
                            weightValues[
                                output * shape.outputStep + input * shape.inputStep + row * shape.rowStep
                                    + column * shape.columnStep] *= factor
                        }
                    }
                }
            }
        default: return nil
        }
        let scaled =
            kind == .mul || kind == .div
            ? graph.addConstant(try Tensor(weightValues, shape: weights.shape), name: "\(name):weights") : weightValue
        return (scaled, graph.addConstant(try Tensor(bias), name: "\(name):bias"))
    }
}

extension Convolution {
    /// Whether it is depthwise, once the weights are known.
    func depthwiseWeights(_ inputs: [TensorDescription?]) -> Bool? {
        guard let weights = inputs[Input.weights], let shape = try? weightShape(weights.shape) else { return nil }
        return isDepthwise(shape)
    }
}
