import VisionInference

/// The network of the store with the input and the outputs of a backbone.
struct BackboneGraph {
    /// For the square input.
    let square: Graph
    /// For inputs of all permitted sizes. It has a second input, `parts(for:)`. Its weights are those of `square`.
    let sized: Graph
    /// Rows and columns of the square input.
    let side: Int

    /// - Throws: `ModelStoreError`: the model is not installed, or not as it should be.
    init(_ revision: Backbone.Revision, _ arithmetic: Backbone.Arithmetic = .floats, store: InstalledModels) throws {
        let model = revision.model
        let description = try store.description(of: model)
        guard case .efficientNetLite(let network, _, _) = description.conversion else {
            throw ModelStoreError.unknownModel(model, known: Backbone.Revision.allCases.map(\.model))
        }
        let installed = try store.installed(model)
        // Weights of another version would give other numbers under the same revision.
        guard installed.isCurrent else {
            throw ModelStoreError.damaged(
                model,
                reason: "\(installed.folder.path) holds version \(installed.manifest.version), made by recipe "
                    + "\(installed.manifest.recipe), not \(description.version) by recipe \(description.recipe)")
        }
        side = network.side
        (square, sized) = try ModelStoreError.reporting(model, "cannot be loaded") {
            var file = try ONNXModel(contentsOf: installed.url)
            var levels = BackboneMap.Level.allCases
            if arithmetic == .bytes {
                guard revision == .efficientNetLite2 else {
                    throw ModelStoreError.unknownModel(
                        "\(model) in bytes", known: [Backbone.Revision.efficientNetLite2.model])
                }
                file = try ByteRanges(builtIn: ByteRanges.scene).quantised(file)
                levels = [.last]
            }
            let graph = try Self.graph(file, network)
            return try (
                Self.graph(graph, network, levels, size: .init(square: network.side)),
                Self.graph(graph, network, levels, size: nil)
            )
        }
    }

    /// Returns the weights of each position of the last map for the means of the whole image and of its halves.
    static func parts(for size: Backbone.InputSize) throws -> Tensor {
        let (rows, columns) = (mapSide(size.rows), mapSide(size.columns))
        let shares = ImageHalf.weights(rows: rows, columns: columns)
        return try Tensor(shares, shape: [shares.count / (rows * columns), rows * columns])
    }

    /// The whole image and its halves.
    private static let partCount = 1 + ImageHalf.allCases.count

    /// Rows or columns of the last map for those of an input.
    private static func mapSide(_ side: Int) -> Int { (side + 31) / 32 }

    /// Returns the network of the store with a square input in the engine's own order, channels last, so that no
    /// transposition is needed, and without outputs.
    ///
    /// - Throws: `ModelError` for a file of another network.
    private static func graph(_ model: ONNXModel, _ network: EfficientNetLite) throws -> Graph {
        let side = network.side
        guard let name = model.graph.inputs.first?.name else { throw ModelError.invalid("it has no input") }
        var pixels = ONNXBuilder(opset: model.opsets[""] ?? 0)
        pixels.input("pixels", [1, .fixed(side), .fixed(side), 3])
        pixels.output(pixels.node("Transpose", ["pixels"], ["perm": [0, 3, 1, 2]], output: name))
        let image = ONNXType.tensor(.float, shape: [1, 3, .fixed(side), .fixed(side)])
        let logits = ONNXType.tensor(.float, shape: [1, .fixed(EfficientNetLite.classCount)])
        guard model.graph.inputs.map(\.type) == [image], model.graph.outputs.map(\.type) == [logits] else {
            throw ModelError.invalid("its input or output is not that of the network")
        }
        var graph = try ONNXImporter.graph(pixels.model.followed(by: model))
        graph.outputs = []
        return graph
    }

    /// Returns the graph whose outputs are the means of the last map for the whole image and for its halves, the logits
    /// of each, and the maps if there are others than the last.
    ///
    /// The logits of the whole and of the halves are one matrix product, since reading the classifier's weights costs
    /// more than the multiplication.
    ///
    /// - Parameters:
    ///   - graph: The network of the store.
    ///   - levels: The levels of the maps, in the order of all of them; the last one is needed.
    ///   - size: The size of the input; nil for a graph whose inputs are pixels of any permitted size and
    ///     `parts(for:)` of that size.
    /// - Throws: `ModelError` for a file of another network.
    private static func graph(
        _ graph: Graph, _ network: EfficientNetLite, _ levels: [BackboneMap.Level], size: Backbone.InputSize?
    ) throws -> Graph {
        var graph = graph
        let blocks = network.lastBlocks
        let maps = try levels.map { level in
            let name =
                switch level {
                case .quarter: blocks[4]
                case .fine: blocks[8]
                case .middle: blocks[16]
                case .end: blocks[32]
                case .last: "head.relu6"
                }
            // Channels last, as images lie in memory: then nothing has to be moved.
            return graph.add(
                Transpose(permutation: [0, 2, 3, 1]), [try value(name, in: graph)], name: "map.\(level)")
        }
        guard let last = maps.last else { throw ModelError.invalid("it has no maps") }

        let channels = EfficientNetLite.headChannels
        let weights: Graph.ValueID
        let positionCount: Int
        if let size {
            let parts = try parts(for: size)
            weights = graph.addValue("parts", constant: parts)
            positionCount = parts.shape[1]
        } else {
            // Only the pixels are an input of the file.
            for index in graph.inputs.indices { graph.inputs[index].shape = [1, nil, nil, 3] }
            weights = graph.addInput("parts", .float32, [partCount, nil])
            positionCount = -1
        }
        let shape = graph.addValue(
            "positions.shape", constant: try Tensor([Int64(positionCount), Int64(channels)]))
        let positions = graph.add(Reshape(), [last, shape], name: "positions")
        let means = graph.add(MatMul(), [weights, positions], name: "means")
        let product = graph.add(
            MatMul(transposesRight: true), [means, try value("classifier.weight", in: graph)], name: "products")
        let scores = graph.add(
            BinaryOperation(kind: .add), [product, try value("classifier.bias", in: graph)], name: "scores")

        graph.addOutput(means, name: "means", .float32, [partCount, channels])
        graph.addOutput(scores, name: "scores", .float32, [partCount, EfficientNetLite.classCount])
        for (level, map) in zip(levels, maps) where levels.count > 1 {
            graph.addOutput(map, name: "map.\(level)", .float32)
        }
        return graph
    }

    private static func value(_ name: String?, in graph: Graph) throws -> Graph.ValueID {
        guard let name, let value = graph.values.lastIndex(where: { $0.name == name }) else {
            throw ModelError.invalid("it has no layer \(name ?? "of that size")")
        }
        return value
    }
}
