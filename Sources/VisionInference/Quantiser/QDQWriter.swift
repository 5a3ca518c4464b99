/// Writes a network with conversions around what its plan lists.
struct QDQWriter {
    let model: ONNXModel
    let plan: QuantisationPlan
    let scales: [String: QuantisedScale]
    /// What is added to the biases of convolutions, by the names of their results.
    let corrections: [String: [Float]]
    let scalesChannels: Bool

    private struct Weights {
        var values: [Int8]
        var scales: [Float]
    }

    func written() throws -> ONNXModel {
        var result = model
        var nodes: [ONNXNode] = []
        var added: [ONNXTensor] = []
        let layers = Dictionary(plan.layers.map { ($0.node, $0) }, uniquingKeysWith: { first, _ in first })
        let read = readTensors(layers)
        for input in model.graph.inputs where read.contains(input.name) {
            try convert(input.name, &nodes, &added)
        }
        var dropped: Set<Int> = []
        for (index, original) in model.graph.nodes.enumerated() where !dropped.contains(index) {
            var node = original
            if let layer = layers[index] {
                try quantise(&node, layer, &nodes, &added)
                if let activation = layer.activation, read.contains(layer.result),
                    isWithin(model.graph.nodes[activation], scales[layer.result])
                {
                    // Bytes cannot leave the bounds.
                    node.outputs = [layer.result]
                    dropped.insert(activation)
                }
            } else if plan.others.contains(index) {
                node.inputs = node.inputs.map { scales[$0] == nil ? $0 : dequantised($0) }
            }
            nodes.append(node)
            for output in node.outputs where read.contains(output) { try convert(output, &nodes, &added) }
        }
        result.graph.nodes = nodes
        result.graph.initialisers += added
        // Weights that nothing reads any longer.
        let used = Set(nodes.flatMap(\.inputs) + result.graph.outputs.map(\.name))
        result.graph.initialisers.removeAll { !used.contains($0.name) }
        result.graph.nodes.removeAll { $0.operatorType == "Constant" && !$0.outputs.contains(where: used.contains) }
        result.graph.valueInfo = []
        return result
    }

    private func dequantised(_ name: String) -> String { "\(name)_dequantised" }

    /// Tensors that something on bytes reads.
    private func readTensors(_ layers: [Int: QuantisationPlan.Layer]) -> Set<String> {
        var read: Set<String> = []
        for (index, node) in model.graph.nodes.enumerated() {
            let names =
                layers[index] != nil ? Array(node.inputs.prefix(1)) : plan.others.contains(index) ? node.inputs : []
            for name in names where scales[name] != nil { read.insert(name) }
        }
        return read
    }

    /// Whether all numbers that the bytes stand for lie within the bounds of Relu or Clip.
    private func isWithin(_ node: ONNXNode, _ scale: QuantisedScale?) -> Bool {
        guard let scale else { return false }
        var low = -Float.infinity
        var high = Float.infinity
        if node.operatorType == "Relu" {
            low = 0
        } else {
            for (position, name) in node.inputs.enumerated().dropFirst() where !name.isEmpty {
                guard let constant = plan.constants[name], let value = try? Tensor(constant).floats?.first else {
                    return false
                }
                if position == 1 { low = value } else { high = value }
            }
            if case .float(let value)? = node.attribute("min") { low = value }
            if case .float(let value)? = node.attribute("max") { high = value }
        }
        // Half a step is what rounding moves a number anyway.
        return scale.range.lowerBound >= low - scale.scale / 2 && scale.range.upperBound <= high + scale.scale / 2
    }

    /// Adds the conversions of a tensor to bytes and back.
    private func convert(_ name: String, _ nodes: inout [ONNXNode], _ added: inout [ONNXTensor]) throws {
        guard let scale = scales[name] else { return }
        let (scaleName, zeroName) = ("\(name)_scale", "\(name)_zero_point")
        added.append(try ONNXTensor(scaleName, .float, [], [scale.scale]))
        added.append(try ONNXTensor(zeroName, .uint8, [], [UInt8(scale.zeroPoint)]))
        nodes.append(Self.node("QuantizeLinear", [name, scaleName, zeroName], "\(name)_quantised"))
        nodes.append(
            Self.node("DequantizeLinear", ["\(name)_quantised", scaleName, zeroName], dequantised(name)))
    }

    private static func node(_ type: String, _ inputs: [String], _ output: String, axis: Int? = nil) -> ONNXNode {
        var node = ONNXNode()
        node.operatorType = type
        node.name = output
        node.inputs = inputs
        node.outputs = [output]
        if let axis { node.attributes = [ONNXAttribute("axis", .int(Int64(axis)))] }
        return node
    }

    /// Makes a layer read bytes, and weights and bias that were bytes and integers.
    private func quantise(
        _ node: inout ONNXNode, _ layer: QuantisationPlan.Layer, _ nodes: inout [ONNXNode], _ added: inout [ONNXTensor]
    ) throws {
        guard let input = scales[node.inputs[0]], let tensor = plan.constants[node.inputs[1]],
            let values = try Tensor(tensor).floats
        else { throw ModelError.invalid("the weights of node “\(node.name)” cannot be read") }
        var bias: [Float]?
        if node.inputs.count > 2, let constant = plan.constants[node.inputs[2]] { bias = try Tensor(constant).floats }
        if node.operatorType == "Conv", let correction = corrections[node.outputs[0]] {
            guard correction.count == tensor.shape[0] else {
                throw ModelError.invalid("node “\(node.name)” has not \(correction.count) channels")
            }
            bias = zip(bias ?? [Float](repeating: 0, count: correction.count), correction).map(+)
            node.inputs = Array(node.inputs.prefix(2)) + ["\(node.outputs[0])_corrected"]
        }
        let weights = try quantisedWeights(values, tensor.shape, layer.axis, bias, step: input.scale)
        let isSingle = weights.scales.count == 1
        // A layer's own name, since weights may be shared by layers whose inputs have other scales.
        let base = "\(node.inputs[1])_\(layer.node)"
        added.append(try ONNXTensor("\(base)_quantised", .int8, tensor.shape, weights.values))
        added.append(try ONNXTensor("\(base)_scale", .float, isSingle ? [] : [weights.scales.count], weights.scales))
        let zeros = [Int8](repeating: 0, count: weights.scales.count)
        added.append(try ONNXTensor("\(base)_zero_point", .int8, isSingle ? [] : [zeros.count], zeros))
        nodes.append(
            Self.node(
                "DequantizeLinear", ["\(base)_quantised", "\(base)_scale", "\(base)_zero_point"], "\(base)_dequantised",
                axis: layer.axis))
        node.inputs[0] = dequantised(node.inputs[0])
        node.inputs[1] = "\(base)_dequantised"
        guard let bias else { return }
        let steps = weights.scales.map { $0 * input.scale }
        let integers = bias.indices.map { index in
            Self.integer(Double(bias[index]) / Double(steps[isSingle ? 0 : index]))
        }
        let biasBase = "\(node.inputs[2])_\(layer.node)"
        added.append(try ONNXTensor("\(biasBase)_quantised", .int32, [integers.count], integers))
        added.append(try ONNXTensor("\(biasBase)_scale", .float, isSingle ? [] : [steps.count], steps))
        nodes.append(
            Self.node(
                "DequantizeLinear", ["\(biasBase)_quantised", "\(biasBase)_scale"], "\(biasBase)_dequantised", axis: 0))
        node.inputs[2] = "\(biasBase)_dequantised"
    }

    private static func integer(_ value: Double) -> Int32 {
        let whole = value.rounded(.toNearestOrEven)
        guard abs(whole) < 0x1p31 else { return whole > 0 ? .max : .min }
        return Int32(whole)
    }

    private func quantisedWeights(
        _ values: [Float], _ shape: [Int], _ axis: Int, _ bias: [Float]?, step: Float
    ) throws -> Weights {
        let layout = try QuantisationAxis(shape, axis: axis, scales: [shape[axis]])
        let count = shape[axis]
        guard values.allSatisfy(\.isFinite), bias?.allSatisfy(\.isFinite) ?? true else {
            throw ModelError.invalid("weights that are not finite")
        }
        var largest = [Float](repeating: 0, count: count)
        layout.forEachRun { index, elements in
            for element in elements { largest[index] = max(largest[index], abs(values[element])) }
        }
        var scales = largest.indices.map { channel in
            // A bias far larger than all products would not fit 32 bits at the weights' own scale.
            max(largest[channel] / 127, abs(bias?[channel] ?? 0) / (step * 0x1p28), 1e-12)
        }
        if !scalesChannels || count == 1 { scales = [scales.max() ?? 1] }
        var quantised = [Int8](repeating: 0, count: values.count)
        layout.forEachRun { index, elements in
            let scale = scales[scales.count == 1 ? 0 : index]
            for element in elements {
                quantised[element] = Int8(
                    clamping: VisionInference.quantised(values[element] / scale, zeroPoint: 0, -127...127))
            }
        }
        return Weights(values: quantised, scales: scales)
    }
}
