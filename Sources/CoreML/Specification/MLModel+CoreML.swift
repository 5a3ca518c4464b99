import NetworkMetadata
import VisionInference
import VisionModels

extension MLModel {
    /// Pipelines within pipelines.
    private static let deepestPipeline = 8

    /// A model of a Core ML file.
    ///
    /// - Parameters:
    ///   - url: Where it was read from, for the metadata beside it; nil for a part of a pipeline.
    ///   - depth: In how many pipelines it is.
    /// - Throws: `ModelError` or `MLModelError` when it is damaged or needs what there is not.
    convenience init(_ model: CoreMLModel, url: URL?, configuration: MLModelConfiguration, depth: Int = 0) throws {
        let description = model.description
        let metadata = try ModelMetadata.beside(url, description)
        switch model.kind {
        case .neuralNetwork, .neuralNetworkClassifier, .neuralNetworkRegressor, .mlProgram:
            var model = model
            model.customLayers = { try ProgramLayer($0) }
            let network = try model.network()
            let session = try Session(graph: network.graph)
            let interface = try ModelInterface(network, session: session, description, metadata: metadata)
            // Layers and operations are made into operators for the usual sizes: what is wrong with them shows now.
            let shapes = interface.inputs.map { $0.usualLengths } + network.states.map(\.shape)
            _ = try session.outputDescriptions(for: shapes)
            try self.init(
                runner: network.states.isEmpty ? .network(session) : .stateful(session, network.states),
                interface: interface, metadata: metadata, configuration: configuration)
        case .pipeline, .pipelineClassifier, .pipelineRegressor:
            try self.init(
                pipeline: model, metadata: metadata, configuration: configuration, depth: depth)
        default:
            let values = try Self.values(model)
            try self.init(
                runner: .values(values.model),
                interface: ModelInterface(description, labels: values.labels, metadata: metadata), metadata: metadata,
                configuration: configuration)
        }
    }

    /// A model that is no network.
    private static func values(_ model: CoreMLModel) throws -> (model: any ValueModel, labels: CoreMLClassLabels?) {
        let (content, description) = (model.content, model.description)
        func labels() throws -> CoreMLClassLabels? { try CoreMLClassLabels(content) }
        switch model.kind {
        case .glmRegressor: return (try LinearModel(content, description, isClassifier: false), nil)
        case .glmClassifier: return (try LinearModel(content, description, isClassifier: true), try labels())
        case .treeEnsembleRegressor: return (try TreeEnsemble(content, description, isClassifier: false), nil)
        case .treeEnsembleClassifier: return (try TreeEnsemble(content, description, isClassifier: true), try labels())
        case .supportVectorRegressor: return (try SupportVectorMachine(content, description, isClassifier: false), nil)
        case .supportVectorClassifier:
            return (try SupportVectorMachine(content, description, isClassifier: true), try labels())
        case .kNearestNeighborsClassifier:
            let neighbours = try NearestNeighbours(content, description)
            return (neighbours, neighbours.labels)
        case .nonMaximumSuppression:
            let suppression = try BoxSuppression(content)
            return (suppression, suppression.labels)
        default: return (try FeatureTransform(model.kind, content, description), nil)
        }
    }

    /// Models one after the other.
    private convenience init(
        pipeline model: CoreMLModel, metadata: ModelMetadata, configuration: MLModelConfiguration, depth: Int
    ) throws {
        guard depth < Self.deepestPipeline else {
            throw ModelError.tooLarge("more than \(Self.deepestPipeline) pipelines within each other")
        }
        let content = model.kind == .pipeline ? model.content : try model.content.message(1)
        let messages = try content?.messages(1) ?? []
        guard !messages.isEmpty else { throw ModelError.damaged("a pipeline without models") }
        let models = try messages.enumerated().map { index, message in
            do {
                let part = try CoreMLModel(message, folder: model.folder)
                return try MLModel(part, url: nil, configuration: MLModelConfiguration(), depth: depth + 1)
            } catch let error as ModelError {
                throw error.within(.init(node: "model \(index + 1) of the pipeline"))
            }
        }
        let images = models.flatMap(\.interface.imageInputs)
        var labels = models.last { $0.interface.classifier != nil }.flatMap(\.classLabels)
        var metadata = metadata
        if case .values(let last as BoxSuppression)? = models.last?.runner {
            labels = last.labels
            metadata.detector.kind = .suppressed
            metadata.detector.boxes = last.coordinatesOutput
            metadata.detector.scores = last.confidenceOutput
        }
        try self.init(
            runner: .pipeline(ModelPipeline(models: models)),
            interface: ModelInterface(model.description, labels: labels, images: images, metadata: metadata),
            metadata: metadata, configuration: configuration)
    }

    private var classLabels: CoreMLClassLabels? {
        guard let classifier = interface.classifier else { return nil }
        return classifier.areIntegers
            ? .integers(classifier.labels.map { Int($0) ?? 0 }) : .strings(classifier.labels)
    }
}

extension ModelInterface.Input {
    /// The lengths that the file's description has, or, where a length is open, a small one.
    var usualLengths: [Int] {
        let constraint = stated?.imageConstraint
        if case .image(let image) = kind, let constraint {
            let sides = [image.channels, max(constraint.pixelsHigh, 1), max(constraint.pixelsWide, 1)]
            return image.hasBatchAxis ? [1] + sides : sides
        }
        return usualShape ?? shape.map { $0 ?? 1 }
    }
}
