import Foundation
import VisionInference

/// The network of the store with the outputs that requests about scenes want.
enum SceneGraph {
    /// The means of the last map for the whole picture and for its parts, the scores of each of them, and the maps.
    ///
    /// Scores of whole and parts are one product of matrices: reading the classifier's weights is what it costs, not how many
    /// rows are multiplied with them.
    ///
    /// - Throws: `ModelError` for a file that is not that network.
    static func graph(contentsOf url: URL, _ network: EfficientNetLite) throws -> Graph {
        var graph = try NetworkFile.graph(contentsOf: url)
        guard graph.inputs.count == 1, graph.inputs[0].shape == [1, 3, network.side, network.side],
            graph.outputs.count == 1, graph.outputs[0].shape == [1, EfficientNetLite.classCount]
        else { throw ModelError.invalid("its input or output is not that of the network") }
        graph.outputs = []

        let blocks = network.lastBlocks
        let maps = try SceneMap.Level.allCases.map { level in
            let name =
                switch level {
                case .fine: blocks[8]
                case .middle: blocks[16]
                case .last: "head.relu6"
                }
            // Turned to how pictures lie in memory: then nothing has to be moved.
            return graph.add(
                Transpose(permutation: [0, 2, 3, 1]), [try value(name, in: graph)], name: "map.\(level)")
        }
        guard let last = maps.last else { throw ModelError.invalid("it has no maps") }

        let (side, channels) = ((network.side + 31) / 32, EfficientNetLite.headChannels)
        let shares = SceneParts.weights(rows: side, columns: side)
        let count = shares.count / (side * side)
        let weights = graph.addValue("parts", constant: try Tensor(shares, shape: [count, side * side]))
        let shape = graph.addValue(
            "places.shape", constant: try Tensor([Int64(side * side), Int64(channels)]))
        let places = graph.add(Reshape(), [last, shape], name: "places")
        let means = graph.add(MatMul(), [weights, places], name: "means")
        let product = graph.add(
            MatMul(transposesRight: true), [means, try value("classifier.weight", in: graph)], name: "products")
        let scores = graph.add(
            BinaryOperation(kind: .add), [product, try value("classifier.bias", in: graph)], name: "scores")

        graph.addOutput(means, name: "means", .float32, [count, channels])
        graph.addOutput(scores, name: "scores", .float32, [count, EfficientNetLite.classCount])
        for (level, map) in zip(SceneMap.Level.allCases, maps) {
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
