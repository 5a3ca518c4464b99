/// Where an image is enlarged and its channels are then brought to the front, the smaller image is transposed instead:
/// segmentation networks end so, with many channels at the size of their input.
enum EnlargingLast {
    static func run(_ graph: inout ShapedGraph) throws {
        let producers = graph.graph.producers()
        let uses = graph.graph.useCounts()
        let nodes = graph.graph.nodes
        let before = graph
        /// The enlarging whose result only this node reads.
        func enlarging(_ node: Graph.Node) -> (ResizeImage, Graph.Node)? {
            guard let transpose = node.operation as? Transpose, let value = node.inputs[0], uses[value] == 1,
                let maker = producers[value].map({ nodes[$0] }), let resize = maker.operation as? ResizeImage,
                resize.filter == .bilinear, !resize.channelsFirst, let source = maker.inputs[0],
                let shape = before[source]?.shape, shape[3] > 4,
                resize.height >= 2 * shape[1], resize.width >= 2 * shape[2],
                (try? transpose.permutation(rank: 4)) == [0, 3, 1, 2]
            else { return nil }
            return (resize, maker)
        }
        try graph.rewrite { graph, node in
            guard var (resize, maker) = enlarging(node) else { return try graph.append(node) }
            let small = try graph.append(
                Transpose(permutation: [0, 3, 1, 2]), [maker.inputs[0]], name: "\(maker.name):transposed")
            resize.channelsFirst = true
            maker = Graph.Node(name: maker.name, operation: resize, inputs: [small], outputs: node.outputs)
            try graph.append(maker)
        }
        try DeadCode.run(&graph)
    }
}
