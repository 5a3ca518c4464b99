/// Separates the products of a recurrent layer's inputs, which are one product for all times, from its steps.
enum RecurrentSplitting {
    /// Appends the nodes that stand for a recurrent layer; returns false for what the steps cannot do: weights that are
    /// not constant, sequences of several lengths, peepholes, clipping, functions other than the usual ones, and a
    /// reset gate before the product.
    static func split(
        _ graph: inout ShapedGraph, _ node: Graph.Node,
        product: (inout ShapedGraph, Graph.Node) throws -> Bool
    ) throws -> Bool {
        guard let layer = node.operation as? RecurrentNetwork, layer.clip == nil, let kind = kind(of: layer),
            let input = node.inputs[0], graph[input]?.type == .float32, graph[input]?.constant == nil,
            !present(node, 4), !present(node, 7), let weights = constant(graph, node, 1),
            let recurrent = node.inputs[2], graph[recurrent]?.constant != nil, weights.shape.count == 3,
            !weights.shape.contains(0), let shape = graph[input]?.shape, !shape.contains(0)
        else { return false }
        let rows = layer.directions * layer.gates * layer.hiddenSize
        let biases = try biases(of: layer, constant(graph, node, 3), isPresent: present(node, 3), rows: rows)
        guard let biases else { return false }

        let matrix = graph.addConstant(
            try weights.reshaped([rows, weights.shape[2]]), name: "\(node.name):weights")
        let products = graph.addPlainValue("\(node.name):products")
        let multiplication = Graph.Node(
            name: "\(node.name):products", operation: MatMul(transposesRight: true), inputs: [input, matrix],
            outputs: [products])
        if !(try product(&graph, multiplication)) { try graph.append(multiplication) }
        let bias = graph.addConstant(try Tensor(biases.input, shape: [rows]), name: "\(node.name):bias")
        let sums = try graph.append(
            BinaryOperation(kind: .add), [products, bias], name: "\(node.name):sums")
        var recurrentBias: Graph.ValueID?
        if let values = biases.recurrent {
            recurrentBias = graph.addConstant(
                try Tensor(values, shape: [layer.directions, rows / layer.directions]),
                name: "\(node.name):recurrent bias")
        }
        let optional = { (index: Int) in index < node.inputs.count ? node.inputs[index] : nil }
        try graph.append(
            Graph.Node(
                name: node.name,
                operation: RecurrentSteps(
                    kind: kind, direction: layer.direction, hiddenSize: layer.hiddenSize,
                    isBatchFirst: layer.isBatchFirst),
                inputs: [sums, recurrent, recurrentBias, optional(5), layer.gates == 4 ? optional(6) : nil],
                outputs: node.outputs))
        return true
    }

    private static func present(_ node: Graph.Node, _ index: Int) -> Bool {
        index < node.inputs.count && node.inputs[index] != nil
    }

    private static func constant(_ graph: ShapedGraph, _ node: Graph.Node, _ index: Int) -> Tensor? {
        index < node.inputs.count ? node.inputs[index].flatMap { graph[$0]?.constant } : nil
    }

    /// What the steps do; nil for what they cannot.
    private static func kind(of layer: RecurrentNetwork) -> RecurrentSteps.Kind? {
        let functions = (0..<layer.directions).map { layer.functions(ofDirection: $0) }
        guard let first = functions.first, functions.allSatisfy({ $0 == first }) else { return nil }
        let (sigmoid, tanh): (RecurrentNetwork.Function, RecurrentNetwork.Function) = (
            .activation(.sigmoid), .activation(.tanh)
        )
        switch layer.kind {
        case .plain:
            guard case .activation(let function) = first[0] else { return nil }
            return .plain(Activation(function))
        case .gru(let linearBeforeReset): return linearBeforeReset && first == [sigmoid, tanh] ? .gru : nil
        case .lstm(let couplesForget): return !couplesForget && first == [sigmoid, tanh, tanh] ? .lstm : nil
        }
    }

    /// Returns what is added to the products of the input, and of a GRU, to those of the state. ONNX keeps both biases
    /// of a direction one after the other.
    private static func biases(
        of layer: RecurrentNetwork, _ biases: Tensor?, isPresent: Bool, rows: Int
    ) throws -> (input: [Float], recurrent: [Float]?)? {
        let isGated = layer.gates == 3
        let zeros = [Float](repeating: 0, count: rows)
        guard isPresent else { return (zeros, isGated ? zeros : nil) }
        guard let values = biases?.floats, values.count == 2 * rows else { return nil }
        let own = rows / layer.directions
        var (input, recurrent) = (zeros, zeros)
        for row in 0..<rows {
            let position = row / own * 2 * own + row % own
            (input[row], recurrent[row]) = (values[position], values[position + own])
        }
        return isGated ? (input, recurrent) : (zip(input, recurrent).map { $0 + $1 }, nil)
    }
}
