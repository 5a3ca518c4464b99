/// Makes constants that are added to the results of convolutions, one number a channel, their biases, and removes
/// `Identity`: some exporters write both. Quantised layers would otherwise give floats for the sum.
enum BiasFolding {
    static func run(_ model: inout ONNXModel) throws {
        removeIdentities(&model)
        var values = FileValues(model.graph)
        var removed: Set<Int> = []
        for (index, node) in model.graph.nodes.enumerated() {
            guard node.operatorType == "Add", node.domain.isEmpty, node.inputs.count == 2,
                let position = (0...1).first(where: { values.constants[node.inputs[$0]] == nil }),
                let maker = values.makers[node.inputs[position]], values.uses[node.inputs[position]] == 1,
                let added = values.constants[node.inputs[1 - position]], added.type == .float
            else { continue }
            let convolution = model.graph.nodes[maker]
            guard convolution.operatorType == "Conv", convolution.domain.isEmpty, convolution.inputs.count >= 2,
                let weights = values.constants[convolution.inputs[1]], weights.shape.count >= 3,
                // The constant has the result's rank, so that it is broadcast along the channels alone.
                added.shape == [1, weights.shape[0]] + weights.shape.dropFirst(2).map({ _ in 1 }),
                let numbers = try Tensor(added).floats,
                let bias = try values.bias(of: convolution, count: numbers.count)
            else { continue }
            let name = "\(node.outputs[0])_bias"
            values.add(try ONNXTensor(name, .float, [bias.count], zip(bias, numbers).map(+)), to: &model.graph)
            model.graph.nodes[maker].inputs = [convolution.inputs[0], convolution.inputs[1], name]
            model.graph.nodes[maker].outputs = [node.outputs[0]]
            values.makers[node.outputs[0]] = maker
            removed.insert(index)
        }
        model.graph.removeNodes(at: removed)
    }

    private static func removeIdentities(_ model: inout ONNXModel) {
        // These have to keep their names.
        let named = FileValues(model.graph).readWithin.union(model.graph.outputs.map(\.name))
        var sources: [String: String] = [:]
        var kept: [ONNXNode] = []
        for var node in model.graph.nodes {
            node.inputs = node.inputs.map { sources[$0] ?? $0 }
            if node.operatorType == "Identity", node.domain.isEmpty, node.inputs.count == 1, node.outputs.count == 1,
                !named.contains(node.outputs[0]), !node.inputs[0].isEmpty
            {
                sources[node.outputs[0]] = node.inputs[0]
            } else {
                kept.append(node)
            }
        }
        model.graph.nodes = kept
    }
}
