/// A product reads its right matrix column by column itself where a transpose would only swap its rows and columns.
enum ProductTransposes {
    static func run(_ graph: inout ShapedGraph) throws {
        let producers = graph.graph.producers()
        let uses = graph.graph.useCounts()
        let nodes = graph.graph.nodes
        try graph.rewrite { graph, node in
            var node = node
            if var product = node.operation as? MatMul, let right = node.inputs[1], uses[right] == 1,
                let maker = producers[right].map({ nodes[$0] }), let transpose = maker.operation as? Transpose,
                let source = maker.inputs[0], let rank = graph[source]?.shape.count, rank >= 2,
                try transpose.permutation(rank: rank) == Array(0..<rank - 2) + [rank - 1, rank - 2]
            {
                product.transposesRight.toggle()
                node.operation = product
                node.inputs[1] = source
            }
            try graph.append(node)
        }
        try DeadCode.run(&graph)
    }
}
