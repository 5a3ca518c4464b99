/// Turns a Core ML neural network into a graph.
///
/// Every layer becomes a `NeuralNetworkLayer`, which is replaced by the engine's own operators when the shapes of a run
/// are known. Layers that the engine does not have are refused here, by name and type.
enum NeuralNetworkImporter {
    static func network(_ model: CoreMLModel) throws -> CoreMLNetwork {
        let content = model.content
        // From version 4 of the specification on.
        let hasExactRanks = try content.int(5) == 1
        let hasPlainImages = try content.int(6) == 1
        var network = CoreMLNetwork(graph: Graph())
        let settings = NeuralNetworkSettings(
            weights: CoreMLWeights(customLayers: model.customLayers), hasExactRanks: hasExactRanks)
        var scope = NeuralNetworkScope(Graph(), settings: settings)
        let means = try preprocessing(content, model.description, &network)
        for input in model.description.inputs {
            scope.values[input.name] = try add(
                input, hasExactRanks: hasExactRanks, hasPlainImages: hasPlainImages, mean: means[input.name],
                to: &scope.sink)
        }
        let stated = model.kind == .neuralNetworkClassifier ? try content.string(200) : ""
        let last = try append(
            NeuralNetworkEntry.list(content), readAtTheEnd: Set(model.description.outputs.map(\.name) + [stated]),
            &scope)
        let values = scope.values
        network.graph = scope.sink
        if model.kind == .neuralNetworkClassifier {
            network.classifier = try CoreMLClassLabels(content)
            network.probabilities = stated.isEmpty ? last : stated
        }
        try addOutputs(model, values, hasExactRanks: hasExactRanks, &network)
        return network
    }

    // MARK: Inputs

    /// Scales and biases of images; returns the mean images.
    private static func preprocessing(
        _ content: ProtobufMessage, _ description: CoreMLDescription, _ network: inout CoreMLNetwork
    ) throws -> [String: [Float]] {
        var means: [String: [Float]] = [:]
        for step in try content.messages(2) {
            var name = try step.string(1)
            if name.isEmpty { name = description.inputs.first?.name ?? "" }
            guard let input = description.inputs.first(where: { $0.name == name }), case .image(let image) = input.kind
            else { throw ModelError.invalid("preprocessing of “\(name)”, which is not an image input") }
            if let mean = try step.message(11) {
                guard network.preprocessing[name] == nil else {
                    throw ModelError.unsupported("a mean image after a scale, for the input “\(name)”")
                }
                means[name] = try mean.floats(1)
            } else if let scaler = try step.message(10) {
                guard network.preprocessing[name] == nil, means[name] == nil else {
                    throw ModelError.unsupported("several steps of preprocessing for the input “\(name)”")
                }
                // A number that is left out is 0, though a scale of 0 means nothing.
                let scale = try scaler.float(10) == 0 ? 1 : scaler.float(10)
                let bias =
                    image.channels == 1
                    ? SIMD3(repeating: try scaler.float(30))
                    : SIMD3(try scaler.float(22), try scaler.float(21), try scaler.float(20))
                network.preprocessing[name] = (scale, bias)
            }
        }
        return means
    }

    /// Adds a port for an input, and what makes of it the value that layers read.
    private static func add(
        _ input: CoreMLFeature, hasExactRanks: Bool, hasPlainImages: Bool, mean: [Float]?, to graph: inout Graph
    ) throws -> Graph.ValueID {
        func unsqueezed(_ value: Graph.ValueID, _ axes: [Int], _ graph: inout Graph) throws -> Graph.ValueID {
            let list = graph.addValue("", constant: try Tensor(axes.map { Int64($0) }))
            return graph.add(Unsqueeze(), [value, list], name: input.name)
        }
        switch input.kind {
        case .image(let image):
            let shape: [Int?] = [
                1, image.channels, image.hasOpenHeight ? nil : image.height, image.hasOpenWidth ? nil : image.width,
            ]
            var value = graph.addInput(input.name, .float32, shape)
            if let mean {
                guard mean.count == image.channels * image.height * image.width else {
                    throw ModelError.damaged("a mean image of \(mean.count) numbers for the input “\(input.name)”")
                }
                let tensor = try Tensor(mean, shape: [image.channels, image.height, image.width])
                value = graph.add(
                    BinaryOperation(kind: .sub), [value, graph.addValue("", constant: tensor)], name: input.name)
            }
            return hasExactRanks && !hasPlainImages ? try unsqueezed(value, [0], &graph) : value
        case .array(let array):
            let value = graph.addInput(input.name, .float32, array.openShape)
            if hasExactRanks { return value }
            switch array.shape.count {
            case 1: return try unsqueezed(value, [0, 2, 3], &graph)
            case 3: return try unsqueezed(value, [0], &graph)
            case 4, 5: return value
            case let rank:
                throw ModelError.unsupported(
                    "the array “\(input.name)” has \(rank) axes, where the file's version allows 1 or 3")
            }
        default:
            throw ModelError.unsupported("the input “\(input.name)” of a network is neither an image nor an array")
        }
    }

    // MARK: Layers

    /// Returns the name of the last layer's last output.
    private static func append(
        _ entries: [NeuralNetworkEntry], readAtTheEnd: Set<String>, _ scope: inout NeuralNetworkScope<Graph>
    ) throws -> String? {
        var last: String?
        var lastReader: [String: Int]?
        for (index, entry) in entries.enumerated() {
            guard NeuralNetworkControl.types.contains(entry.type) else {
                try scope.append(entry)
                last = try entry.outputs().last ?? last
                continue
            }
            try entry.naming {
                let readers = try lastReader ?? readerOfEachName(entries)
                lastReader = readers
                let control = try NeuralNetworkControl(entry, before: scope.values, scope.settings) { name in
                    readAtTheEnd.contains(name) || readers[name] ?? 0 > index
                }
                let outputs = try scope.sink.append(
                    control, control.captured.map { scope.values[$0] }, name: entry.name, outputs: control.results)
                for (name, value) in zip(control.results, outputs) { scope.values[name] = value }
            }
        }
        return last
    }

    /// The index of the last layer that reads a name.
    private static func readerOfEachName(_ entries: [NeuralNetworkEntry]) throws -> [String: Int] {
        try entries.enumerated().reduce(into: [:]) { readers, entry in
            for name in try NeuralNetworkControl.namesRead(by: entry.element) { readers[name] = entry.offset }
        }
    }

    // MARK: Outputs

    private static func addOutputs(
        _ model: CoreMLModel, _ values: [String: Graph.ValueID], hasExactRanks: Bool, _ network: inout CoreMLNetwork
    ) throws {
        var isListed = false
        for output in model.description.outputs {
            let shape: [Int]
            switch output.kind {
            case .image, .double, .int64: shape = []
            case .array(let array): shape = array.shape
            default:
                // Labels and probabilities of a classifier are made of its scores.
                if network.classifier != nil { continue }
                throw ModelError.unsupported("the output “\(output.name)” of a network is not an image or an array")
            }
            if network.classifier != nil, output.name == model.description.predictedFeatureName { continue }
            guard let value = values[output.name] else {
                throw ModelError.invalid("no layer makes the output “\(output.name)”")
            }
            isListed = isListed || output.name == network.probabilities
            network.graph.addOutput(
                hasExactRanks ? value : declared(value, shape, output, &network.graph), name: output.name, .float32)
        }
        guard let scores = network.probabilities, network.classifier != nil, !isListed else { return }
        guard let value = values[scores] else {
            throw ModelError.invalid("no layer makes the probabilities “\(scores)”")
        }
        network.graph.addOutput(value, name: scores, .float32)
    }

    /// An array with the rank that the file declares: layers had five axes for it.
    private static func declared(
        _ value: Graph.ValueID, _ shape: [Int], _ output: CoreMLFeature, _ graph: inout Graph
    ) -> Graph.ValueID {
        guard case .array = output.kind else { return value }
        return graph.add(DeclaredShape(shape: shape), [value], name: output.name)
    }
}

/// Leaves out the axes of a value (sequence, batch, channel, row, column) that a file's description does not have.
private struct DeclaredShape: CompositeOperator {
    let shape: Shape

    var name: String { "output" }

    func expand(_ node: Graph.Node, into graph: inout ShapedGraph) throws -> [Graph.ValueID] {
        guard let input = node.inputs.first ?? nil, let found = graph[input]?.shape else { throw ExpansionPostponed() }
        let builder = CoreMLBuilder(ShapedGraph(evaluator: graph.evaluator), name: node.name)
        swap(&graph, &builder.graph)
        defer { swap(&graph, &builder.graph) }
        return [try builder.reshape(input, target(of: found))]
    }

    /// What is declared where as many elements are; otherwise what is left without a sequence and a batch of one.
    private func target(of found: Shape) -> Shape {
        if !shape.isEmpty, shape.allSatisfy({ $0 > 0 }),
            (try? shape.checkedElementCount(.float32)) == found.elementCount
        {
            return shape
        }
        let inner = Array(found.suffix(3))
        guard found.dropLast(3).allSatisfy({ $0 == 1 }) else {
            return Array(repeating: 1, count: max(5 - found.count, 0)) + found
        }
        let isVector = inner.count == 3 && inner[1] == 1 && inner[2] == 1 && shape.count <= 1
        return isVector ? [inner[0]] : inner
    }
}
