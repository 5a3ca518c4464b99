/// Makes batch normalisations part of the convolutions before them, in the file's graph: weights are quantised as they
/// are multiplied, and a scale by channel absorbs whatever the normalisation did to a channel.
enum NormalisationFolding {
    static func run(_ model: inout ONNXModel) throws {
        var constants: [String: ONNXTensor] = [:]
        for tensor in model.graph.initialisers { constants[tensor.name] = tensor }
        var uses: [String: Int] = [:]
        for node in model.graph.nodes {
            for input in node.inputs { uses[input, default: 0] += 1 }
        }
        for output in model.graph.outputs { uses[output.name, default: 0] += 1 }
        var makers: [String: Int] = [:]
        for (index, node) in model.graph.nodes.enumerated() {
            for output in node.outputs { makers[output] = index }
        }
        var removed: Set<Int> = []
        for (index, node) in model.graph.nodes.enumerated() {
            guard node.operatorType == "BatchNormalization", node.domain.isEmpty, node.inputs.count == 5,
                node.outputs.filter({ !$0.isEmpty }).count == 1, let maker = makers[node.inputs[0]],
                uses[node.inputs[0]] == 1,
                model.graph.nodes[maker].operatorType == "Conv",
                let weightName = model.graph.nodes[maker].inputs.dropFirst().first,
                let weights = constants[weightName], weights.type == .float, let outputs = weights.shape.first,
                outputs > 0,
                var values = try Tensor(weights).floats
            else { continue }
            let numbers = try node.inputs.dropFirst().map { name in
                try constants[name].flatMap { $0.type == .float ? try Tensor($0).floats : nil } ?? []
            }
            var bias = [Float](repeating: 0, count: outputs)
            let convolution = model.graph.nodes[maker]
            if convolution.inputs.count > 2, !convolution.inputs[2].isEmpty {
                guard let constant = constants[convolution.inputs[2]], constant.type == .float,
                    let known = try Tensor(constant).floats
                else { continue }
                bias = known
            }
            guard numbers.allSatisfy({ $0.count == outputs }), bias.count == outputs else { continue }
            var epsilon: Float = 1e-5
            if case .float(let value)? = node.attribute("epsilon") { epsilon = value }
            let size = values.count / outputs
            for channel in 0..<outputs {
                let deviation = (Double(numbers[3][channel]) + Double(epsilon)).squareRoot()
                let factor = Double(numbers[0][channel]) / deviation
                for element in channel * size..<(channel + 1) * size {
                    values[element] = Float(Double(values[element]) * factor)
                }
                bias[channel] = Float(
                    (Double(bias[channel]) - Double(numbers[2][channel])) * factor + Double(numbers[1][channel]))
            }
            let (foldedWeights, foldedBias) = ("\(weightName)_\(index)_folded", "\(node.inputs[2])_\(index)_folded")
            model.graph.initialisers.append(try ONNXTensor(foldedWeights, .float, weights.shape, values))
            model.graph.initialisers.append(try ONNXTensor(foldedBias, .float, [outputs], bias))
            model.graph.nodes[maker].inputs = [convolution.inputs[0], foldedWeights, foldedBias]
            model.graph.nodes[maker].outputs = [node.outputs[0]]
            makers[node.outputs[0]] = maker
            removed.insert(index)
        }
        model.graph.nodes = model.graph.nodes.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
    }
}
