/// An operator of images on images with channels first (N, C, H, W), as ML programs have them.
struct ChannelsFirst: Operator {
    /// Its first input and all its outputs are images (N, H, W, C) when it runs here.
    var operation: any Operator

    var name: String { operation.name }
    /// Nothing runs it.
    var foldsConstants: Bool { false }

    private static let toLast = [0, 2, 3, 1]
    private static let toFirst = [0, 3, 1, 2]

    func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        guard case .known(let outputs) = try operation.infer(channelsLast(inputs)) else { return .dependsOnData }
        return .known(outputs.map { TensorDescription($0.type, $0.shape.permuted(Self.toFirst)) })
    }

    /// The inputs as the operator itself sees them.
    func channelsLast(_ inputs: [TensorDescription?]) -> [TensorDescription?] {
        var inputs = inputs
        if let image = inputs.first ?? nil, image.shape.count == 4 {
            inputs[0] = TensorDescription(image.type, image.shape.permuted(Self.toLast))
        }
        return inputs
    }

    /// Puts transposes around all operators of images, and lets these meet and cancel: what is left are the changes of
    /// layout that the network needs.
    static func run(_ graph: inout ShapedGraph) throws {
        try graph.rewrite { graph, node in
            guard node.outputs.count == 1, wants(node.operation), let input = node.inputs[0],
                graph[input]?.shape.count == 4
            else { return try graph.append(node) }
            let image = try graph.append(Transpose(permutation: toFirst), [input], name: "\(node.name):image")
            var inputs = node.inputs
            inputs[0] = image
            let result = try graph.append(ChannelsFirst(operation: node.operation), inputs, name: node.name)
            try graph.append(
                Graph.Node(
                    name: "\(node.name):result", operation: Transpose(permutation: toLast), inputs: [result],
                    outputs: node.outputs))
        }
        try TransposeSinking.run(&graph)
    }

    private static func wants(_ operation: any Operator) -> Bool {
        switch operation {
        case is Convolution, is TransposedConvolution, is Pool, is ResizeImage: true
        case let blocks as DepthToSpace: !blocks.channelsFirst
        case let blocks as SpaceToDepth: !blocks.channelsFirst
        default: false
        }
    }
}
