/// The passes that turn a graph as it was imported into one that runs fast, in their order.
package enum Optimiser {
    package static func run(_ graph: inout ShapedGraph) throws {
        try DeadCode.run(&graph)
        try Lowering.run(&graph)
        try TransposeSinking.run(&graph)
        // An activation is one function of a byte only when it is one operator.
        try Patterns.run(&graph)
        try PaddingJoining.run(&graph)
        try QuantisationPass.run(&graph)
        try ViewSinking.run(&graph)
        try Folding.run(&graph)
        try ChannelScaling.run(&graph)
        try ProductTransposes.run(&graph)
        try EnlargingLast.run(&graph)
    }
}

/// Removes what no output of the network needs.
package enum DeadCode {
    package static func run(_ graph: inout ShapedGraph) throws {
        var needed = Set(graph.graph.outputs.map(\.value))
        var kept: [Graph.Node] = []
        for node in graph.graph.nodes.reversed() where node.outputs.contains(where: needed.contains) {
            for case let input? in node.inputs { needed.insert(input) }
            kept.append(node)
        }
        graph.graph.nodes = kept.reversed()
    }
}
