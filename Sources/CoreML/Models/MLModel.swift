package import Foundation
package import VisionInference
package import VisionModels

/// A network that has been loaded: it takes features and gives features.
///
/// It can be used by any number of threads at the same time. Networks come from `.onnx` and `.tflite` files, or from the
/// `.mlmodelc` folders that `compileModel(at:)` makes of them. What the file cannot say (which inputs are images, what the
/// classes are called) is read from a JSON file of the same name beside it; `Documentation/ModelMetadata.md` describes it.
public final class MLModel: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject and the configuration: both are only read.

    /// What the model takes and gives.
    public let modelDescription: MLModelDescription

    package let interface: ModelInterface
    private let session: Session
    /// What makes the features that the session takes; nil for a network that takes its inputs itself.
    let extractor: FeatureExtractor?
    private let storedConfiguration: MLModelConfiguration

    /// How the model was loaded: a copy.
    public var configuration: MLModelConfiguration { storedConfiguration.independentCopy() }

    /// A model of a network that is in memory.
    ///
    /// - Throws: `MLModelError` where the metadata does not fit the network or the configuration asks for what is not there.
    package convenience init(
        session: Session, metadata: ModelMetadata, configuration: MLModelConfiguration
    ) throws {
        try self.init(
            session: session, extractor: nil, interface: ModelInterface(session: session, metadata: metadata),
            metadata: metadata, configuration: configuration)
    }

    /// A model of a network whose file is in memory.
    ///
    /// - Throws: `MLModelError`.
    package convenience init(network data: Data) throws {
        do {
            let session = try Session(graph: NetworkFile.graph(data))
            try self.init(
                session: session, metadata: .find(besideModelAt: nil, properties: session.metadata),
                configuration: MLModelConfiguration())
        } catch let error as ModelError {
            throw MLModelError(error)
        }
    }

    /// - Throws: `MLModelError.parameters` where the configuration asks for what is not there.
    init(
        session: Session, extractor: FeatureExtractor?, interface: ModelInterface, metadata: ModelMetadata,
        configuration: MLModelConfiguration
    ) throws {
        if let key = configuration.parameters?.keys.first {
            throw MLModelError(.parameters, "The model has no parameter “\(key.name)”: models here have none.")
        }
        self.session = session
        self.extractor = extractor
        self.interface = interface
        modelDescription = interface.description(metadata: metadata)
        storedConfiguration = configuration.independentCopy()
        super.init()
    }

    // MARK: - Predictions

    /// What the model makes of these features.
    ///
    /// Images may have any size and format: they are stretched to the model's size. Inputs that the model does not have are
    /// ignored.
    ///
    /// - Throws: `MLModelError.featureType` when a feature is missing or cannot be used.
    public func prediction(from input: any MLFeatureProvider) throws -> any MLFeatureProvider {
        let names = interface.inputs.map(\.port.name)
        let features = Dictionary(uniqueKeysWithValues: Set(names).map { ($0, input.featureValue(for: $0)) })
        return try MLDictionaryFeatureProvider(features: run(features.compactMapValues { $0 }).features())
    }

    /// What the model makes of these features. The options change nothing: there is one device.
    public func prediction(
        from input: any MLFeatureProvider, options: MLPredictionOptions
    ) throws -> any MLFeatureProvider {
        try prediction(from: input)
    }

    /// What the model makes of each set of features, in their order.
    ///
    /// - Throws: `MLModelError.featureType` when a feature of any of them is missing or cannot be used.
    public func predictions(fromBatch inputBatch: any MLBatchProvider) throws -> any MLBatchProvider {
        MLArrayBatchProvider(
            array: try (0..<inputBatch.count).map { try prediction(from: inputBatch.features(at: $0)) })
    }

    /// What the model makes of each set of features, in their order. The options change nothing: there is one device.
    public func predictions(
        from inputBatch: any MLBatchProvider, options: MLPredictionOptions
    ) throws -> any MLBatchProvider {
        try predictions(fromBatch: inputBatch)
    }

    // MARK: - For Vision

    /// Runs the network.
    ///
    /// - Parameters:
    ///   - features: By name. What the network has no input for is ignored.
    ///   - image: The pixels of one of the inputs that are images, made as that input's derivative.
    ///   - threads: The most threads that the run uses; nil for all.
    package func run(
        _ features: [String: MLFeatureValue], image: (input: ImageInput, pixels: Raster)? = nil, threads: Int? = nil
    ) throws -> NetworkOutputs {
        if let extractor {
            return try run(
                extracted: extractor.features(
                    of: features[interface.inputs[0].port.name], image: image, threads: threads),
                threads: threads)
        }
        let inputs = try interface.inputs.map { input in
            if let image, image.input.name == input.port.name { return image.input.input(of: image.pixels) }
            return try input.input(of: features[input.port.name])
        }
        return try run(inputs, threads: threads)
    }

    /// Runs what follows the features of a classifier.
    private func run(extracted features: [Float], threads: Int?) throws -> NetworkOutputs {
        let input = NetworkInput(shape: [1, features.count]) { view in
            let target = view.elements(Float.self)
            for (index, feature) in features.enumerated() { target[index] = feature }
        }
        return try run([input], threads: threads)
    }

    private func run(_ inputs: [NetworkInput], threads: Int?) throws -> NetworkOutputs {
        do {
            return try session.run(shapes: inputs.map(\.shape), threads: threads) { index, view in
                inputs[index].fill(view)
            } read: { views in
                try NetworkOutputs(interface: interface, views: views)
            }
        } catch let error as ModelError {
            throw MLModelError(error)
        }
    }
}

extension MLModel {
    /// The backbone that a classifier's features come from; nil for other models.
    package var backbone: Backbone.Revision? {
        if case .backbone(let backbone)? = extractor { backbone.revision } else { nil }
    }

    /// Whether the model was trained here, on whole images.
    package var isTrainedClassifier: Bool { extractor != nil }

    /// Runs what follows the backbone.
    ///
    /// - Precondition: `features` are of the model's `backbone`.
    package func run(backboneFeatures features: BackboneFeatures) throws -> NetworkOutputs {
        precondition(features.revision == backbone)
        return try run(extractedFeatures: features.pooled)
    }

    /// Runs what follows the features of a classifier that Create ML made.
    package func run(extractedFeatures features: [Float]) throws -> NetworkOutputs {
        try run(extracted: features, threads: 1)
    }
}

extension MLModelConfiguration {
    func independentCopy() -> MLModelConfiguration {
        copy(with: nil) as? MLModelConfiguration ?? MLModelConfiguration()
    }
}

extension MLModelError {
    /// The error of this module for what went wrong in the engine.
    convenience init(_ error: ModelError) {
        switch error {
        case .unreadable: self.init(.io, error.description)
        case .wrongInput: self.init(.featureType, error.description)
        case .damaged, .unsupported, .invalid, .tooLarge: self.init(.generic, error.description)
        }
    }
}
