/// Replaces operators by simpler ones that later passes know how to join with others.
package enum Lowering {
    package static func run(_ graph: inout ShapedGraph) throws {
        try graph.rewrite { graph, node in
            if try lowerProduct(&graph, node) || lowerNormalisation(&graph, node)
                || RecurrentSplitting.split(&graph, node, product: lowerProduct)
            {
                return
            }
            try graph.append(node)
        }
    }

    /// A product with a constant matrix is a convolution of pixels, whose weights are packed once.
    private static func lowerProduct(_ graph: inout ShapedGraph, _ node: Graph.Node) throws -> Bool {
        guard let product = node.operation as? MatMul, product.scale == 1, !product.transposesLeft,
            let left = node.inputs[0], let shape = graph[left]?.shape, shape.count >= 2,
            let right = node.inputs[1], let matrix = graph[right]?.constant, matrix.shape.count == 2,
            !matrix.shape.contains(0), !shape.contains(0), graph[left]?.constant == nil,
            case .known(let outputs) = try product.infer(graph.descriptions(node.inputs)), let output = outputs.first
        else { return false }
        let inner = shape[shape.count - 1]
        let rows = shape.elementCount / inner
        let order: Convolution.WeightOrder = product.transposesRight ? .ohwi : .ihwo
        let weights = graph.addConstant(
            try matrix.reshaped([matrix.shape[0], 1, 1, matrix.shape[1]]), name: "\(node.name):weights")
        let pixels = try reshape(&graph, left, [1, rows, 1, inner], node.name)
        let result = try graph.append(
            Convolution(geometry: WindowGeometry(kernelHeight: 1, kernelWidth: 1), order: order), [pixels, weights],
            name: node.name)
        let sizes = graph.addConstant(try Tensor(output.shape.map { Int64($0) }), name: "\(node.name):shape")
        try graph.append(
            Graph.Node(
                name: "\(node.name):result", operation: Reshape(allowZero: true), inputs: [result, sizes],
                outputs: node.outputs))
        return true
    }

    /// Batch normalisation with constants is a product and a sum by channel.
    private static func lowerNormalisation(_ graph: inout ShapedGraph, _ node: Graph.Node) throws -> Bool {
        guard let norm = node.operation as? BatchNormalization, node.outputs.count == 1, let input = node.inputs[0],
            let description = graph[input], description.type == .float32, description.shape.count >= 2
        else { return false }
        let constants = graph.descriptions(Array(node.inputs.dropFirst())).map { $0?.constant?.floats }
        guard constants.count == 4, let scale = constants[0], let bias = constants[1], let mean = constants[2],
            let variance = constants[3]
        else { return false }
        var factors: [Float] = []
        var terms: [Float] = []
        for channel in scale.indices {
            let factor = Double(scale[channel]) / (Double(variance[channel]) + Double(norm.epsilon)).squareRoot()
            factors.append(Float(factor))
            terms.append(Float(Double(bias[channel]) - Double(mean[channel]) * factor))
        }
        let axis = try description.shape.resolvedAxis(norm.axis)
        var shape = [Int](repeating: 1, count: description.shape.count)
        shape[axis] = factors.count
        let factor = graph.addConstant(try Tensor(factors, shape: shape), name: "\(node.name):factor")
        let term = graph.addConstant(try Tensor(terms, shape: shape), name: "\(node.name):term")
        let scaled = try graph.append(BinaryOperation(kind: .mul), [input, factor], name: "\(node.name):scaled")
        try graph.append(
            Graph.Node(
                name: node.name, operation: BinaryOperation(kind: .add), inputs: [scaled, term], outputs: node.outputs))
        return true
    }

    static func reshape(
        _ graph: inout ShapedGraph, _ value: Graph.ValueID, _ shape: Shape, _ name: String
    ) throws -> Graph.ValueID {
        if graph[value]?.shape == shape { return value }
        let sizes = graph.addConstant(try Tensor(shape.map { Int64($0) }), name: "\(name):shape")
        return try graph.append(Reshape(allowZero: true), [value, sizes], name: "\(name):reshaped")
    }
}
