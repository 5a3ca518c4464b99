/// A layer of a Core ML neural network, to be replaced by the operators that do its work.
struct NeuralNetworkLayer: CompositeOperator {
    /// As the specification spells it.
    let type: String
    let definition: NeuralNetworkLayerDefinition
    /// The message with the layer's parameters.
    let parameters: ProtobufMessage
    let weights: CoreMLWeights
    /// Arrays have the rank that the layers give them; otherwise all are (sequence, batch, channel, row, column).
    let hasExactRanks: Bool
    let outputCount: Int

    var name: String { type }

    func expand(_ node: Graph.Node, into graph: inout ShapedGraph) throws -> [Graph.ValueID] {
        let lowering = NeuralNetworkLowering(
            self, name: node.name, inputs: node.inputs.compactMap { $0 }, graph: ShapedGraph(evaluator: graph.evaluator)
        )
        // The graph is lent, not copied.
        swap(&graph, &lowering.graph)
        defer { swap(&graph, &lowering.graph) }
        return try definition.lower(lowering)
    }
}

/// How one layer is expressed by the engine's operators.
struct NeuralNetworkLayerDefinition: Sendable {
    /// What is left out.
    var notes: String
    var lower: @Sendable (NeuralNetworkLowering) throws -> [Graph.ValueID]

    init(notes: String = "", lower: @escaping @Sendable (NeuralNetworkLowering) throws -> [Graph.ValueID]) {
        self.notes = notes
        self.lower = lower
    }

    /// A layer with one output.
    init(notes: String = "", _ lower: @escaping @Sendable (NeuralNetworkLowering) throws -> Graph.ValueID) {
        self.init(notes: notes, lower: { layer in [try lower(layer)] })
    }

    /// The layers that run; the others are refused by name.
    static let all: [String: NeuralNetworkLayerDefinition] = [
        windows, volumes, linear, normalisation, elementwise, shapes, indexing, selection, recurrent,
        custom,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    /// The types of all layers that run, those that run others among them.
    static var supported: Set<String> {
        Set(all.keys).union(NeuralNetworkControl.types).union(NeuralNetworkControl.jumps)
    }
}

/// One layer being expressed by operators of the engine.
///
/// Without exact ranks, values are (sequence, batch, channel, row, column), and those of a sequence of one element are
/// kept without that axis: so that networks of images are made of four axes, which the passes know best.
final class NeuralNetworkLowering: CoreMLBuilder {
    let layer: NeuralNetworkLayer
    let inputs: [Value]

    init(_ layer: NeuralNetworkLayer, name: String, inputs: [Value], graph: ShapedGraph) {
        self.layer = layer
        self.inputs = inputs
        super.init(graph, name: name)
    }

    var parameters: ProtobufMessage { layer.parameters }
    var hasExactRanks: Bool { layer.hasExactRanks }
    var outputCount: Int { layer.outputCount }

    func input(_ index: Int = 0) throws -> Value {
        guard index < inputs.count else { throw ModelError.invalid("input \(index) is missing") }
        return inputs[index]
    }

    // MARK: Parameters

    func int(_ field: Int) throws -> Int { try parameters.int(field) }
    func bool(_ field: Int) throws -> Bool { try parameters.bool(field) }
    func float(_ field: Int) throws -> Float { try parameters.float(field) }
    func ints(_ field: Int) throws -> [Int] { try parameters.ints(field) }
    func bools(_ field: Int) throws -> [Bool] { try parameters.ints(field).map { $0 != 0 } }

    /// A number of which 0 stands for a default.
    func float(_ field: Int, orIfZero fallback: Float) throws -> Float {
        let value = try float(field)
        return value == 0 ? fallback : value
    }

    /// As many numbers as wanted, or the default for each.
    func ints(_ field: Int, count: Int, default fallback: Int) throws -> [Int] {
        let values = try ints(field)
        if values.isEmpty { return [Int](repeating: fallback, count: count) }
        try require(values.count == count, "field \(field) has \(values.count) numbers, not \(count)")
        return values
    }

    func weights(_ field: Int, _ shape: Shape) throws -> Value { try weights(parameters.message(field), shape) }

    func weights(_ message: ProtobufMessage?, _ shape: Shape) throws -> Value {
        guard let message else { throw ModelError.damaged("the layer has no weights of shape \(shape)") }
        try require(shape.allSatisfy { $0 >= 0 }, "weights of shape \(shape)")
        return constant(try layer.weights.tensor(message, shape))
    }

    // MARK: Ranks

    /// A value with the axis of its sequence; with exact ranks as it is.
    func withSequence(_ value: Value) throws -> Value {
        hasExactRanks ? value : try unsqueeze(value, axes: Array(0..<max(5 - rank(value), 0)))
    }

    /// The opposite of `withSequence`.
    func withoutSequence(_ value: Value) throws -> Value {
        let shape = try shape(value)
        return !hasExactRanks && shape.count == 5 && shape[0] == 1 ? try squeeze(value, axes: [0]) : value
    }

    /// Values with as many axes as the one with the most.
    func sameRanks(_ values: [Value]) throws -> [Value] {
        let rank = try values.map { try self.rank($0) }.max() ?? 0
        return try values.map { try unsqueeze($0, axes: Array(0..<rank - self.rank($0))) }
    }

    /// Axes that count from the end, from the front.
    func axes(_ value: Value, fromEnd axes: [Int]) throws -> [Int] {
        let shape = try shape(value)
        return try axes.map { try shape.resolvedAxis($0) }
    }

    /// A vector by channels for values (…, C, H, W).
    func byChannel(_ field: Int, _ channels: Int) throws -> Value { try weights(field, [channels, 1, 1]) }

    func channels(_ value: Value) throws -> Int {
        let shape = try shape(value)
        try require(shape.count >= 3, "an input of shape \(shape)")
        return shape[shape.count - 3]
    }
}
