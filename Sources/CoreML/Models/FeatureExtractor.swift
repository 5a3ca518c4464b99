package import NetworkMetadata
import Foundation
import VisionInference
package import VisionModels

/// Computes the features that a classifier made by Create ML takes.
enum FeatureExtractor: Sendable {
    case backbone(Backbone)
    case network(MLModel, ClassifierFile.EmbeddedNetwork)

    /// - Parameters:
    ///   - value: The image as a feature.
    ///   - image: The image as Vision made it: the derivative of `NetworkInput`.
    /// - Throws: `MLModelError`.
    func features(
        of value: MLFeatureValue?, image: (input: ImageInput, pixels: Raster)?, threads: Int?
    ) throws -> [Float] {
        switch self {
        case .backbone(let backbone):
            guard let buffer = value?.imageBufferValue else {
                throw MLModelError(.featureType, "The input “\(ClassifierFile.imageName)” must be an image.")
            }
            return try Self.features(of: ImageSource(pixelBuffer: buffer), by: backbone, threads: threads)
        case .network(let model, let embedded):
            let output = embedded.output
            let inner = model.interface.imageInputs[0]
            if let image {
                return try model.run([:], image: (inner, image.pixels), threads: threads).floats(of: output)
            }
            return try model.run(value.map { [inner.name: $0] } ?? [:], threads: threads).floats(of: output)
        }
    }

    private static func features(of image: ImageSource, by backbone: Backbone, threads: Int?) throws -> [Float] {
        do {
            let size = try image.uprightSize()
            let whole = PixelRegion(width: size.width, height: size.height)
            let pixels = try image.derivative(backbone.input(region: whole, fit: .fill))
            return try backbone.features(of: pixels, threads: threads).pooled
        } catch let error as ImageError {
            throw MLModelError(error)
        } catch let error as ModelStoreError {
            throw MLModelError(.generic, error.description)
        }
    }
}

extension MLModel {
    /// The decoded file of a classifier.
    ///
    /// - Throws: `MLModelError`.
    package convenience init(classifier data: Data) throws {
        do {
            let model = try ONNXModel(data)
            guard let classifier = try ClassifierFile(model) else {
                throw MLModelError(.generic, "The model is not a classifier that Create ML made here.")
            }
            try self.init(
                classifier: classifier,
                metadata: ModelMetadata.reporting {
                    try ModelMetadata.find(besideModelAt: nil, properties: model.metadata)
                },
                configuration: MLModelConfiguration())
        } catch let error as ModelError {
            throw MLModelError(error)
        }
    }

    /// Returns a network that can become part of a classifier's file, and its model.
    ///
    /// - Parameter output: The output with the features; nil for the only one.
    /// - Throws: `MLModelError` for a file that cannot be read, a model with inputs other than one image, and an output
    ///   that is not an array.
    package static func embeddable(
        contentsOf url: URL, output: String?
    ) throws -> (network: ClassifierFile.EmbeddedNetwork, model: MLModel) {
        let file = try ModelFile(url)
        let model = try MLModel(file)
        guard !model.isTrainedClassifier, model.interface.inputs.count == 1, model.interface.imageInputs.count == 1
        else {
            throw MLModelError(
                .generic,
                "\(url.path) cannot make features: it must be a network that takes one image and nothing else.")
        }
        let names = model.interface.outputs.filter { $0.image == nil }.map(\.port.name)
        guard let name = output ?? (names.count == 1 ? names.first : nil), names.contains(name) else {
            throw MLModelError(
                .generic,
                (output.map { "\(url.path) has no output “\($0)” that is an array." }
                    ?? "Name the output to be used.")
                    + " \(url.path) has: \(names.joined(separator: ", ")).")
        }
        let bytes: ModelBytes
        switch try file.contents() {
        case .coreML:
            throw MLModelError(
                .generic,
                "\(url.path) is a Core ML file, which does not go into the file of a classifier. Convert it to ONNX.")
        case .graph: bytes = file.bytes
        // Rewritten to include the weights of other files.
        case .onnx(let model): bytes = ModelBytes(model.serialised())
        }
        let metadataFile = ModelMetadata.file(besideModelAt: file.url)
        let metadata =
            FileManager.default.fileExists(atPath: metadataFile.path)
            ? String(
                decoding: try ModelMetadata.reporting { try ModelMetadata.selfContained(metadataFile) }, as: UTF8.self)
            : nil
        return (
            ClassifierFile.EmbeddedNetwork(
                form: file.form.rawValue, bytes: ModelSlice(bytes), metadata: metadata, output: name), model
        )
    }

    /// Returns the network that computes a classifier's features, if it is part of the classifier's file.
    package var embeddedNetwork: (model: MLModel, network: ClassifierFile.EmbeddedNetwork)? {
        if case .classifier(.network(let model, let network), _) = runner { (model, network) } else { nil }
    }

    /// Creates a model of a classifier made by Create ML.
    ///
    /// - Throws: `MLModelError` if the network that computes its features is missing, or does not match the classifier.
    package convenience init(
        classifier: ClassifierFile, metadata: ModelMetadata, configuration: MLModelConfiguration
    ) throws {
        do {
            let session = try Session(graph: ONNXImporter.graph(classifier.head))
            let extractor = try Self.extractor(of: classifier, configuration)
            let inputs: [ModelInterface.Input]
            switch extractor {
            case .backbone: inputs = [try Self.statedImage]
            case .network(let model, _): inputs = model.interface.inputs
            }
            let interface = try ModelInterface(session: session, metadata: metadata, inputs: inputs)
            guard interface.classifier != nil else {
                throw MLModelError(
                    .generic, "The model has the features of a classifier, and no labels for its scores.")
            }
            try self.init(
                runner: .classifier(extractor, session), interface: interface, metadata: metadata,
                configuration: configuration)
        } catch let error as ModelError {
            throw MLModelError(error)
        }
    }

    private static func extractor(
        of classifier: ClassifierFile, _ configuration: MLModelConfiguration
    ) throws -> FeatureExtractor {
        switch classifier.extractor {
        case .scene(let revision):
            do {
                let backbone = try Backbone.shared(.init(number: revision))
                guard classifier.featureCount == Backbone.featureCount else {
                    throw MLModelError(
                        .generic,
                        "The classifier takes \(classifier.featureCount) features, and the scene network gives "
                            + "\(Backbone.featureCount).")
                }
                return .backbone(backbone)
            } catch let error as ModelStoreError {
                throw MLModelError(
                    .generic, "The classifier takes features of the scene network, revision \(revision). \(error)")
            }
        case .network(let embedded):
            let model = try MLModel(embedded: embedded, configuration)
            guard model.interface.inputs.count == 1, model.interface.imageInputs.count == 1 else {
                throw MLModelError(
                    .generic, "The network of the classifier's features must take one image and nothing else.")
            }
            return .network(model, embedded)
        }
    }

    /// The image input of the model's description.
    private static var statedImage: ModelInterface.Input {
        get throws {
            let side = ClassifierFile.statedSide
            var image = ModelMetadata.Feature()
            image.kind = .image
            let port = Graph.Port(
                value: 0, name: ClassifierFile.imageName, type: .uint8, shape: [1, side, side, 3])
            return try ModelInterface.Input(port: port, isOnlyOne: true, metadata: image)
        }
    }

    /// Creates a network that is embedded in another file.
    private convenience init(
        embedded network: ClassifierFile.EmbeddedNetwork, _ configuration: MLModelConfiguration
    ) throws {
        let graph = try NetworkFile.graph(network.bytes.withBytes { Data($0) })
        let session = try Session(graph: graph)
        let metadata: ModelMetadata
        if let text = network.metadata {
            do {
                metadata = try ModelMetadata(json: Data(text.utf8))
            } catch {
                throw MLModelError(.generic, "The metadata of the classifier's network is not valid: \(error)")
            }
        } else {
            metadata = try ModelMetadata.reporting {
                try ModelMetadata.find(besideModelAt: nil, properties: session.metadata)
            }
        }
        try self.init(session: session, metadata: metadata, configuration: configuration)
    }
}
