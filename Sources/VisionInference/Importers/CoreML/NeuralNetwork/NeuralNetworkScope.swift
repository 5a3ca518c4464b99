/// Appends the layers of a Core ML network, and knows which value has which name.
struct NeuralNetworkScope<Sink: GraphSink> {
    var sink: Sink
    var values: [String: Graph.ValueID]
    let settings: NeuralNetworkSettings
    /// The networks within layers, by where their messages lie: those of a loop's body are run in every iteration.
    private var networks: [Int: [[NeuralNetworkEntry]]] = [:]

    init(_ sink: consuming Sink, values: [String: Graph.ValueID] = [:], settings: NeuralNetworkSettings) {
        self.sink = sink
        self.values = values
        self.settings = settings
    }

    /// A layer that depends on no condition.
    mutating func append(_ layer: NeuralNetworkEntry) throws {
        try layer.naming {
            let definition = try layer.definition()
            guard let parameters = try layer.parameters() else { throw ModelError.damaged("no parameters") }
            let inputs = try layer.inputs().map { try value($0) }
            let names = try layer.outputs()
            let operation = NeuralNetworkLayer(
                type: layer.type, definition: definition, parameters: parameters, weights: settings.weights,
                hasExactRanks: settings.hasExactRanks, outputCount: names.count)
            let outputs = try sink.append(operation, inputs, name: layer.name, outputs: names)
            for (output, value) in zip(names, outputs) { values[output] = value }
        }
    }

    /// The networks in some fields of a layer's parameters.
    mutating func networks(_ parameters: ProtobufMessage, _ fields: [Int]) throws -> [[NeuralNetworkEntry]] {
        if let networks = networks[parameters.range.lowerBound] { return networks }
        let read = try fields.map { try NeuralNetworkEntry.list(parameters.message($0)) }
        networks[parameters.range.lowerBound] = read
        return read
    }

    func value(_ name: String) throws -> Graph.ValueID {
        guard let value = values[name] else {
            throw ModelError.invalid("nothing before it makes its input “\(name)”")
        }
        return value
    }
}

/// What all layers of a network have in common.
struct NeuralNetworkSettings: Sendable {
    let weights: CoreMLWeights
    /// Arrays have the rank that the layers give them; otherwise all are (sequence, batch, channel, row, column).
    let hasExactRanks: Bool
}

/// A layer as the file lists it (`NeuralNetworkLayer` of NeuralNetwork.proto).
struct NeuralNetworkEntry: Sendable {
    let name: String
    /// As the specification spells it.
    let type: String
    private let number: Int
    private let message: ProtobufMessage

    init(_ message: ProtobufMessage) throws {
        self.message = message
        name = try message.string(1)
        guard let number = message.first(in: 100...1 << 20) else {
            throw ModelError.damaged("the layer “\(name)” has no type")
        }
        guard let type = NeuralNetworkLayerNames.all[number] else {
            throw ModelError.unsupported(
                "it is of a kind that is not known here", operation: "layer \(number)", node: name)
        }
        self.number = number
        self.type = type
    }

    /// The layers of a network (`NeuralNetwork`, or one of the messages that begin like it).
    static func list(_ network: ProtobufMessage?) throws -> [NeuralNetworkEntry] {
        try network?.messages(1).map { try NeuralNetworkEntry($0) } ?? []
    }

    func inputs() throws -> [String] { try message.strings(2) }
    func outputs() throws -> [String] { try message.strings(3) }
    func parameters() throws -> ProtobufMessage? { try message.message(number) }

    /// - Throws: `ModelError.unsupported`, with what to do, for a layer that the engine does not have.
    func definition() throws -> NeuralNetworkLayerDefinition {
        guard let definition = NeuralNetworkLayerDefinition.all[type] else {
            throw ModelError.unsupported(refusal, operation: type, node: name)
        }
        return definition
    }

    private var refusal: String {
        switch type {
        case "loopBreak", "loopContinue": "it is in no loop"
        default: "Convert the network to ONNX, or to an ML program"
        }
    }

    /// Runs `body`, whose errors name this layer.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        try ModelError.adding(.init(operation: type, node: name), body)
    }
}
