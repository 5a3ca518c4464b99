/// Finds operators between bytes – their inputs are dequantised, their result is quantised – and replaces them by
/// operators that work on the bytes, so that a network that was quantised stays in 8 bits from layer to layer.
///
/// Runs after transposes have sunk, and before weights are folded or packed. What it cannot replace stays as it was:
/// its inputs are dequantised, its weights folded to floats.
package enum QuantisationPass {
    package static func run(_ graph: inout ShapedGraph) throws {
        guard graph.graph.nodes.contains(where: { $0.operation is DequantizeLinear }) else { return }
        var rewriter = QuantisationRewriter(graph)
        try graph.rewrite { graph, node in try rewriter.visit(node, in: &graph) }
        try DeadCode.run(&graph)
        try graph.rewrite { graph, node in
            var node = node
            if var operation = node.operation as? DequantizeLinear {
                operation.foldsConstants = true
                node.operation = operation
            }
            try graph.append(node)
        }
    }
}

/// A tensor of floats that unsigned bytes stand for.
struct ByteTensor {
    /// The bytes, unsigned.
    var value: Graph.ValueID
    var scale: QuantisedScale
}

/// A tensor of floats that constant integers stand for, with one scale or one for each index along an axis.
struct IntegerConstant {
    var value: Graph.ValueID
    var tensor: Tensor
    var scales: [Float]
    var zeroPoints: [Int]
    var axis: Int
}

/// Walks over the nodes in their order and remembers what is known of bytes.
struct QuantisationRewriter {
    /// The graph as it was before.
    let nodes: [Graph.Node]
    let producers: [Int?]
    let uses: [Int]
    let readers: [[Int]]
    /// By values of floats.
    var bytes: [Graph.ValueID: ByteTensor] = [:]
    var constants: [Graph.ValueID: IntegerConstant] = [:]
    /// By values of signed or unsigned bytes: the unsigned ones.
    var unsigned: [Graph.ValueID: Graph.ValueID] = [:]

    init(_ graph: ShapedGraph) {
        nodes = graph.graph.nodes
        producers = graph.graph.producers()
        uses = graph.graph.useCounts()
        var readers = [[Int]](repeating: [], count: graph.graph.values.count)
        for (index, node) in nodes.enumerated() {
            for case let input? in node.inputs { readers[input].append(index) }
        }
        self.readers = readers
    }

    mutating func visit(_ node: Graph.Node, in graph: inout ShapedGraph) throws {
        switch node.operation {
        case is DequantizeLinear:
            try graph.append(node)
            try noteDequantised(node, &graph)
        case is QuantizeLinear:
            if try !replaceQuantised(node, &graph) { try graph.append(node) }
        default:
            if try replaceUnquantised(node, &graph) { return }
            try graph.append(node)
            try passThrough(node, &graph)
        }
    }

    private mutating func noteDequantised(_ node: Graph.Node, _ graph: inout ShapedGraph) throws {
        guard let input = node.inputs[0], let description = graph[input], let output = node.outputs.first,
            graph[output]?.type == .float32
        else { return }
        let inputs = graph.descriptions(node.inputs)
        if let tensor = description.constant {
            guard let scales = inputs[1]?.constant?.floats, let operation = node.operation as? DequantizeLinear else {
                return
            }
            var zeroPoints = [Int](repeating: 0, count: scales.count)
            if inputs.count > 2, let points = inputs[2] {
                guard let integers = points.constant?.integers else { return }
                zeroPoints = integers
            }
            let axis = scales.count == 1 ? 0 : try tensor.shape.resolvedAxis(operation.axis)
            constants[output] = IntegerConstant(
                value: input, tensor: tensor, scales: scales, zeroPoints: zeroPoints, axis: axis)
        } else if let scale = QuantisedScale(inputs, type: description.type) {
            bytes[output] = ByteTensor(value: try unsignedBytes(of: input, &graph, node.name), scale: scale)
        }
    }

    /// The unsigned bytes of a value of signed or unsigned ones.
    private mutating func unsignedBytes(
        of value: Graph.ValueID, _ graph: inout ShapedGraph, _ name: String
    ) throws -> Graph.ValueID {
        if let known = unsigned[value] { return known }
        guard graph[value]?.type == .int8 else { return value }
        let flipped = try graph.append(QuantisedLookup.flip(from: .int8), [value], name: "\(name):unsigned")
        unsigned[value] = flipped
        return flipped
    }

    // MARK: Results that are quantised

    /// Replaces the node and what leads to it by an operator on bytes.
    private mutating func replaceQuantised(_ node: Graph.Node, _ graph: inout ShapedGraph) throws -> Bool {
        guard let input = node.inputs[0], let output = node.outputs.first, graph[input]?.type == .float32,
            case .known(let results) = try node.operation.infer(graph.descriptions(node.inputs)),
            let type = results.first?.type,
            let scale = QuantisedScale(graph.descriptions(node.inputs), type: type)
        else { return false }
        guard let result = try bytes(of: input, scale, &graph, node.name) else { return false }
        unsigned[output] = result
        // For readers that want the bytes themselves; gone with the dead code when there are none.
        let operation: any Operator = scale.isSigned ? QuantisedLookup.flip(from: .uint8) : Identity()
        try graph.append(Graph.Node(name: node.name, operation: operation, inputs: [result], outputs: node.outputs))
        return true
    }

    /// The bytes of a value of floats at a scale, if operators on bytes can make them.
    private mutating func bytes(
        of value: Graph.ValueID, _ scale: QuantisedScale, _ graph: inout ShapedGraph, _ name: String
    ) throws -> Graph.ValueID? {
        if let tensor = bytes[value] { return try rescaled(tensor, to: scale, &graph, name) }
        // Back over activations to what makes the value.
        var range = ClampedRange(scale)
        var current = value
        while let index = producers[current], nodes[index].outputs.count == 1,
            let input = nodes[index].inputs.first ?? nil,
            nodes[index].inputs.dropFirst().allSatisfy({ $0 == nil || graph[$0 ?? 0]?.constant != nil }),
            let activation = nodes[index].operation.activation(graph.descriptions(nodes[index].inputs)),
            range.clamp(activation)
        {
            if let tensor = bytes[input] {
                return try lookup(tensor, nodes[index].name, &graph) { range.bound(scale.byte(tensor.scale.value($0))) }
            }
            current = input
        }
        guard let index = producers[current] else { return nil }
        let maker = nodes[index]
        switch maker.operation {
        case is Convolution: return try convolution(maker, range, &graph)
        case is MatMul: return try dense(maker, bias: nil, range, &graph)
        case let binary as BinaryOperation: return try self.binary(binary, maker, range, &graph)
        case is Pool, is Reduce: return try average(maker, range, &graph)
        case let concat as Concat: return try self.concat(concat, maker, range, &graph)
        case is ActivationOperation, is UnaryOperation: return try unary(maker, range, &graph)
        default: return nil
        }
    }

    /// The bytes at another scale.
    private func rescaled(
        _ tensor: ByteTensor, to scale: QuantisedScale, _ graph: inout ShapedGraph, _ name: String
    ) throws -> Graph.ValueID {
        if tensor.scale.scale == scale.scale, tensor.scale.zeroPoint == scale.zeroPoint { return tensor.value }
        return try lookup(tensor, name, &graph) { scale.byte(tensor.scale.value($0)) }
    }

    private func lookup(
        _ tensor: ByteTensor, _ name: String, _ graph: inout ShapedGraph, _ body: (UInt8) -> UInt8
    ) throws -> Graph.ValueID {
        try graph.append(QuantisedLookup(name: "QuantisedLookup", body), [tensor.value], name: "\(name):bytes")
    }

    /// Tensors behind each other, brought to one scale.
    private func concat(
        _ operation: Concat, _ node: Graph.Node, _ range: ClampedRange, _ graph: inout ShapedGraph
    ) throws -> Graph.ValueID? {
        var inputs: [Graph.ValueID?] = []
        for input in node.inputs {
            guard let input, let tensor = bytes[input] else { return nil }
            if range.isWhole {
                inputs.append(try rescaled(tensor, to: range.scale, &graph, node.name))
            } else {
                inputs.append(
                    try lookup(tensor, node.name, &graph) { range.bound(range.scale.byte(tensor.scale.value($0))) })
            }
        }
        return try graph.append(operation, inputs, name: "\(node.name):bytes")
    }

    /// A function of one number: its value for every byte.
    private func unary(
        _ node: Graph.Node, _ range: ClampedRange, _ graph: inout ShapedGraph
    ) throws -> Graph.ValueID? {
        guard node.inputs.count == 1, let input = node.inputs[0], let tensor = bytes[input],
            graph[node.outputs[0]]?.type == .float32
        else { return nil }
        let source = try Tensor((0...255).map { tensor.scale.value(UInt8($0)) })
        let results = try graph.evaluator.evaluate(
            node.operation, [source], outputs: [TensorDescription(.float32, [256])])
        guard let values = results.first?.floats else { return nil }
        return try lookup(tensor, node.name, &graph) { range.bound(range.scale.byte(values[Int($0)])) }
    }

    /// Sums and products of two tensors, and sums of a product of matrices and a bias.
    private mutating func binary(
        _ operation: BinaryOperation, _ node: Graph.Node, _ range: ClampedRange, _ graph: inout ShapedGraph
    ) throws -> Graph.ValueID? {
        guard operation.kind == .add || operation.kind == .mul, var a = node.inputs[0], var b = node.inputs[1] else {
            return nil
        }
        if operation.kind == .add {
            for (product, bias) in [(a, b), (b, a)] {
                if let index = producers[product], nodes[index].operation is MatMul,
                    let result = try dense(nodes[index], bias: bias, range, &graph)
                {
                    return result
                }
            }
        }
        guard let shape = graph[node.outputs[0]]?.shape else { return nil }
        if graph[a]?.shape != shape { swap(&a, &b) }
        guard graph[a]?.shape == shape, shape.elementCount < Int(Int32.max), let first = bytes[a],
            let second = bytes[b], let other = graph[b]?.shape,
            QuantisedBinary.fits(shape, other)
        else { return nil }
        return try graph.append(
            QuantisedBinary(
                kind: operation.kind == .add ? .add : .multiply, scales: [first.scale, second.scale],
                result: range.scale, low: range.low, high: range.high), [first.value, second.value],
            name: "\(node.name):bytes")
    }

    /// Averages of windows or whole images.
    private func average(
        _ node: Graph.Node, _ range: ClampedRange, _ graph: inout ShapedGraph
    ) throws -> Graph.ValueID? {
        guard range.isWhole, let input = node.inputs[0], let tensor = bytes[input] else { return nil }
        var operation: QuantisedPool
        switch node.operation {
        case let pool as Pool:
            guard case .average(let countsPadding) = pool.kind, !pool.geometry.roundsUp || !countsPadding else {
                return nil
            }
            operation = QuantisedPool(
                kind: .average(from: tensor.scale, to: range.scale, countsPadding: countsPadding),
                geometry: pool.geometry)
        case let reduce as Reduce:
            guard reduce.kind == .mean, let shape = graph[input]?.shape, shape.count == 4,
                max(shape[1], shape[2]) < 2048,
                try reduce.reducedAxes(graph.descriptions(node.inputs)) == [1, 2]
            else { return nil }
            operation = QuantisedPool(
                kind: .average(from: tensor.scale, to: range.scale, countsPadding: false), geometry: nil)
            operation.keepsDimensions = reduce.keepsDimensions
        default: return nil
        }
        return try graph.append(operation, [tensor.value], name: "\(node.name):bytes")
    }

    // MARK: Results that stay floats

    /// What only moves elements, or picks some of them, does so with the bytes.
    private mutating func passThrough(_ node: Graph.Node, _ graph: inout ShapedGraph) throws {
        if let input = node.inputs.first ?? nil, let constant = constants[input], let output = node.outputs.first {
            if let moved = try self.moved(constant, node, &graph) { constants[output] = moved }
            return
        }
        guard let input = node.inputs.first ?? nil, let tensor = bytes[input], let output = node.outputs.first,
            node.outputs.count == 1, graph[output] != nil
        else { return }
        var operation = node.operation
        var inputs = node.inputs
        inputs[0] = tensor.value
        if let transpose = operation as? Transpose, transpose.permutation == [0, 2, 3, 1],
            let image = quantisedImage(tensor, &graph)
        {
            operation = QuantiseImage(scale: tensor.scale)
            inputs[0] = image
        } else if let pool = operation as? Pool {
            guard pool.kind == .maximum else { return }
            operation = QuantisedPool(kind: .max, geometry: pool.geometry)
        } else if !(operation.isView || operation is Transpose || operation is Slice || operation is DepthToSpace) {
            return
        }
        bytes[output] = ByteTensor(
            value: try graph.append(operation, inputs, name: "\(node.name):bytes"), scale: tensor.scale)
    }

    /// Constant integers transposed, or under another shape, with the axis that their scales belong to.
    private func moved(
        _ constant: IntegerConstant, _ node: Graph.Node, _ graph: inout ShapedGraph
    ) throws -> IntegerConstant? {
        var result = constant
        if let transpose = node.operation as? Transpose {
            let permutation = try transpose.permutation(rank: constant.tensor.shape.count)
            result.axis = permutation.firstIndex(of: constant.axis) ?? 0
        } else if !node.operation.isView || constant.scales.count > 1 && constant.axis != 0 {
            return nil
        }
        result.value = try graph.append(
            node.operation, [constant.value] + node.inputs.dropFirst(), name: "\(node.name):integers")
        guard let tensor = graph[result.value]?.constant,
            constant.scales.count == 1 || tensor.shape[result.axis] == constant.scales.count
        else { return nil }
        result.tensor = tensor
        return result
    }

    /// The image of floats (N, C, H, W) that bytes were made of.
    private func quantisedImage(_ tensor: ByteTensor, _ graph: inout ShapedGraph) -> Graph.ValueID? {
        guard !tensor.scale.isSigned, tensor.value < producers.count, let index = producers[tensor.value],
            nodes[index].operation is QuantizeLinear, unsigned[tensor.value] == nil,
            let image = nodes[index].inputs[0], let description = graph[image], description.type == .float32,
            description.shape.count == 4
        else { return nil }
        return image
    }
}

/// The bytes that a result may have: those of its scale, within the bounds of the activations that come before.
struct ClampedRange {
    let scale: QuantisedScale
    private(set) var low: UInt8 = 0
    private(set) var high: UInt8 = 255

    init(_ scale: QuantisedScale) { self.scale = scale }

    /// No activation changes anything.
    var isWhole: Bool { low == 0 && high == 255 }

    /// Takes in an activation; false when it is more than bounds. Rounding keeps the order of numbers, so bounds may as
    /// well be applied to bytes.
    mutating func clamp(_ activation: Activation) -> Bool {
        switch activation.kind {
        case .identity: return true
        case .clamp(let least, let most):
            guard least <= most else { return false }
            // An activation that comes before others is within their bounds, too.
            low = bound(scale.byte(least))
            high = bound(scale.byte(most))
            return true
        default: return false
        }
    }

    func bound(_ byte: UInt8) -> UInt8 { min(max(byte, low), high) }
}
