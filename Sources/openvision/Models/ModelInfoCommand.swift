import ArgumentParser
import CoreML
import VisionInference
import VisionRecords

struct ModelInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model-info",
        abstract: "Print the inputs and outputs of a model, and check its metadata.",
        discussion: """
            Prints the inputs and outputs of the network, and those of MLModel, with images, labels and defaults from \
            the metadata in the file or in the JSON file beside it. For a classifier written by 'train', the feature \
            network and the last layer are counted together. Exit code 1 when the model cannot be loaded or its \
            metadata is invalid; the message names the operator or the key.

            Examples:
              openvision model-info efficientnet-lite0
              openvision model-info yolox.onnx --json
              openvision model-info rectangle-verifier
              openvision model-info parts.mlmodel
            """)

    @OptionGroup var model: ModelArgument

    @Flag(help: "Print JSON instead of text.")
    var json = false

    struct Port: Encodable {
        var name: String
        var type: String
        /// A dimension is null when it is open; the shape is null when it is not known.
        @Nullable var shape: [Int?]?
    }

    struct Feature: Encodable {
        var name: String
        var type: String
        var optional: Bool
    }

    struct Record: Encodable {
        var path: String
        var networkInputs: [Port]
        var networkOutputs: [Port]
        /// The number of operators of each kind, and of weights, in the file.
        var operators: [String: Int]
        var parameters: Int
        var inputs: [Feature]
        var outputs: [Feature]
        @Nullable var predictedFeature: String?
        @Nullable var labels: [String]?
        var metadata: [String: String]
    }

    func run() throws {
        let record = try Self.record(of: model.source())
        if json { return try JSONLines.print(record, kind: "model-info") }
        print(record.path)
        for (key, value) in record.metadata.sorted(by: { $0.key < $1.key }) {
            print("  \(key): \(Self.short(value))")
        }
        let count = record.operators.values.reduce(0, +)
        if count > 0 {
            print(
                "network: \(count) operators, \(Decimals.text(Double(record.parameters) / 1e6, 2)) million parameters")
            let kinds = record.operators.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            print("  " + kinds.map { "\($0.key) × \($0.value)" }.joined(separator: ", "))
        }
        record.networkInputs.forEach { print("  input \($0.text)") }
        record.networkOutputs.forEach { print("  output \($0.text)") }
        print("features:")
        record.inputs.forEach { print("  input \($0.text)") }
        record.outputs.forEach { print("  output \($0.text)") }
        if let predicted = record.predictedFeature { print("  predicts “\(predicted)”") }
        if let labels = record.labels {
            print(
                "labels: \(labels.count) (\(labels.prefix(3).joined(separator: ", "))\(labels.count > 3 ? ", …" : ""))")
        }
    }

    static func record(of source: ModelArgument.Source) throws -> Record {
        let description = try source.load().modelDescription
        let model = try source.parts()
        let nodes = model.parts.flatMap(\.graph.nodes)
        let values = model.parts.flatMap(\.graph.values)
        var metadata: [String: String] = [:]
        for (key, value) in description.metadata {
            if let text = value as? String { metadata[key.label] = text }
            for (name, text) in value as? [String: String] ?? [:] { metadata[name] = text }
        }
        return Record(
            path: source.label, networkInputs: model.inputs.map(Port.init),
            networkOutputs: model.outputs.map(Port.init),
            operators: Dictionary(nodes.map { ($0.operation.name, 1) }, uniquingKeysWith: +),
            parameters: values.reduce(0) { $0 + ($1.constant?.shape.elementCount ?? 0) },
            inputs: features(description.inputDescriptionsByName),
            outputs: features(description.outputDescriptionsByName),
            predictedFeature: description.predictedFeatureName,
            labels: description.classLabels?.map { "\($0)" }, metadata: metadata)
    }

    private static func features(_ descriptions: [String: MLFeatureDescription]) -> [Feature] {
        descriptions.values.sorted { $0.name < $1.name }.map { Feature($0) }
    }

    /// Returns the first line of a text, truncated to 100 characters.
    private static func short(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.count < text.count || line.count > 100 ? line.prefix(99) + "…" : line
    }
}

extension ModelInfoCommand.Port {
    init(_ port: Graph.Port) {
        self.init(name: port.name, type: "\(port.type)", shape: port.shape)
    }

    var text: String {
        let sizes = shape.map { $0.map { $0.map(String.init) ?? "?" }.joined(separator: " × ") } ?? "any shape"
        return "\(name): \(type), \(sizes.isEmpty ? "scalar" : sizes)"
    }
}

extension ModelInfoCommand.Feature {
    init(_ description: MLFeatureDescription) {
        let type =
            if let image = description.imageConstraint {
                "image, \(image.pixelsWide) × \(image.pixelsHigh), \(Self.name(ofPixelFormat: image.pixelFormatType))"
            } else if let array = description.multiArrayConstraint {
                "array, \(array.shape.map { $0.stringValue }.joined(separator: " × "))"
            } else {
                Self.name(of: description.type)
            }
        self.init(name: description.name, type: type, optional: description.isOptional)
    }

    var text: String { "\(name): \(type)\(optional ? ", optional" : "")" }

    private static func name(of type: MLFeatureType) -> String {
        switch type {
        case .int64: "integer"
        case .double: "number"
        case .string: "string"
        case .dictionary: "dictionary"
        case .image: "image"
        case .multiArray: "array"
        case .sequence: "sequence"
        default: "unknown"
        }
    }

    private static func name(ofPixelFormat format: OSType) -> String {
        switch format {
        case kCVPixelFormatType_32BGRA: "colour"
        case kCVPixelFormatType_OneComponent8: "grey"
        case kCVPixelFormatType_OneComponent32Float: "grey floats"
        default: "pixel format \(format)"
        }
    }
}

extension MLModelMetadataKey {
    /// The key in the JSON metadata.
    fileprivate var label: String {
        switch self {
        case .description: "description"
        case .versionString: "version"
        case .author: "author"
        case .license: "license"
        default: rawValue
        }
    }
}
