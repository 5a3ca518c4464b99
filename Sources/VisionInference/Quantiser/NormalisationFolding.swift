/// Makes batch normalisations part of the convolutions before them, in the file's graph: weights are quantised as they
/// are multiplied, and a scale by channel absorbs whatever the normalisation did to a channel.
enum NormalisationFolding {
    static func run(_ model: inout ONNXModel) throws {
        var values = FileValues(model.graph)
        var removed: Set<Int> = []
        for (index, node) in model.graph.nodes.enumerated() {
            guard node.operatorType == "BatchNormalization", node.domain.isEmpty, node.inputs.count == 5,
                node.outputs.filter({ !$0.isEmpty }).count == 1, let maker = values.makers[node.inputs[0]],
                values.uses[node.inputs[0]] == 1,
                model.graph.nodes[maker].operatorType == "Conv",
                let weightName = model.graph.nodes[maker].inputs.dropFirst().first,
                let weights = values.constants[weightName], weights.type == .float, let outputs = weights.shape.first,
                outputs > 0,
                var factors = try Tensor(weights).floats
            else { continue }
            let numbers = try node.inputs.dropFirst().map { name in
                try values.constants[name].flatMap { $0.type == .float ? try Tensor($0).floats : nil } ?? []
            }
            let convolution = model.graph.nodes[maker]
            guard var bias = try values.bias(of: convolution, count: outputs) else { continue }
            guard numbers.allSatisfy({ $0.count == outputs }) else { continue }
            var epsilon: Float = 1e-5
            if case .float(let value)? = node.attribute("epsilon") { epsilon = value }
            let size = factors.count / outputs
            for channel in 0..<outputs {
                let deviation = (Double(numbers[3][channel]) + Double(epsilon)).squareRoot()
                let factor = Double(numbers[0][channel]) / deviation
                for element in channel * size..<(channel + 1) * size {
                    factors[element] = Float(Double(factors[element]) * factor)
                }
                bias[channel] = Float(
                    (Double(bias[channel]) - Double(numbers[2][channel])) * factor + Double(numbers[1][channel]))
            }
            let (foldedWeights, foldedBias) = ("\(weightName)_\(index)_folded", "\(node.inputs[2])_\(index)_folded")
            values.add(try ONNXTensor(foldedWeights, .float, weights.shape, factors), to: &model.graph)
            values.add(try ONNXTensor(foldedBias, .float, [outputs], bias), to: &model.graph)
            model.graph.nodes[maker].inputs = [convolution.inputs[0], foldedWeights, foldedBias]
            model.graph.nodes[maker].outputs = [node.outputs[0]]
            values.makers[node.outputs[0]] = maker
            removed.insert(index)
        }
        model.graph.removeNodes(at: removed)
    }
}
