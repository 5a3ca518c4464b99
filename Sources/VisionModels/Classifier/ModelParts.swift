package import Foundation
package import VisionInference

/// The networks of a model: one, or for a classifier trained with this package the feature network and the last layer.
package struct ModelParts: Sendable {
    package struct Part: Sendable {
        /// The prefix of the names of the part's layers; empty where there is one part.
        package let prefix: String
        package let graph: Graph
    }

    /// In the order in which they run; none of a Core ML model that is no network.
    package let parts: [Part]

    /// The inputs of the model.
    package var inputs: [Graph.Port] { parts.first?.graph.inputs ?? [] }

    /// The outputs of the model.
    package var outputs: [Graph.Port] { parts.last?.graph.outputs ?? [] }

    /// Reads a model's file.
    ///
    /// - Parameter store: The store with the feature network of a classifier.
    /// - Throws: `ModelError`, and `ModelStoreError` where that network is not installed.
    package init(contentsOf url: URL, store: InstalledModels = InstalledModels()) throws {
        let file = try NetworkFile(contentsOf: CoreMLPackage.file(of: url))
        switch try file.contents() {
        case .graph(let graph): parts = [Part(prefix: "", graph: graph)]
        case .coreML(let model):
            if let (classifier, _) = try file.naming({ try ClassifierFile.coreML(model) }) {
                parts = try Self.parts(of: classifier, store)
            } else if model.kind.isNetwork {
                parts = [Part(prefix: "", graph: try file.naming { try model.network().graph })]
            } else {
                parts = []
            }
        case .onnx(let model):
            if let classifier = try ClassifierFile(model) {
                parts = try Self.parts(of: classifier, store)
            } else {
                parts = [Part(prefix: "", graph: try ONNXImporter.graph(model))]
            }
        }
    }

    private static func parts(of classifier: ClassifierFile, _ store: InstalledModels) throws -> [Part] {
        let features =
            switch classifier.extractor {
            case .scene(let revision): try BackboneGraph(.init(number: revision), store: store).square
            case .network(let embedded): try NetworkFile.graph(embedded.bytes.withBytes { Data($0) })
            }
        return [
            Part(prefix: "features/", graph: features),
            Part(prefix: "classifier/", graph: try ONNXImporter.graph(classifier.head)),
        ]
    }

    /// A network that is built in.
    ///
    /// - Throws: `ModelStoreError`, `ModelError`.
    package init(_ network: BuiltInNetwork) throws {
        parts = [Part(prefix: "", graph: try NetworkFile.graph(network.data()))]
    }
}
