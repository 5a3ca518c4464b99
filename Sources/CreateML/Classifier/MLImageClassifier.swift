import CoreML
import VisionModels
import VisionTraining
import VisionPhotos

/// An image classifier trained on the user's photos.
///
///     let classifier = try MLImageClassifier(trainingData: .labeledDirectories(at: folder))
///     try classifier.write(to: URL(fileURLWithPath: "Parts.mlmodel"))
///
/// Only a last layer is trained, on features of the scene network or of another fixed network. The same photos and
/// parameters give the same classifier, bit for bit on the same instruction set, whatever the number of threads.
/// `Documentation/CreateML.md` describes the method and the file format.
public struct MLImageClassifier: Sendable {
    /// The classifier as a model: ready for predictions and for `VNCoreMLModel`.
    public let model: MLModel
    /// The parameters of the training.
    public let modelParameters: ModelParameters
    /// The metrics on the training photos.
    public let trainingMetrics: MLClassifierMetrics
    /// The metrics on photos that were not used in training. If some of the training photos were held out only to
    /// choose the regularisation, these are the metrics before the classifier was trained on them as well.
    public let validationMetrics: MLClassifierMetrics

    let features: ClassifierFeatures
    /// The report of the training.
    package let report: TrainingReport
    private let layer: LastLayer

    /// Trains a classifier. Prints the progress on standard output.
    ///
    /// - Throws: `MLCreateError`: `io` if the folder cannot be read, `type` if it has no usable photos of at least two
    ///   classes, or a parameter is out of range; `generic` if the network of the features is not installed.
    public init(
        trainingData: DataSource, parameters: ModelParameters = ModelParameters(validationData: nil)
    ) throws {
        try self.init(trainingData: trainingData, parameters: parameters, settings: TrainingSettings())
    }

    /// Trains a classifier with photos by label. See `init(trainingData:parameters:)`.
    public init(
        trainingData: [String: [URL]], parameters: ModelParameters = ModelParameters(validationData: nil)
    ) throws {
        try self.init(trainingData: .filesByLabel(trainingData), parameters: parameters)
    }

    /// - Parameter settings: Settings that the public API does not have.
    package init(trainingData: DataSource, parameters: ModelParameters, settings: TrainingSettings) throws {
        let photos = try trainingData.photos()
        guard !photos.photos.isEmpty else { throw photos.noPhotosError }
        guard (1...1_000_000).contains(parameters.maxIterations) else {
            throw MLCreateError.type(reason: "maxIterations must be above 0, not \(parameters.maxIterations).")
        }
        let features = try ClassifierFeatures(parameters.featureExtractor)
        var extraction = FeatureExtraction(
            source: features.source,
            cache: FeatureCache(
                folder: settings.cacheFolder, identity: features.source.identity,
                featureCount: features.source.featureCount),
            threads: settings.threads)
        extraction.augmentation = parameters.augmentationOptions.augmentation
        var training = ClassifierTraining(extraction: extraction)
        training.maximumIterations = parameters.maxIterations
        var skipped = photos.skipped
        training.validation = try parameters.validation.forTraining(&skipped)

        let reporter = TrainingReporter(settings)
        reporter.begin(photos, notice: extraction.cache.notice)
        let result: ClassifierTraining.Result
        do {
            result = try training.run(photos.photos) { try reporter.show($0) }
        } catch let failure as ClassifierTraining.Failure {
            reporter.end()
            throw MLCreateError(failure, source: photos.sourceName, skipped: skipped)
        } catch let error as ModelStoreError {
            reporter.end()
            throw MLCreateError.generic(reason: error.description)
        }
        reporter.end()

        self.features = features
        modelParameters = parameters
        layer = result.layer
        let metadata = MLModelMetadata()
        model = try Self.model(features, result.layer, result.labels, metadata)
        let validatedModel =
            result.layer == result.validatedLayer
            ? model : try Self.model(features, result.validatedLayer, result.labels, metadata)
        report = TrainingReport(
            labels: result.labels, skipped: skipped + result.skipped,
            advice: photos.emptyLabels.map { .emptyClass(label: $0) } + result.advice, counts: result.counts,
            penalty: result.penalty, iterations: result.iterations)
        trainingMetrics = try Self.metrics(
            result.samples.filter { !$0.isValidation }, model, result.labels)
        let validationSamples = result.samples.filter(\.isValidation)
        validationMetrics =
            validationSamples.isEmpty
            ? MLClassifierMetrics(error: .type(reason: "No photos were held out for validation."))
            : try Self.metrics(validationSamples, validatedModel, result.labels)
        reporter.tell(self)
    }

    private static func metrics(
        _ samples: [ClassifierTraining.Sample], _ model: MLModel, _ labels: [String]
    ) throws -> MLClassifierMetrics {
        MLClassifierMetrics(
            try samples.map { ($0.photo.label, try label(of: $0.features, model)) }, classes: labels)
    }

    /// Returns the most probable label.
    static func label(of features: [Float], _ model: MLModel) throws -> String {
        guard let best = try model.run(extractedFeatures: features).classifications().first else {
            throw MLCreateError.generic(reason: "The classifier gave no label.")
        }
        return best.label
    }

    // MARK: - The file

    private static func model(
        _ features: ClassifierFeatures, _ layer: LastLayer, _ labels: [String], _ metadata: MLModelMetadata
    ) throws -> MLModel {
        try MLModel(classifier: data(features, layer, labels, metadata))
    }

    private static func data(
        _ features: ClassifierFeatures, _ layer: LastLayer, _ labels: [String], _ metadata: MLModelMetadata
    ) throws -> Data {
        let json = try ClassifierMetadata.json(labels: labels, metadata)
        return try ClassifierFile.data(
            extractor: features.extractor, featureCount: layer.featureCount, weights: layer.weights,
            offsets: layer.offsets, metadata: json, documentation: metadata.shortDescription)
    }

    /// Returns the bytes of the classifier as an ONNX file.
    package func data(metadata: MLModelMetadata?) throws -> Data {
        try Self.data(features, layer, report.labels, metadata ?? MLModelMetadata())
    }

    /// Returns the bytes of the classifier as a Core ML file.
    package func coreMLData(metadata: MLModelMetadata?) throws -> Data {
        try ClassifierFile.coreMLData(
            extractor: features.extractor, featureCount: layer.featureCount, weights: layer.weights,
            offsets: layer.offsets, labels: report.labels,
            metadata: ClassifierMetadata.coreML(metadata ?? MLModelMetadata()))
    }

    /// Writes the classifier: a Core ML file where the name ends in `.mlmodel`, else an ONNX file.
    /// `MLModel(contentsOf:)` opens both, with the same probabilities. An existing file is replaced atomically.
    ///
    /// - Throws: `MLCreateError.io` if the file cannot be written.
    public func write(to fileURL: URL, metadata: MLModelMetadata? = nil) throws {
        let isCoreML = fileURL.pathExtension.lowercased() == "mlmodel"
        let data = try isCoreML ? coreMLData(metadata: metadata) : data(metadata: metadata)
        do {
            try data.write(to: fileURL, options: .atomic)
        } catch {
            throw MLCreateError.io(reason: "\(fileURL.path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Writes the classifier. See `write(to:metadata:)`.
    public func write(toFile path: String, metadata: MLModelMetadata? = nil) throws {
        try write(to: URL(fileURLWithPath: path), metadata: metadata)
    }
}

extension MLImageClassifier: CustomStringConvertible, CustomDebugStringConvertible {
    /// The parameters and the accuracy.
    public var description: String {
        func percent(_ metrics: MLClassifierMetrics) -> String {
            metrics.isValid ? String(format: "%.2f %%", (1 - metrics.classificationError) * 100) : "–"
        }
        return """
            Image classifier
            Classes: \(report.labels.count)
            \(modelParameters)
            Training accuracy: \(percent(trainingMetrics))
            Validation accuracy: \(percent(validationMetrics))
            """
    }

    /// The same as `description`.
    public var debugDescription: String { description }
}
