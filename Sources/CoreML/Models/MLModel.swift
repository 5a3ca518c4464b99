package import NetworkMetadata
package import Foundation
package import VisionInference
package import VisionModels

/// A loaded network, which maps input features to output features.
///
/// It can be used by any number of threads at the same time. Models are read from `.mlmodel` files and `.mlpackage`
/// folders (`Documentation/CoreMLFiles.md` lists what runs), from `.onnx` and `.tflite` files, and from the `.mlmodelc`
/// folders that `compileModel(at:)` makes of them, or Apple's compiler of ML programs. What a `.onnx` or `.tflite`
/// file does not contain (which inputs are images, the names of the classes) is read from a JSON file of the same name
/// beside it; `Documentation/ModelMetadata.md` describes it.
public final class MLModel: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject and the configuration: both are only read.

    /// The inputs and outputs of the model.
    public let modelDescription: MLModelDescription

    package let interface: ModelInterface
    let runner: ModelRunner
    private let storedConfiguration: MLModelConfiguration

    /// A copy of the configuration with which the model was loaded.
    public var configuration: MLModelConfiguration { storedConfiguration.independentCopy() }

    /// Creates a model of a network in memory.
    ///
    /// - Throws: `MLModelError` if the metadata does not match the network or the configuration has an unknown
    ///   parameter.
    package convenience init(
        session: Session, metadata: ModelMetadata, configuration: MLModelConfiguration
    ) throws {
        try self.init(
            runner: .network(session), interface: ModelInterface(session: session, metadata: metadata),
            metadata: metadata, configuration: configuration)
    }

    /// Creates a model of a network whose file is in memory.
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

    /// - Throws: `MLModelError.parameters` if the configuration has an unknown parameter.
    init(
        runner: ModelRunner, interface: ModelInterface, metadata: ModelMetadata, configuration: MLModelConfiguration
    ) throws {
        if let key = configuration.parameters?.keys.first {
            throw MLModelError(.parameters, "The model has no parameter “\(key.name)”: models here have none.")
        }
        self.runner = runner
        self.interface = interface
        modelDescription = interface.description(metadata: metadata)
        storedConfiguration = configuration.independentCopy()
        super.init()
    }

    // MARK: - Predictions

    /// Returns the model's outputs for these inputs.
    ///
    /// Images may have any size and format: they are stretched to the model's size. Inputs that the model does not have
    /// are ignored.
    ///
    /// - Throws: `MLModelError.featureType` if a feature is missing or invalid.
    public func prediction(from input: any MLFeatureProvider) throws -> any MLFeatureProvider {
        try MLDictionaryFeatureProvider(features: run(features(of: input)).features())
    }

    /// The features that the model reads, as far as the provider has them.
    func features(of input: any MLFeatureProvider) -> [String: MLFeatureValue] {
        interface.inputs.reduce(into: [:]) { $0[$1.port.name] = input.featureValue(for: $1.port.name) }
    }

    /// Returns the model's outputs for these inputs, those in the arrays that the options name.
    ///
    /// - Throws: `MLModelError.featureType` if a feature is missing or invalid, or an array does not fit its output.
    public func prediction(
        from input: any MLFeatureProvider, options: MLPredictionOptions
    ) throws -> any MLFeatureProvider {
        try prediction(from: input).stored(in: options.outputBackings)
    }

    /// Returns the model's outputs for each element of a batch, in order.
    ///
    /// - Throws: `MLModelError.featureType` if a feature of any of them is missing or invalid.
    public func predictions(fromBatch inputBatch: any MLBatchProvider) throws -> any MLBatchProvider {
        MLArrayBatchProvider(
            array: try (0..<inputBatch.count).map { try prediction(from: inputBatch.features(at: $0)) })
    }

    /// Returns the model's outputs for each element of a batch, in order. The options have no effect: there is one
    /// device.
    public func predictions(
        from inputBatch: any MLBatchProvider, options: MLPredictionOptions
    ) throws -> any MLBatchProvider {
        try predictions(fromBatch: inputBatch)
    }

    // MARK: - For Vision

    /// Runs the network.
    ///
    /// - Parameters:
    ///   - features: The inputs by name. Those that the network does not have are ignored.
    ///   - image: The pixels of one of the image inputs, made as that input's derivative.
    ///   - threads: The largest number of threads of the run; nil for all.
    ///   - state: What the model keeps from one prediction to the next; nil for zeros.
    package func run(
        _ features: [String: MLFeatureValue], image: (input: ImageInput, pixels: Raster)? = nil, threads: Int? = nil,
        state: MLState? = nil
    ) throws -> NetworkOutputs {
        switch runner {
        case .classifier(let extractor, let session):
            return try run(
                extracted: extractor.features(
                    of: features[interface.inputs[0].port.name], image: image, threads: threads),
                session, threads: threads)
        case .network(let session):
            return try run(networkInputs(features, image), session, threads: threads)
        case .stateful(let session, let states):
            let inputs = try networkInputs(features, image)
            return try (state ?? makeState()).use(states) { kept in
                try run(inputs + kept.map { NetworkInput($0, shape: $0.layout.shape) }, session, threads: threads) {
                    for (view, array) in zip($0.suffix(kept.count), kept) {
                        copyBytes(view.byteCount, from: view.base, to: array.dataPointer)
                    }
                }
            }
        case .values(let model):
            return try NetworkOutputs(interface: interface, features: model.outputs(of: features))
        case .pipeline(let pipeline):
            return try NetworkOutputs(
                interface: interface, features: pipeline.outputs(of: features, image: image, threads: threads))
        }
    }

    /// Runs the layers after the features of a classifier.
    private func run(extracted features: [Float], _ session: Session, threads: Int?) throws -> NetworkOutputs {
        let input = NetworkInput(shape: [1, features.count]) { view in
            let target = view.elements(Float.self)
            for (index, feature) in features.enumerated() { target[index] = feature }
        }
        return try run([input], session, threads: threads)
    }

    private func networkInputs(
        _ features: [String: MLFeatureValue], _ image: (input: ImageInput, pixels: Raster)?
    ) throws -> [NetworkInput] {
        try interface.inputs.map { input in
            if let image, image.input.name == input.port.name { return image.input.input(of: image.pixels) }
            return try input.input(of: features[input.port.name])
        }
    }

    /// - Parameter also: Reads all outputs, those among them that are no outputs of the model.
    private func run(
        _ inputs: [NetworkInput], _ session: Session, threads: Int?, also: ([TensorView]) -> Void = { _ in }
    ) throws -> NetworkOutputs {
        do {
            return try session.run(shapes: inputs.map(\.shape), threads: threads) { index, view in
                inputs[index].fill(view)
            } read: { views in
                also(views)
                return try NetworkOutputs(interface: interface, views: views)
            }
        } catch let error as ModelError {
            throw MLModelError(error)
        }
    }
}

extension MLModel {
    /// The backbone that a classifier's features come from; nil for other models.
    package var backbone: Backbone.Revision? {
        if case .classifier(.backbone(let backbone), _) = runner { backbone.revision } else { nil }
    }

    /// Whether the model was trained here, on whole images.
    package var isTrainedClassifier: Bool { if case .classifier = runner { true } else { false } }

    /// Runs the layers after the backbone.
    ///
    /// - Precondition: `features` are of the model's `backbone`.
    package func run(backboneFeatures features: BackboneFeatures) throws -> NetworkOutputs {
        precondition(features.revision == backbone)
        return try run(extractedFeatures: features.pooled)
    }

    /// Runs the layers after the features of a classifier made by Create ML.
    package func run(extractedFeatures features: [Float]) throws -> NetworkOutputs {
        guard case .classifier(_, let session) = runner else {
            throw MLModelError(.generic, "The model is not a classifier that Create ML made here.")
        }
        return try run(extracted: features, session, threads: 1)
    }
}

extension MLModelError {
    /// Translates an error of the engine to this module's.
    convenience init(_ error: ModelError) {
        switch error.kind {
        case .unreadable: self.init(.io, error.description)
        case .wrongInput: self.init(.featureType, error.description)
        case .damaged, .unsupported, .invalid, .tooLarge: self.init(.generic, error.description)
        }
    }
}
