/// Who makes and who reads the values of a file's graph.
struct FileValues {
    /// Initialisers, and what `Constant` makes.
    private(set) var constants: [String: ONNXTensor] = [:]
    /// Readers of each value, outputs of the network and graphs within nodes among them.
    private(set) var uses: [String: Int] = [:]
    /// The node that makes each value.
    var makers: [String: Int] = [:]
    /// Values that graphs within nodes read by name.
    private(set) var readWithin: Set<String> = []

    init(_ graph: ONNXGraph) {
        for tensor in graph.initialisers { constants[tensor.name] = tensor }
        for (index, node) in graph.nodes.enumerated() {
            if node.operatorType == "Constant", node.outputs.count == 1,
                case .tensor(let tensor)? = node.attribute("value")
            {
                constants[node.outputs[0]] = tensor
            }
            for name in node.inputs { uses[name, default: 0] += 1 }
            for output in node.outputs { makers[output] = index }
            for name in Self.namesWithin(node) {
                uses[name, default: 0] += 1
                readWithin.insert(name)
            }
        }
        for output in graph.outputs { uses[output.name, default: 0] += 1 }
    }

    /// Adds a constant to a graph, and to these values.
    mutating func add(_ constant: ONNXTensor, to graph: inout ONNXGraph) {
        graph.initialisers.append(constant)
        constants[constant.name] = constant
    }

    /// The bias of a convolution, zeros where it has none; nil where it is computed, or has another length.
    func bias(of convolution: ONNXNode, count: Int) throws -> [Float]? {
        guard convolution.inputs.count > 2, !convolution.inputs[2].isEmpty else {
            return [Float](repeating: 0, count: count)
        }
        guard let constant = constants[convolution.inputs[2]], constant.type == .float,
            let known = try Tensor(constant).floats, known.count == count
        else { return nil }
        return known
    }

    /// All names that the graphs within a node read or give out, whether of their own values or of others.
    private static func namesWithin(_ node: ONNXNode) -> [String] {
        node.attributes.flatMap { attribute -> [String] in
            let graphs: [ONNXGraph]
            switch attribute.value {
            case .graph(let graph): graphs = [graph]
            case .graphs(let several): graphs = several
            default: graphs = []
            }
            return graphs.flatMap { graph in
                graph.nodes.flatMap { $0.inputs + namesWithin($0) } + graph.outputs.map(\.name)
            }
        }
    }
}

extension ONNXGraph {
    /// Removes nodes by their places.
    mutating func removeNodes(at places: Set<Int>) {
        nodes = nodes.enumerated().filter { !places.contains($0.offset) }.map(\.element)
    }
}
