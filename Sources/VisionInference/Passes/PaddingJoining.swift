/// Makes zeros around an image part of the geometry of the convolution that reads it. Before layers turn to bytes: an
/// image of bytes is not padded by itself.
enum PaddingJoining {
    static func run(_ graph: inout ShapedGraph) throws {
        let producers = graph.graph.producers()
        let nodes = graph.graph.nodes
        try graph.rewrite { graph, node in
            var node = node
            if var convolution = node.operation as? Convolution, let input = node.inputs[0],
                let index = producers[input],
                case .explicit(let top, let left, let bottom, let right) = convolution.geometry.padding,
                let pad = nodes[index].operation as? Pad,
                let around = pad.zeros(graph.descriptions(nodes[index].inputs)),
                around.count == 8, [0, 3, 4, 7].allSatisfy({ around[$0] == 0 }), around.allSatisfy({ $0 >= 0 })
            {
                convolution.geometry.padding = .explicit(
                    top: top + around[1], left: left + around[2], bottom: bottom + around[5], right: right + around[6])
                node.operation = convolution
                node.inputs[0] = nodes[index].inputs[0]
            }
            try graph.append(node)
        }
        try DeadCode.run(&graph)
    }
}
