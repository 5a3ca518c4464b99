/// Appends the nodes of a graph of ONNX, and knows which value has which name.
struct ONNXScope<Sink: GraphSink> {
    var sink: Sink
    var scope: [String: Graph.ValueID]
    let context: ONNXModelContext
    /// Nodes of inlined functions, and pieces of their names: functions that call functions double
    /// quickly.
    private var inlined = 0

    init(_ sink: consuming Sink, scope: [String: Graph.ValueID] = [:], context: ONNXModelContext) {
        self.sink = sink
        self.scope = scope
        self.context = context
    }

    mutating func define(_ tensor: ONNXTensor) throws {
        scope[tensor.name] = sink.addConstant(try Tensor(tensor), name: tensor.name)
    }

    /// - Parameter calls: functions that these nodes are the body of, outermost first.
    mutating func append(_ nodes: [ONNXNode], opsets: [String: Int], calls: [String] = []) throws {
        for node in nodes { try append(node, opsets: opsets, calls: calls) }
    }

    private mutating func append(_ node: ONNXNode, opsets: [String: Int], calls: [String]) throws {
        let title = Self.title(of: node)
        if let function = context.function(of: node) {
            return try inline(function, node, title, calls: calls)
        }
        if node.domain.isEmpty, node.operatorType == "Constant" {
            guard let output = node.outputs.first else { return }
            scope[output] = sink.addConstant(try ONNXConstant.tensor(node, title), name: output)
            return
        }
        guard let definition = ONNXDefinition.find(node.operatorType, domain: node.domain) else {
            let name = node.domain.isEmpty ? node.operatorType : "\(node.domain).\(node.operatorType)"
            throw ModelError.unsupported("there is no such operator here", operation: name, node: title)
        }
        let opset = opsets[node.domain] ?? (node.domain.isEmpty ? ONNXImporter.latestOpset : 1)
        guard opset >= definition.since || !node.domain.isEmpty else {
            throw ModelError.unsupported(
                "the model uses operator set \(opset), and this operator is known from \(definition.since)",
                operation: node.operatorType, node: title)
        }
        let captured = ONNXFreeNames.of(node).filter { scope[$0] != nil }
        let inputs = try (node.inputs + captured).map { name -> Graph.ValueID? in
            if name.isEmpty { return nil }
            guard let value = scope[name] else {
                throw ModelError.invalid("node “\(title)” reads “\(name)”, which nothing before it makes")
            }
            return value
        }
        let operation = ONNXOperator(
            node: node, definition: definition, opset: opset, opsets: opsets, captured: captured, context: context)
        let results = try sink.append(operation, inputs, name: title, outputs: node.outputs)
        for (name, value) in zip(node.outputs, results) where !name.isEmpty { scope[name] = value }
    }

    /// Many exporters name no nodes: then the first output tells them apart.
    static func title(of node: ONNXNode) -> String { node.name.isEmpty ? node.outputs.first ?? "" : node.name }

    private mutating func inline(
        _ function: ONNXFunction, _ node: ONNXNode, _ title: String, calls: [String]
    ) throws {
        guard !calls.contains(function.name), calls.count < 32 else {
            throw ModelError.invalid("the function \(function.name) calls itself (node “\(title)”)")
        }
        guard node.inputs.count <= function.inputs.count, node.outputs.count <= function.outputs.count else {
            throw ModelError.invalid("node “\(title)” has more inputs or outputs than the function \(function.name)")
        }
        inlined += (function.nodes.count + 1) * (1 + title.utf8.count / 64)
        guard inlined <= ModelLimits.nodes else {
            throw ModelError.tooLarge("the model's functions, inlined at their calls")
        }
        var attributes = Dictionary(function.defaults.map { ($0.name, $0.value) }) { first, _ in first }
        for attribute in node.attributes { attributes[attribute.name] = attribute.value }
        let outer = scope
        scope = [:]
        // What is left out is an empty name inside of the function as well.
        var absent = Set(function.inputs)
        for (inner, name) in zip(function.inputs, node.inputs) where !name.isEmpty {
            scope[inner] = outer[name]
            guard outer[name] != nil else {
                throw ModelError.invalid("node “\(title)” reads “\(name)”, which nothing before it makes")
            }
            absent.remove(inner)
        }
        let body = try function.nodes.map { inner in
            var copy = try inner.substituting(attributes)
            copy.inputs = copy.inputs.map { absent.contains($0) ? "" : $0 }
            copy.name = "\(title)/\(Self.title(of: copy))"
            return copy
        }
        try append(body, opsets: function.opsets, calls: calls + [function.name])
        let inside = scope
        scope = outer
        for (name, inner) in zip(node.outputs, function.outputs) where !name.isEmpty {
            guard let value = inside[inner] else {
                throw ModelError.invalid("the function \(function.name) does not make its output “\(inner)”")
            }
            scope[name] = value
        }
    }
}

extension ONNXNode {
    /// The node with the values that the caller of a function gives to its attributes; those that it does not give are
    /// left out.
    fileprivate func substituting(_ values: [String: ONNXAttribute.Value]) throws -> ONNXNode {
        var node = self
        node.attributes = try attributes.compactMap { attribute in
            switch attribute.value {
            case .reference(let name, _): return values[name].map { ONNXAttribute(attribute.name, $0) }
            case .graph(var graph):
                graph.nodes = try graph.nodes.map { try $0.substituting(values) }
                return ONNXAttribute(attribute.name, .graph(graph))
            default: return attribute
            }
        }
        return node
    }
}

/// Values that the graphs inside of a node read from outside.
enum ONNXFreeNames {
    static func of(_ node: ONNXNode) -> [String] {
        var names: [String] = []
        for case .graph(let graph) in node.attributes.map(\.value) { names += of(graph) }
        var seen = Set<String>()
        return names.filter { seen.insert($0).inserted }
    }

    private static func of(_ graph: ONNXGraph) -> [String] {
        var bound = Set(graph.inputs.map(\.name) + graph.initialisers.map(\.name))
        var free: [String] = []
        for node in graph.nodes {
            free += (node.inputs + of(node)).filter { !$0.isEmpty && !bound.contains($0) }
            bound.formUnion(node.outputs)
        }
        return free + graph.outputs.map(\.name).filter { !bound.contains($0) }
    }
}

enum ONNXConstant {
    /// The value of a Constant node.
    static func tensor(_ node: ONNXNode, _ title: String) throws -> Tensor {
        for attribute in node.attributes {
            switch (attribute.name, attribute.value) {
            case ("value", .tensor(let tensor)): return try Tensor(tensor)
            case ("value_float", .float(let value)): return try Tensor(scalar: value)
            case ("value_floats", .floats(let values)): return try Tensor(values)
            case ("value_int", .int(let value)): return try Tensor(scalar: value)
            case ("value_ints", .ints(let values)): return try Tensor(values)
            default: continue
            }
        }
        throw ModelError.unsupported(
            "it has no value of a kind that is known", operation: "Constant", node: title)
    }
}
