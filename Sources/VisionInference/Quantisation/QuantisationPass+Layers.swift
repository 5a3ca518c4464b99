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

    /// A bias in units of the products' scales; nil when it has no place in them.
    private func bias(
        _ value: Graph.ValueID?, scales: [Float], _ graph: ShapedGraph
    ) -> (values: [Int32]?, isKnown: Bool) {
        guard let value else { return (nil, true) }
        if let constant = constants[value], let integers = constant.tensor.integers, integers.count == scales.count,
            constant.zeroPoints.allSatisfy({ $0 == 0 })
        {
            let own = { (index: Int) in constant.scales.count == 1 ? constant.scales[0] : constant.scales[index] }
            guard constant.scales.count == 1 || constant.scales.count == scales.count else { return (nil, false) }
            return converted(integers.indices.map { Double(integers[$0]) * Double(own($0)) }, scales)
        }
        guard let floats = graph[value]?.constant?.floats, floats.count == scales.count else { return (nil, false) }
        return converted(floats.map(Double.init), scales)
    }

    private func converted(_ values: [Double], _ scales: [Float]) -> (values: [Int32]?, isKnown: Bool) {
        var result: [Int32] = []
        for (value, scale) in zip(values, scales) {
            let whole = (value / Double(scale)).rounded(.toNearestOrEven)
            guard abs(whole) < 0x1p30 else { return (nil, false) }
            result.append(Int32(whole))
        }
        return (result, true)
    }

    /// What the sums are multiplied by to become the result.
    private func factors(_ scales: [Float], _ result: QuantisedScale?) -> [Float] {
        guard let result else { return scales }
        return scales.map { Float(Double($0) / Double(result.scale)) }
    }

    func convolution(
        _ node: Graph.Node, _ range: ClampedRange?, _ graph: inout ShapedGraph
    ) throws -> Graph.ValueID? {
        guard let operation = node.operation as? Convolution, let input = node.inputs[0], let picture = bytes[input],
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
        let scales = weights.scales.map { $0 * picture.scale.scale }
        let bias = bias(node.inputs.count > 2 ? node.inputs[2] : nil, scales: scales, graph)
        guard bias.isKnown else { return nil }
        let layer = QuantisedConvolution(
            geometry: operation.geometry, groups: operation.groups, order: operation.order,
            zeroPoint: picture.scale.zeroPoint, scales: factors(scales, range?.scale), result: result(range))
        return try append(layer, picture, weights, bias.values, node.name, &graph) {
            try layer.layer($0).fits(weights: weights.values, bias: bias.values)
        }
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
        let scales = weights.scales.map { $0 * rows.scale.scale }
        let converted = self.bias(bias, scales: scales, graph)
        guard converted.isKnown else { return nil }
        let layer = QuantisedDense(
            isTransposed: operation.transposesRight, zeroPoint: rows.scale.zeroPoint,
            scales: factors(scales, range?.scale), result: result(range))
        return try append(layer, rows, weights, converted.values, node.name, &graph) {
            try layer.layer($0).fits(weights: weights.values, bias: converted.values)
        }
    }

    private func result(_ range: ClampedRange?) -> QuantisedResult {
        range.map { .bytes(zeroPoint: $0.scale.zeroPoint, low: $0.low, high: $0.high) } ?? .floats
    }

    private func append(
        _ operation: any Operator, _ input: ByteTensor, _ weights: Weights, _ bias: [Int32]?, _ name: String,
        _ graph: inout ShapedGraph, fits: ([TensorDescription?]) throws -> Bool
    ) throws -> Graph.ValueID? {
        var inputs: [Graph.ValueID?] = [input.value, graph.addConstant(weights.tensor, name: "\(name):weights")]
        if let bias { inputs.append(graph.addConstant(try Tensor(bias), name: "\(name):bias")) }
        guard try fits(graph.descriptions(inputs)) else { return nil }
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
        default: return false
        }
        guard let result else { return false }
        try graph.append(Graph.Node(name: node.name, operation: Identity(), inputs: [result], outputs: node.outputs))
        return true
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
