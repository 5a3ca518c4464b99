/// Joins depthwise convolutions with the pointwise one after them, and with the convolution before them, where the
/// image between is too large for a core's cache. Where it fits, separate steps share out better among threads.
package enum Bottlenecks {
    /// Bytes of the image between from which on steps are joined.
    static let worthwhileBytes = 600 << 10

    package static func run(_ graph: inout ShapedGraph) throws {
        let producers = graph.graph.producers()
        let uses = graph.graph.useCounts()
        let nodes = graph.graph.nodes
        let before = graph
        func convolution(_ index: Int?) -> Convolution? {
            guard let index, let convolution = nodes[index].operation as? Convolution, nodes[index].outputs.count == 1,
                before.descriptions(Array(nodes[index].inputs.dropFirst())).enumerated().allSatisfy({
                    position, description in
                    position + 1 == Convolution.Input.residual || description == nil || description?.constant != nil
                })
            else { return nil }
            return convolution
        }
        func bytes(_ value: Graph.ValueID) -> Int { (before[value]?.shape.elementCount ?? 0) * 4 }
        var joined: [Int: [Int]] = [:]
        var gone = Set<Int>()
        for (index, node) in nodes.enumerated() {
            guard let project = convolution(index), project.groups == 1, project.geometry.kernelHeight == 1,
                project.geometry.kernelWidth == 1, project.geometry.strideY == 1, project.geometry.strideX == 1,
                project.geometry.padding == .none || project.geometry.padding == .sameUpper,
                let middle = node.inputs[0], uses[middle] == 1, let middleIndex = producers[middle],
                !gone.contains(middleIndex),
                let depthwise = convolution(middleIndex), depthwise.groups > 1,
                depthwise.depthwiseWeights(before.descriptions(nodes[middleIndex].inputs)) == true,
                depthwise.residual == .none, let start = nodes[middleIndex].inputs[0]
            else { continue }
            var parts = [middleIndex, index]
            if uses[start] == 1, let expandIndex = producers[start], !gone.contains(expandIndex),
                joined[expandIndex] == nil,
                let expand = convolution(expandIndex), expand.groups == 1, expand.residual == .none,
                bytes(start) >= worthwhileBytes
            {
                parts.insert(expandIndex, at: 0)
            } else if bytes(middle) < worthwhileBytes {
                continue
            }
            joined[index] = parts
            gone.formUnion(parts.dropLast())
        }
        guard !joined.isEmpty else { return }
        graph.graph.nodes = []
        for (index, node) in nodes.enumerated() where !gone.contains(index) {
            guard let parts = joined[index] else {
                try graph.append(node)
                continue
            }
            var inputs: [Graph.ValueID?] = []
            for (order, part) in parts.enumerated() {
                var own = nodes[part].inputs
                if order > 0 { own[0] = nil }
                inputs += own + [Graph.ValueID?](repeating: nil, count: Bottleneck.positions - own.count)
            }
            try graph.append(
                Graph.Node(
                    name: node.name, operation: Bottleneck(parts.compactMap { nodes[$0].operation as? Convolution }),
                    inputs: inputs, outputs: node.outputs))
        }
    }
}
