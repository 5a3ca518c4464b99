package import Foundation

/// A model of Core ML's specification (Model.proto), read as far as its description; what is in it is read by whoever
/// runs that kind of model.
package struct CoreMLModel: Sendable {
    /// Versions of the specification that are read.
    package static let versions = 1...9

    package let version: Int
    package let description: CoreMLDescription
    package let kind: CoreMLKind
    /// The message of the kind.
    package let content: ProtobufMessage
    /// Where files with weights lie: the folder of the specification.
    package let folder: URL?
    /// What makes the layers of a neural network that a class of the program computes; nil: they are refused.
    package var customLayers: CustomLayerFactory?

    /// - Throws: `ModelError` when it is damaged, newer than what is read, or of a kind that cannot be run.
    package init(_ bytes: ModelBytes, folder: URL? = nil) throws {
        try self.init(ProtobufMessage(bytes, format: "Core ML"), folder: folder)
    }

    /// - Parameter message: also a model within a pipeline.
    package init(_ message: ProtobufMessage, folder: URL?) throws {
        version = try message.int(1)
        guard version >= Self.versions.lowerBound else {
            throw ModelError.damaged("the specification has version \(version)")
        }
        guard version <= Self.versions.upperBound else {
            throw ModelError.unsupported(
                "its specification has version \(version), and the newest that is read is "
                    + "\(Self.versions.upperBound). Save it for an earlier deployment target")
        }
        guard let number = message.first(in: CoreMLKind.numbers), let content = try message.message(number) else {
            throw ModelError.damaged("the specification has no model in it")
        }
        guard let kind = CoreMLKind(rawValue: number) else {
            throw ModelError.unsupported("it is of a kind (field \(number)) that is not known here")
        }
        self.kind = kind
        self.content = content
        self.folder = folder
        description = try CoreMLDescription(message.message(2))
        if let reason = kind.refusal { throw ModelError.unsupported("\(kind) \(reason)") }
    }

    /// What a specification says of its inputs and outputs, also that of a model which cannot be run here.
    ///
    /// - Throws: `ModelError` when it is damaged.
    package static func description(_ bytes: ModelBytes) throws -> CoreMLDescription {
        try CoreMLDescription(ProtobufMessage(bytes, format: "Core ML").message(2))
    }

    /// The network of a model that is one.
    ///
    /// - Throws: `ModelError` when it is of another kind, damaged, or needs what the engine does not have.
    package func network() throws -> CoreMLNetwork {
        switch kind {
        case .neuralNetwork, .neuralNetworkClassifier, .neuralNetworkRegressor:
            return try NeuralNetworkImporter.network(self)
        case .mlProgram: return try ProgramImporter.network(self)
        default:
            throw ModelError.unsupported("\(kind) is no network: open it with MLModel")
        }
    }
}

/// A network that was imported from a Core ML file, and how its ports relate to the file's features.
package struct CoreMLNetwork: Sendable {
    package var graph: Graph
    /// What an image input is multiplied by, and what is added; of red, green and blue. Images without an entry go into
    /// the network as they are.
    package var preprocessing: [String: (scale: Float, bias: SIMD3<Float>)] = [:]
    /// The labels of a classifier, and the output that has their probabilities.
    package var classifier: CoreMLClassLabels?
    package var probabilities: String?
    /// What the network keeps from one prediction to the next: inputs and outputs of the graph after all others, of
    /// which the outputs have the names of the inputs with `stateSuffix`.
    package var states: [State] = []

    package struct State: Sendable {
        package var name: String
        package var shape: Shape
    }

    static let stateSuffix = ":next"
}

/// The classes of a classifier.
package enum CoreMLClassLabels: Sendable {
    case strings([String])
    case integers([Int])

    /// Nil where the message has neither.
    package init?(_ message: ProtobufMessage, strings: Int = 100, integers: Int = 101) throws {
        if let vector = try message.message(strings) {
            self = .strings(try vector.strings(1))
        } else if let vector = try message.message(integers) {
            self = .integers(try vector.ints(1))
        } else {
            return nil
        }
    }

    package var count: Int {
        switch self {
        case .strings(let labels): labels.count
        case .integers(let labels): labels.count
        }
    }

    package var texts: [String] {
        switch self {
        case .strings(let labels): labels
        case .integers(let labels): labels.map(String.init)
        }
    }

    package var areIntegers: Bool { if case .integers = self { true } else { false } }
}
