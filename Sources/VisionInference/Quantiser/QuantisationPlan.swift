/// What of a network is to run on bytes: found in the file's own graph, so that the result is the same network with
/// conversions in it.
struct QuantisationPlan: Sendable {
    /// A convolution or product with constant weights.
    struct Layer: Sendable {
        var node: Int
        /// The axis of the weights' output channels.
        var axis: Int
        /// An activation right behind it, whose result is quantised in place of the layer's own.
        var activation: Int?
        /// The result, after the activation.
        var result: String
    }

    private(set) var layers: [Layer] = []
    /// Other nodes between bytes.
    private(set) var others: Set<Int> = []
    /// The tensors that are quantised and whose ranges are observed, in the order of the graph.
    private(set) var observed: [String] = []
    /// Tensors that have the same scale as another, since what makes them only moves numbers.
    private(set) var sameScale: [(name: String, source: String)] = []
    /// All constants by name.
    let constants: [String: ONNXTensor]

    /// Operators on two tensors, or on one.
    private static let arithmetic: Set<String> = ["Add", "Mul"]
    private static let functions: Set<String> = [
        "Sigmoid", "HardSigmoid", "HardSwish", "LeakyRelu", "Tanh", "Elu", "AveragePool", "GlobalAveragePool", "Clip",
        "Relu",
    ]
    private static let movements: Set<String> = ["MaxPool", "Flatten", "Reshape", "Transpose", "Squeeze", "Unsqueeze"]

    /// - Parameter allowed: The tensors that may be quantised; nil for all.
    init(_ model: ONNXModel, excluding excluded: Set<String>, allowing allowed: Set<String>? = nil) throws {
        let graph = model.graph
        var constants: [String: ONNXTensor] = [:]
        for tensor in graph.initialisers { constants[tensor.name] = tensor }
        for node in graph.nodes where node.operatorType == "Constant" && node.outputs.count == 1 {
            if case .tensor(let tensor)? = node.attribute("value") { constants[node.outputs[0]] = tensor }
        }
        self.constants = constants

        var readers: [String: [Int]] = [:]
        for (index, node) in graph.nodes.enumerated() {
            for input in node.inputs where !input.isEmpty { readers[input, default: []].append(index) }
        }
        let outputs = Set(graph.outputs.map(\.name))
        var soleMakers: [String: Int] = [:]
        for (index, node) in graph.nodes.enumerated() {
            for output in node.outputs where readers[output]?.count == 1 && !outputs.contains(output) {
                soleMakers[output] = index
            }
        }
        /// The node of the sigmoid, and x, where a node is x × sigmoid(x): one function of a byte.
        func gate(_ product: ONNXNode) -> (index: Int, input: String)? {
            guard product.operatorType == "Mul", product.inputs.count == 2 else { return nil }
            for (x, other) in [(0, 1), (1, 0)].map({ (product.inputs[$0], product.inputs[$1]) }) {
                if let index = soleMakers[other], graph.nodes[index].operatorType == "Sigmoid",
                    graph.nodes[index].domain.isEmpty, graph.nodes[index].inputs == [x]
                {
                    return (index, x)
                }
            }
            return nil
        }
        let gates = Set(graph.nodes.compactMap { gate($0)?.index })
        // Tensors that are bytes in one way or another, so far.
        var known: Set<String> = []
        func mayBeBytes(_ name: String) -> Bool { allowed?.contains(name) ?? true }
        func observe(_ name: String) {
            if mayBeBytes(name), known.insert(name).inserted { observed.append(name) }
        }
        var absorbed: Set<Int> = []
        for (index, node) in graph.nodes.enumerated() {
            guard node.domain.isEmpty, !absorbed.contains(index), !excluded.contains(node.name),
                let input = node.inputs.first, node.outputs.count == 1, constants[input] == nil
            else { continue }
            if let axis = Self.weightAxis(node, constants) {
                guard mayBeBytes(input), let weights = constants[node.inputs[1]], weights.type == .float else {
                    continue
                }
                if node.inputs.count > 2, !node.inputs[2].isEmpty {
                    // A bias that is computed, or no vector, cannot be written in integers.
                    guard let bias = constants[node.inputs[2]], bias.type == .float, bias.shape.count == 1,
                        bias.shape[0] == weights.shape[axis]
                    else { continue }
                }
                observe(input)
                var layer = Layer(node: index, axis: axis, activation: nil, result: node.outputs[0])
                if let readers = readers[layer.result], readers.count == 1, !outputs.contains(layer.result),
                    ["Relu", "Clip"].contains(graph.nodes[readers[0]].operatorType),
                    graph.nodes[readers[0]].inputs.dropFirst().allSatisfy({ $0.isEmpty || constants[$0] != nil }),
                    graph.nodes[readers[0]].inputs.first == layer.result, graph.nodes[readers[0]].outputs.count == 1
                {
                    layer.activation = readers[0]
                    layer.result = graph.nodes[readers[0]].outputs[0]
                    absorbed.insert(readers[0])
                }
                layers.append(layer)
                // A network's last layer gives floats.
                if readers[layer.result] != nil { observe(layer.result) }
            } else if let gelu = GeluPattern(index, graph, makers: soleMakers, scalar: { Self.scalar(constants[$0]) }),
                known.contains(gelu.input)
            {
                others.formUnion(gelu.readers)
                if readers[node.outputs[0]] != nil { observe(node.outputs[0]) }
            } else if let gate = gate(node), known.contains(gate.input) {
                others.formUnion([gate.index, index])
                if readers[node.outputs[0]] != nil { observe(node.outputs[0]) }
            } else if Self.arithmetic.contains(node.operatorType), node.inputs.count == 2,
                node.inputs.allSatisfy({ constants[$0] == nil && known.contains($0) })
            {
                others.insert(index)
                if readers[node.outputs[0]] != nil { observe(node.outputs[0]) }
            } else if Self.functions.contains(node.operatorType), known.contains(input), !gates.contains(index),
                node.inputs.dropFirst().allSatisfy({ $0.isEmpty || constants[$0] != nil })
            {
                others.insert(index)
                if readers[node.outputs[0]] != nil { observe(node.outputs[0]) }
            } else if node.operatorType == "Concat", node.inputs.allSatisfy(known.contains),
                readers[node.outputs[0]] != nil
            {
                others.insert(index)
                observe(node.outputs[0])
            } else if Self.movements.contains(node.operatorType), known.contains(input), mayBeBytes(node.outputs[0]),
                node.inputs.dropFirst().allSatisfy({ $0.isEmpty || constants[$0] != nil }),
                readers[node.outputs[0]] != nil
            {
                others.insert(index)
                if known.insert(node.outputs[0]).inserted { sameScale.append((node.outputs[0], input)) }
            }
        }
    }

    private static func scalar(_ tensor: ONNXTensor?) -> Float? {
        guard let tensor, tensor.type == .float, tensor.shape.elementCount == 1 else { return nil }
        return (try? Tensor(tensor).floats)?.first
    }

    /// The axis of the output channels of a layer's constant weights; nil for other nodes.
    private static func weightAxis(_ node: ONNXNode, _ constants: [String: ONNXTensor]) -> Int? {
        guard node.inputs.count >= 2, let weights = constants[node.inputs[1]] else { return nil }
        switch node.operatorType {
        case "Conv": return weights.shape.count >= 3 ? 0 : nil
        case "MatMul": return weights.shape.count == 2 ? 1 : nil
        case "Gemm":
            for (name, usual) in [("alpha", Float(1)), ("beta", 1)] {
                if case .float(let value)? = node.attribute(name), value != usual { return nil }
            }
            if case .int(let flag)? = node.attribute("transA"), flag != 0 { return nil }
            if case .int(let flag)? = node.attribute("transB"), flag != 0 { return 0 }
            return 1
        default: return nil
        }
    }
}
