extension QuantisationRewriter {
    /// Constant weights as signed bytes without zero point, and their scale for each output channel.
    private struct Weights {
        var tensor: Tensor
        var values: [Int8]
        var scales: [Float]
    }

    /// - Parameter axis: that of the output channels.
    private func weights(_ value: Graph.ValueID?, axis: Int, outputs: Int) throws -> Weights? {
        guard let value, let constant = constants[value],
            constant.scales.allSatisfy({ $0.isFinite && $0 > 0 }),
            constant.scales.count == 1 || constant.axis == axis && constant.scales.count == outputs
        else { return nil }
        let scales =
            constant.scales.count == 1 ? [Float](repeating: constant.scales[0], count: outputs) : constant.scales
        if let values = constant.tensor.values(as: Int8.self), constant.zeroPoints.allSatisfy({ $0 == 0 }) {
            return Weights(tensor: constant.tensor, values: values, scales: scales)
        }
        guard constant.tensor.type == .int8 || constant.tensor.type == .uint8, let integers = constant.tensor.integers
        else { return nil }
        // Other zero points are taken off, where the result still fits a byte.
        var values = [Int8](repeating: 0, count: integers.count)
        var fits = true
        try QuantisationAxis(constant.tensor.shape, axis: constant.axis, scales: [constant.scales.count]).forEachRun {
            index, elements in
            for element in elements {
                let weight = Int8(exactly: integers[element] - constant.zeroPoints[index])
                fits = fits && weight != nil
                values[element] = weight ?? 0
            }
        }
        guard fits else { return nil }
        return Weights(tensor: try Tensor(values, shape: constant.tensor.shape), values: values, scales: scales)
    }

    /// The numbers of a bias: nil when they are not known; zeros when there is none.
    private func bias(_ value: Graph.ValueID?, count: Int, _ graph: ShapedGraph) -> [Double]? {
        guard let value else { return [Double](repeating: 0, count: count) }
        if let constant = constants[value] {
            guard let integers = constant.tensor.integers, integers.count == count,
                constant.scales.count == 1 || constant.scales.count == count
            else { return nil }
            return integers.indices.map { index in
                let own = constant.scales.count == 1 ? 0 : index
                return Double(integers[index] - constant.zeroPoints[own]) * Double(constant.scales[own])
            }
        }
        guard let floats = graph[value]?.constant?.floats, floats.count == count else { return nil }
        return floats.map(Double.init)
    }

    func convolution(
        _ node: Graph.Node, _ range: ClampedRange?, _ graph: inout ShapedGraph
    ) throws -> Graph.ValueID? {
        guard let operation = node.operation as? Convolution, let input = node.inputs[0], let image = bytes[input],
            operation.residual == .none, node.inputs.dropFirst(3).allSatisfy({ $0 == nil }),
            let weightShape = node.inputs[1].flatMap({ graph[$0]?.shape }),
            let shape = try? operation.weightShape(weightShape)
        else { return nil }
        var range = range
        if !operation.activation.isIdentity {
            guard range?.clamp(operation.activation) == true else { return nil }
        }
        let axis = operation.order == .ihwo ? 3 : 0
        guard let weights = try weights(node.inputs[1], axis: axis, outputs: shape.outputs) else { return nil }
        guard let bias = bias(node.inputs.count > 2 ? node.inputs[2] : nil, count: shape.outputs, graph) else {
            return nil
        }
        let layer = QuantisedConvolution(
            geometry: operation.geometry, groups: operation.groups, order: operation.order,
            zeroPoint: image.scale.zeroPoint, scales: weights.scales, result: result(range))
        return try append(layer, image, weights, bias, range, node.name, &graph)
    }

    func dense(
        _ node: Graph.Node, bias: Graph.ValueID?, _ range: ClampedRange?, _ graph: inout ShapedGraph
    ) throws -> Graph.ValueID? {
        guard let operation = node.operation as? MatMul, operation.scale == 1, !operation.transposesLeft,
            let input = node.inputs[0], let rows = bytes[input], let rowShape = graph[input]?.shape,
            rowShape.count >= 2,
            let shape = node.inputs[1].flatMap({ graph[$0]?.shape }), shape.count == 2, !rowShape.contains(0),
            !shape.contains(0)
        else { return nil }
        let axis = operation.transposesRight ? 0 : 1
        guard let weights = try weights(node.inputs[1], axis: axis, outputs: shape[axis]) else { return nil }
        // A bias is one number a column.
        if let bias, let biasShape = graph[bias]?.shape,
            biasShape.last != shape[axis] || biasShape.elementCount != shape[axis]
        {
            return nil
        }
        guard let numbers = self.bias(bias, count: shape[axis], graph) else { return nil }
        let layer = QuantisedDense(
            isTransposed: operation.transposesRight, zeroPoint: rows.scale.zeroPoint, scales: weights.scales,
            result: result(range))
        return try append(layer, rows, weights, numbers, range, node.name, &graph)
    }

    private func result(_ range: ClampedRange?) -> QuantisedResult {
        range.map { .bytes(zeroPoint: $0.scale.zeroPoint, low: $0.low, high: $0.high) } ?? .floats
    }

    /// Appends a layer whose scales are the weights' until now.
    private func append(
        _ operation: some QuantisedOperator, _ input: ByteTensor, _ weights: Weights, _ bias: [Double],
        _ range: ClampedRange?, _ name: String, _ graph: inout ShapedGraph
    ) throws -> Graph.ValueID? {
        guard bias.allSatisfy(\.isFinite) else { return nil }
        var operation = operation
        var weights = weights
        let step = Double(input.scale.scale)
        let layer = try operation.layer([
            graph[input.value], TensorDescription(weights.tensor.type, weights.tensor.shape),
        ])
        // Where the bias is far larger than all products, as in channels that training has switched off, it sets the
        // scale.
        var isChanged = false
        for channel in bias.indices where abs(bias[channel]) > 0x1p28 * step * Double(weights.scales[channel]) {
            let scale = Float(abs(bias[channel]) / (0x1p28 * step))
            guard scale.isFinite else { return nil }
            for index in layer.weightIndices(of: channel) {
                weights.values[index] = Int8(
                    (Float(weights.values[index]) * (weights.scales[channel] / scale)).rounded(.toNearestOrEven))
            }
            weights.scales[channel] = scale
            isChanged = true
        }
        if isChanged { weights.tensor = try Tensor(weights.values, shape: weights.tensor.shape) }
        let biases = zip(bias, weights.scales).map { Int32(($0 / (step * Double($1))).rounded(.toNearestOrEven)) }
        let target = range.map { Double($0.scale.scale) } ?? 1
        operation.scales = weights.scales.map { Float(Double($0) * step / target) }
        guard
            try operation.layer([graph[input.value], TensorDescription(weights.tensor)])
                .fits(weights: weights.values, bias: biases)
        else { return nil }
        let inputs = [
            input.value, graph.addConstant(weights.tensor, name: "\(name):weights"),
            graph.addConstant(try Tensor(biases), name: "\(name):bias"),
        ]
        return try graph.append(operation, inputs, name: "\(name):bytes")
    }

    /// Convolutions and products of bytes whose result is not quantised, such as a network's last layer.
    mutating func replaceUnquantised(_ node: Graph.Node, _ graph: inout ShapedGraph) throws -> Bool {
        guard node.outputs.count == 1, !isQuantised(node.outputs[0]) else { return false }
        let result: Graph.ValueID?
        switch node.operation {
        case let convolution as Convolution where convolution.activation.isIdentity:
            result = try self.convolution(node, nil, &graph)
        case is MatMul: result = try dense(node, bias: nil, nil, &graph)
        case let binary as BinaryOperation where binary.kind == .add: result = try biased(node, &graph)
        default: return false
        }
        guard let result else { return false }
        try graph.append(Graph.Node(name: node.name, operation: Identity(), inputs: [result], outputs: node.outputs))
        return true
    }

    /// The floats of a product of bytes and its bias. Nothing reads the product without it then, which came before.
    private func biased(_ sum: Graph.Node, _ graph: inout ShapedGraph) throws -> Graph.ValueID? {
        guard sum.inputs.count == 2, let a = sum.inputs[0], let b = sum.inputs[1] else { return nil }
        for (product, bias) in [(a, b), (b, a)] where uses[product] == 1 {
            guard let index = producers[product], nodes[index].operation is MatMul, graph[bias]?.constant != nil else {
                continue
            }
            if let result = try dense(nodes[index], bias: bias, nil, &graph) { return result }
        }
        return nil
    }

    /// Whether the value becomes bytes again, perhaps after a bias and activations.
    private func isQuantised(_ value: Graph.ValueID) -> Bool {
        var current = value
        while uses[current] == 1, let index = readers[current].first, nodes[index].outputs.count == 1 {
            if nodes[index].operation is QuantizeLinear { return true }
            current = nodes[index].outputs[0]
            switch nodes[index].operation {
            case let binary as BinaryOperation where binary.kind == .add: continue
            case is ActivationOperation: continue
            default: return false
            }
        }
        let last = readers[current]
        return !last.isEmpty && uses[current] == last.count
            && last.allSatisfy { nodes[$0].operation is QuantizeLinear }
    }
}
