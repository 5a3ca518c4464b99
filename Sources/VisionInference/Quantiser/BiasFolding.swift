/// Makes constants that are added to the results of convolutions, one number a channel, their biases, and removes
/// `Identity`: some exporters write both. Quantised layers would otherwise give floats for the sum.
enum BiasFolding {
    static func run(_ model: inout ONNXModel) throws {
        removeIdentities(&model)
        var constants: [String: ONNXTensor] = [:]
        for tensor in model.graph.initialisers { constants[tensor.name] = tensor }
        for node in model.graph.nodes where node.operatorType == "Constant" && node.outputs.count == 1 {
            if case .tensor(let tensor)? = node.attribute("value") { constants[node.outputs[0]] = tensor }
        }
        var uses: [String: Int] = [:]
        for name in model.graph.nodes.flatMap(\.inputs) { uses[name, default: 0] += 1 }
        for output in model.graph.outputs { uses[output.name, default: 0] += 1 }
        var makers: [String: Int] = [:]
        for (index, node) in model.graph.nodes.enumerated() {
            for output in node.outputs { makers[output] = index }
        }
        var removed: Set<Int> = []
        for (index, node) in model.graph.nodes.enumerated() {
            guard node.operatorType == "Add", node.domain.isEmpty, node.inputs.count == 2,
                let position = (0...1).first(where: { constants[node.inputs[$0]] == nil }),
                let maker = makers[node.inputs[position]], uses[node.inputs[position]] == 1,
                let added = constants[node.inputs[1 - position]], added.type == .float
            else { continue }
            let convolution = model.graph.nodes[maker]
            guard convolution.operatorType == "Conv", convolution.domain.isEmpty, convolution.inputs.count >= 2,
                let weights = constants[convolution.inputs[1]], weights.shape.count >= 3,
                // The constant has the result's rank, so that it is broadcast along the channels alone.
                added.shape == [1, weights.shape[0]] + weights.shape.dropFirst(2).map({ _ in 1 }),
                let numbers = try Tensor(added).floats
            else { continue }
            var bias = numbers
            if convolution.inputs.count > 2, !convolution.inputs[2].isEmpty {
                guard let constant = constants[convolution.inputs[2]], constant.type == .float,
                    let known = try Tensor(constant).floats, known.count == bias.count
                else { continue }
                bias = zip(bias, known).map(+)
            }
            let name = "\(node.outputs[0])_bias"
            let tensor = try ONNXTensor(name, .float, [bias.count], bias)
            model.graph.initialisers.append(tensor)
            constants[name] = tensor
            model.graph.nodes[maker].inputs = [convolution.inputs[0], convolution.inputs[1], name]
            model.graph.nodes[maker].outputs = [node.outputs[0]]
            makers[node.outputs[0]] = maker
            removed.insert(index)
        }
        model.graph.nodes = model.graph.nodes.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
    }

    private static func removeIdentities(_ model: inout ONNXModel) {
        let outputs = Set(model.graph.outputs.map(\.name))
        var sources: [String: String] = [:]
        var kept: [ONNXNode] = []
        for var node in model.graph.nodes {
            node.inputs = node.inputs.map { sources[$0] ?? $0 }
            if node.operatorType == "Identity", node.domain.isEmpty, node.inputs.count == 1, node.outputs.count == 1,
                !outputs.contains(node.outputs[0]), !node.inputs[0].isEmpty
            {
                sources[node.outputs[0]] = node.inputs[0]
            } else {
                kept.append(node)
            }
        }
        // Graphs within nodes may read values of this one by name.
        let hasGraphs = model.graph.nodes.contains { node in
            node.attributes.contains { attribute in
                switch attribute.value {
                case .graph, .graphs: true
                default: false
                }
            }
        }
        if !hasGraphs { model.graph.nodes = kept }
    }
}
