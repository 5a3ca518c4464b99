/// Moves transposes towards the outputs until they meet their inverse, so that networks that the file states with
/// channels first run with channels last and no step changes the layout on the way.
package enum TransposeSinking {
    /// A value that is another one transposed.
    private struct Origin: Hashable {
        let source: Graph.ValueID
        let permutation: [Int]
    }

    package static func run(_ graph: inout ShapedGraph) throws {
        var origins: [Graph.ValueID: Origin] = [:]
        var substitutions: [Graph.ValueID: Graph.ValueID] = [:]
        var made: [Origin: Graph.ValueID] = [:]
        let outputs = Set(graph.graph.outputs.map(\.value))
        try graph.rewrite { graph, original in
            let node = graph.replacing(substitutions, in: original)
            // A step that changes nothing would only hide which values have the same layout.
            if changesNothing(graph, node), let input = node.inputs[0], !outputs.contains(node.outputs[0]) {
                substitutions[node.outputs[0]] = input
                return
            }
            if let transpose = node.operation as? Transpose, let input = node.inputs[0], let shape = graph[input]?.shape
            {
                let permutation = try transpose.permutation(rank: shape.count)
                let before = origins[input]
                let source = before?.source ?? input
                let whole = before.map { before in permutation.map { before.permutation[$0] } } ?? permutation
                if whole == Array(whole.indices), !outputs.contains(node.outputs[0]) {
                    substitutions[node.outputs[0]] = source
                    return
                }
                let origin = Origin(source: source, permutation: whole)
                if let same = made[origin], !outputs.contains(node.outputs[0]) {
                    substitutions[node.outputs[0]] = same
                    return
                }
                try emit(&graph, origin, node)
                origins[node.outputs[0]] = origin
                made[origin] = node.outputs[0]
                return
            }
            guard try sink(&graph, node, &origins) else {
                try graph.append(node)
                return
            }
        }
        try DeadCode.run(&graph)
    }

    /// Exporters pad to a multiple of a window's size, and cut again, also where that is no pixel.
    private static func changesNothing(_ graph: ShapedGraph, _ node: Graph.Node) -> Bool {
        if node.operation is Identity { return true }
        let inputs = graph.descriptions(node.inputs)
        if let pad = node.operation as? Pad, let numbers = try? pad.pads(inputs) {
            return (numbers.before + numbers.after).allSatisfy { $0 == 0 }
        }
        if let slice = node.operation as? Slice, let part = try? slice.part(inputs), let shape = inputs[0]?.shape {
            return part.shape == shape && part.steps.allSatisfy { $0 == 1 } && part.starts.allSatisfy { $0 == 0 }
        }
        return false
    }

    /// Appends the transpose that makes `node`'s output: a change of shape when only axes of one move.
    private static func emit(_ graph: inout ShapedGraph, _ origin: Origin, _ node: Graph.Node) throws {
        guard let shape = graph[origin.source]?.shape else { return try graph.append(node) }
        let moved = origin.permutation.filter { shape[$0] != 1 }
        var node = node
        if zip(moved, moved.dropFirst()).allSatisfy({ $0 < $1 }) {
            let target = origin.permutation.map { Int64(shape[$0]) }
            node.inputs = [origin.source, graph.addConstant(try Tensor(target), name: "\(node.name):shape")]
            node.operation = Reshape(allowZero: true)
        } else {
            node.inputs = [origin.source]
            node.operation = Transpose(permutation: origin.permutation)
        }
        try graph.append(node)
    }

    /// Rewrites a node whose inputs are transposed as one that is transposed itself; false when that cannot be done.
    private static func sink(
        _ graph: inout ShapedGraph, _ node: Graph.Node, _ origins: inout [Graph.ValueID: Origin]
    ) throws -> Bool {
        guard let permutation = node.inputs.compactMap({ $0.flatMap { origins[$0]?.permutation } }).first else {
            return false
        }
        if let change = try ReshapeSinking.sink(&graph, node, permutation, origins[node.inputs[0] ?? -1]?.source) {
            try finish(&graph, node, change.values, [change.permutation], &origins)
            return true
        }
        var inputs = node.inputs
        // Shapes are broadcast from the last axis: constants with fewer axes get the missing ones.
        if node.operation is BinaryOperation || node.operation is PRelu || node.operation is Where {
            for (index, input) in inputs.enumerated() {
                guard let input, origins[input] == nil, let constant = graph[input]?.constant,
                    constant.shape.count < permutation.count, constant.elementCount > 1
                else { continue }
                let full = [Int](repeating: 1, count: permutation.count - constant.shape.count) + constant.shape
                inputs[index] = graph.addConstant(try constant.reshaped(full), name: "\(node.name):\(index)")
            }
        }
        let descriptions = graph.descriptions(inputs)
        guard zip(inputs, descriptions).allSatisfy({ $0 == nil || $1 != nil }),
            case .known(let outputs) = try node.operation.infer(descriptions),
            let sinking = node.operation.sinking(permutation, descriptions, outputs)
        else { return false }
        let inverse = permutation.inverted
        for index in sinking.inputs {
            guard let input = inputs[index] else { return false }
            if let origin = origins[input], origin.permutation == permutation {
                inputs[index] = origin.source
            } else if let description = graph[input], description.shape.count == permutation.count {
                // Another layout: worth a transpose of its own only when it costs nothing.
                let moved = inverse.filter { description.shape[$0] != 1 }
                guard description.constant != nil || zip(moved, moved.dropFirst()).allSatisfy({ $0 < $1 }) else {
                    return false
                }
                let shape = inverse.map { Int64(description.shape[$0]) }
                if description.constant != nil {
                    inputs[index] = try graph.append(
                        Transpose(permutation: inverse), [input], name: "\(node.name):\(index)")
                } else {
                    let target = graph.addConstant(try Tensor(shape), name: "\(node.name):shape")
                    inputs[index] = try graph.append(
                        Reshape(allowZero: true), [input, target], name: "\(node.name):\(index)")
                }
            } else {
                return false
            }
        }
        // Everything that is transposed has to be undone, or the operator would see two layouts.
        for (index, input) in inputs.enumerated() where !sinking.inputs.contains(index) {
            if let input, origins[input]?.permutation.count == permutation.count { return false }
        }
        let values = node.outputs.indices.map { graph.addPlainValue("\(node.name):\($0)") }
        try graph.append(
            Graph.Node(name: node.name, operation: sinking.replacement, inputs: inputs, outputs: values))
        try finish(&graph, node, values, sinking.outputPermutations, &origins)
        return true
    }

    private static func finish(
        _ graph: inout ShapedGraph, _ node: Graph.Node, _ values: [Graph.ValueID], _ permutations: [[Int]],
        _ origins: inout [Graph.ValueID: Origin]
    ) throws {
        for (index, output) in node.outputs.enumerated() {
            let origin = Origin(source: values[index], permutation: permutations[index])
            let transpose = Graph.Node(
                name: "\(node.name):transposed", operation: Transpose(permutation: origin.permutation),
                inputs: [origin.source], outputs: [output])
            try emit(&graph, origin, transpose)
            if origin.permutation != Array(origin.permutation.indices) { origins[output] = origin }
        }
    }
}

extension Array where Element == Int {
    /// The permutation that undoes this one.
    var inverted: [Int] {
        var result = self
        for (index, value) in enumerated() { result[value] = index }
        return result
    }
}
