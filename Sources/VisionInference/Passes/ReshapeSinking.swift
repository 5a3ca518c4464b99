/// Lets transposes pass through changes of shape. Where one merges axes that are no neighbours before the transpose,
/// only these are brought together, and the rest of the transpose goes on.
enum ReshapeSinking {
    /// Appends the change of shape of `source` that equals `node` before a transpose, and returns both; nil when `node`
    /// is no change of shape that axes can be followed through.
    static func sink(
        _ graph: inout ShapedGraph, _ node: Graph.Node, _ permutation: [Int], _ source: Graph.ValueID?
    ) throws -> (values: [Graph.ValueID], permutation: [Int])? {
        guard node.operation.isView, let source, let shape = graph[source]?.shape, node.outputs.count == 1,
            case .known(let outputs) = try node.operation.infer(graph.descriptions(node.inputs)),
            let target = outputs.first?.shape,
            let result = permuted(shape, permutation, target)
        else { return nil }
        var base = source
        if let order = result.order {
            base = try graph.append(Transpose(permutation: order), [source], name: "\(node.name):merged")
        }
        let sizes = graph.addConstant(try Tensor(result.shape.map { Int64($0) }), name: "\(node.name):shape")
        let value = try graph.append(Reshape(allowZero: true), [base, sizes], name: "\(node.name):reshaped")
        return ([value], result.permutation)
    }

    /// What makes `target` of `source` transposed by `permutation`: a transpose of `source` where axes that are merged
    /// are not neighbours (nil when they all are), a shape, and the transpose that is left over.
    static func permuted(
        _ source: Shape, _ permutation: [Int], _ target: Shape
    ) -> (order: [Int]?, shape: Shape, permutation: [Int])? {
        let input = permutation.map { source[$0] }
        guard !input.contains(0), input.elementCount == target.elementCount, let blocks = blocks(input, target) else {
            return nil
        }
        guard !blocks.isEmpty else { return (nil, target, Array(target.indices)) }
        // Axes of the source in the order that the target merges them, run by run as they begin in the source.
        let runs = blocks.map { $0.input.map { permutation[$0] } }
        let starts = runs.map { $0.min() ?? 0 }
        // Rows of heads that are brought together, as attention does it, go where they belong at once: nothing that
        // follows would want the layout of an image.
        let isScattered = target.count <= 3 && runs.contains { !isNeighbourly($0, source) }
        let sequence = isScattered ? Array(blocks.indices) : blocks.indices.sorted { starts[$0] < starts[$1] }
        let axes = sequence.flatMap { runs[$0] }
        var order: [Int]?
        if !zip(axes, axes.dropFirst()).allSatisfy({ $0 < $1 }) {
            order = source.indices.filter { source[$0] == 1 } + axes
        }
        // Axes of one stay in front, so that images that come together here by several ways have one layout.
        let leading = target.prefix { $0 == 1 }.count
        var shape = Shape(repeating: 1, count: leading)
        var position = Array(target.indices)
        for block in sequence {
            for axis in blocks[block].output where axis >= leading {
                position[axis] = shape.count
                shape.append(target[axis])
            }
        }
        return (order, shape, position)
    }

    /// Whether nothing lies between the axes but axes of one.
    private static func isNeighbourly(_ axes: [Int], _ source: Shape) -> Bool {
        guard let first = axes.min(), let last = axes.max() else { return true }
        return (first...last).allSatisfy { source[$0] == 1 || axes.contains($0) }
    }

    /// Matches runs of axes of two shapes that hold the same elements, as short as possible. Axes of one count on the
    /// side of the output only, where they belong to the run before them, or to the first.
    private static func blocks(_ input: Shape, _ output: Shape) -> [(input: [Int], output: Range<Int>)]? {
        let inputAxes = input.indices.filter { input[$0] != 1 }
        let outputAxes = output.indices.filter { output[$0] != 1 }
        var result: [(input: [Int], output: Range<Int>)] = []
        var i = 0
        var o = 0
        while i < inputAxes.count, o < outputAxes.count {
            let first = i
            let start = result.isEmpty ? 0 : outputAxes[o]
            var a = input[inputAxes[i]]
            var b = output[outputAxes[o]]
            i += 1
            o += 1
            while a != b {
                if a < b {
                    guard i < inputAxes.count else { return nil }
                    a *= input[inputAxes[i]]
                    i += 1
                } else {
                    guard o < outputAxes.count else { return nil }
                    b *= output[outputAxes[o]]
                    o += 1
                }
            }
            let end = o < outputAxes.count ? outputAxes[o] : output.count
            result.append((Array(inputAxes[first..<i]), start..<end))
        }
        return i == inputAxes.count && o == outputAxes.count ? result : nil
    }
}
