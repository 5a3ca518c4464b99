package import Foundation
package import VisionInference

/// A network that is built into the library, as an ONNX file.
package struct BuiltInNetwork: Hashable, Sendable {
    /// The name that programs and people use; the file's without its extension.
    package let id: String
    /// One line for lists.
    package let summary: String

    package static let faceVerifier = BuiltInNetwork(
        id: "face-verifier", summary: "Verifies face candidates, from 64 × 64 pixels")
    package static let rectangleProposals = BuiltInNetwork(
        id: "rectangle-proposals", summary: "Proposes the outlines of rectangular objects, from 160 × 160 pixels")
    package static let rectangleVerifier = BuiltInNetwork(
        id: "rectangle-verifier", summary: "Verifies the outline of an object, from 64 × 64 pixels")
    package static let rectangleRefinement = BuiltInNetwork(
        id: "rectangle-refinement", summary: "Refines the outline of an object, from 64 × 64 pixels")
    package static let trackerTemplate = BuiltInNetwork(
        id: "tracker-template", summary: "The template of a tracked target, from maps of efficientnet-lite0")
    package static let trackerView = BuiltInNetwork(
        id: "tracker-view", summary: "The feature map of a frame for trackers, from maps of efficientnet-lite0")
    package static let trackerSearch = BuiltInNetwork(
        id: "tracker-search", summary: "The position of a tracked target, from the feature map of a frame")
    package static let saliencyAttention = BuiltInNetwork(
        id: "saliency-attention", summary: "Where people look first, from maps of efficientnet-lite2")
    package static let saliencyObjectness = BuiltInNetwork(
        id: "saliency-objectness", summary: "Objects in the foreground, from maps of efficientnet-lite2")
    package static let animals = BuiltInNetwork(
        id: "animals", summary: "Cats and dogs")
    package static let people = BuiltInNetwork(
        id: "people", summary: "Whole and upper bodies of people")

    /// All of them, in the order of lists.
    package static let all = [
        faceVerifier, rectangleProposals, rectangleVerifier, rectangleRefinement, trackerTemplate, trackerView,
        trackerSearch, saliencyAttention, saliencyObjectness, animals, people,
    ]

    /// The licence of the weights: that of this package.
    package static let licence = "Apache-2.0"

    /// Returns the network of a name; nil where none of that name is built in.
    package static func named(_ id: String) -> BuiltInNetwork? { all.first { $0.id == id } }

    /// The bytes of the file.
    ///
    /// - Throws: `ModelStoreError.damagedBuiltIn`.
    package func data() throws(ModelStoreError) -> Data {
        guard let data = BuiltInFile.data(named: id + ".onnx") else {
            throw .damagedBuiltIn(id, reason: "there is no such file in this library")
        }
        return data
    }

    /// - Throws: `ModelStoreError`, `ModelError`.
    package func model() throws -> ONNXModel { try ONNXModel(data()) }

    /// The network, ready to run.
    ///
    /// - Throws: `ModelStoreError`, `ModelError`.
    func session(options: Session.Options = .init()) throws -> Session {
        try Session(graph: NetworkFile.graph(data()), options: options)
    }

    /// Runs an operation with the network, and reports its errors as damage of the file.
    ///
    /// - Throws: `ModelStoreError` instead of a `ModelError`.
    func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ModelError {
            throw ModelStoreError.damagedBuiltIn(id, reason: "it cannot be run: \(error)")
        }
    }
}

extension ModelRegistry {
    /// Returns the loaded network of a type that is made of a built-in one.
    func network<Network: AnyObject & Sendable>(
        _ network: BuiltInNetwork, load: () throws -> Network
    ) throws(ModelStoreError) -> Network {
        try self.network(network.id, in: nil, load: load)
    }
}

extension Session {
    /// Checks the shapes of the inputs and outputs.
    ///
    /// - Throws: `ModelError.invalid`.
    func expect(inputs expectedInputs: [[Int?]?], outputs expectedOutputs: [[Int?]?]) throws {
        guard inputs.map(\.shape) == expectedInputs, outputs.map(\.shape) == expectedOutputs else {
            throw ModelError.invalid("its inputs or outputs are not those of the network")
        }
    }
}
