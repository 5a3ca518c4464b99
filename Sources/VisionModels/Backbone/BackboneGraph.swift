import VisionInference

/// The network of the store with the input and the outputs of a backbone.
struct BackboneGraph {
    let graph: Graph
    /// Rows and columns of the input.
    let side: Int

    /// - Throws: `ModelStoreError`: the model is not installed, or not as it should be.
    init(_ revision: Backbone.Revision, store: ModelStore) throws {
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
        graph = try ModelStoreError.reporting(model, "cannot be loaded") {
            try Self.graph(ONNXModel(contentsOf: installed.url), network)
        }
    }

    /// Returns the graph whose outputs are the means of the last map for the whole image and for its halves, the logits
    /// of each, and the maps.
    ///
    /// The logits of the whole and of the halves are one matrix product, since reading the classifier's weights costs
    /// more than the multiplication. The input has the engine's own order, channels last, so that no transposition is
    /// needed.
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

        let blocks = network.lastBlocks
        let maps = try BackboneMap.Level.allCases.map { level in
            let name =
                switch level {
                case .fine: blocks[8]
                case .middle: blocks[16]
                case .last: "head.relu6"
                }
            // Channels last, as images lie in memory: then nothing has to be moved.
            return graph.add(
                Transpose(permutation: [0, 2, 3, 1]), [try value(name, in: graph)], name: "map.\(level)")
        }
        guard let last = maps.last else { throw ModelError.invalid("it has no maps") }

        let (rows, channels) = ((side + 31) / 32, EfficientNetLite.headChannels)
        let shares = ImageHalf.weights(rows: rows, columns: rows)
        let count = shares.count / (rows * rows)
        let weights = graph.addValue("parts", constant: try Tensor(shares, shape: [count, rows * rows]))
        let shape = graph.addValue(
            "positions.shape", constant: try Tensor([Int64(rows * rows), Int64(channels)]))
        let positions = graph.add(Reshape(), [last, shape], name: "positions")
        let means = graph.add(MatMul(), [weights, positions], name: "means")
        let product = graph.add(
            MatMul(transposesRight: true), [means, try value("classifier.weight", in: graph)], name: "products")
        let scores = graph.add(
            BinaryOperation(kind: .add), [product, try value("classifier.bias", in: graph)], name: "scores")

        graph.addOutput(means, name: "means", .float32, [count, channels])
        graph.addOutput(scores, name: "scores", .float32, [count, EfficientNetLite.classCount])
        for (level, map) in zip(BackboneMap.Level.allCases, maps) {
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
