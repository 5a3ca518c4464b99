package import VisionInference

// Networks composed of parts of others.

extension ONNXModel {
    /// Returns the part of the network that computes some of its values, which become its outputs.
    ///
    /// - Throws: `ModelError.invalid` where no node makes one of them.
    package func cut(at outputs: [String]) throws(ModelError) -> ONNXModel {
        var needed = Set(outputs)
        var nodes: [ONNXNode] = []
        for node in graph.nodes.reversed() where node.outputs.contains(where: needed.contains) {
            nodes.append(node)
            needed.formUnion(node.inputs)
        }
        let made = Set(nodes.flatMap(\.outputs))
        if let missing = outputs.first(where: { !made.contains($0) }) {
            throw .invalid("it has no layer \(missing)")
        }
        var part = self
        part.graph.nodes = nodes.reversed()
        part.graph.initialisers = graph.initialisers.filter { needed.contains($0.name) }
        part.graph.inputs = graph.inputs.filter { needed.contains($0.name) }
        part.graph.valueInfo = []
        part.metadata = [:]
        part.graph.outputs = outputs.map { ONNXValueInfo($0, .tensor(.float, shape: nil)) }
        return part
    }

    /// Returns this network followed by another one.
    ///
    /// Joined inputs of the other network are connected to values of this one; its other inputs become inputs of the
    /// result. The outputs are the other's. Other names of the second network are made unique, except within branches
    /// and loops, whose nodes are in attributes.
    ///
    /// - Parameters:
    ///   - joining: The value of this network for each input of the other; nil where the names are the same.
    ///   - name: The name of the result; nil for this one's.
    /// - Throws: `ModelError.invalid` where a value is missing or the operator sets differ.
    package func followed(
        by other: ONNXModel, joining: [String: String]? = nil, name: String? = nil
    ) throws(ModelError) -> ONNXModel {
        guard opsets[""] == other.opsets[""] else {
            throw .invalid("networks of operator sets \(opsets[""] ?? 0) and \(other.opsets[""] ?? 0) cannot be joined")
        }
        let own = Set(graph.inputs.map(\.name) + graph.initialisers.map(\.name) + graph.nodes.flatMap(\.outputs))
        let joined = joining ?? Dictionary(other.graph.inputs.map { ($0.name, $0.name) }) { first, _ in first }
        for (input, value) in joined {
            guard other.graph.inputs.contains(where: { $0.name == input }) else {
                throw .invalid("it has no input \(input)")
            }
            guard own.contains(value) else { throw .invalid("it has no layer \(value)") }
        }
        let kept = Set(other.graph.outputs.map(\.name) + other.graph.inputs.map(\.name))
        func renamed(_ name: String) -> String {
            if name.isEmpty { return name }
            if let value = joined[name] { return value }
            return kept.contains(name) || !own.contains(name) ? name : name + ".joined"
        }
        var whole = self
        if let name { whole.graph.name = name }
        whole.graph.inputs += other.graph.inputs.filter { joined[$0.name] == nil }
        whole.graph.initialisers += other.graph.initialisers.map { tensor in
            var tensor = tensor
            tensor.name = renamed(tensor.name)
            return tensor
        }
        whole.graph.nodes += other.graph.nodes.map { node in
            var node = node
            node.inputs = node.inputs.map(renamed)
            node.outputs = node.outputs.map(renamed)
            return node
        }
        whole.graph.outputs = other.graph.outputs
        return whole
    }
}
