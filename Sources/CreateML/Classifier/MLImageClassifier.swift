import CoreML
import VisionModels
import VisionTraining
import VisionPhotos

/// A classifier of photos that was trained with photos of one's own.
///
///     let classifier = try MLImageClassifier(trainingData: .labeledDirectories(at: folder))
///     try classifier.write(to: URL(fileURLWithPath: "Parts.mlmodel"))
///
/// Only a last layer is trained, on features of the scene network or of another one that stays as it is. The same photos and
/// parameters give the same classifier, bit for bit on the same instruction set, whatever the number of threads.
/// `Documentation/CreateML.md` says how it is done and what the file looks like.
public struct MLImageClassifier: Sendable {
    /// The classifier as a model: ready for predictions and for `VNCoreMLModel`.
    public let model: MLModel
    /// How the classifier was trained.
    public let modelParameters: ModelParameters
    /// How well it does on the photos that it was trained with.
    public let trainingMetrics: MLClassifierMetrics
    /// How well it does on photos that it was not trained with. Where some of the training photos were kept apart only to choose
    /// the regularisation, this says how well the classifier did before it was trained on them as well.
    public let validationMetrics: MLClassifierMetrics

    let features: ClassifierFeatures
    /// What training has found out.
    package let report: TrainingReport
    private let layer: LastLayer

    /// Trains a classifier. Tells on standard output how it goes.
    ///
    /// - Throws: `MLCreateError`: `io` where the folder cannot be read, `type` where it has no photos of at least two classes that
    ///   can be used, or a parameter is out of range; `generic` where the network of the features is not installed.
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

    /// - Parameter settings: what the user of the public API cannot choose.
    package init(trainingData: DataSource, parameters: ModelParameters, settings: TrainingSettings) throws {
        let photos = try trainingData.photos()
        guard !photos.photos.isEmpty else { throw photos.emptiness }
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
            throw MLCreateError(failure, place: photos.place, skipped: skipped)
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
        let judge =
            result.layer == result.validatedLayer
            ? model : try Self.model(features, result.validatedLayer, result.labels, metadata)
        report = TrainingReport(
            labels: result.labels, skipped: skipped + result.skipped,
            advice: photos.emptyLabels.map { .emptyClass(label: $0) } + result.advice, counts: result.counts,
            penalty: result.penalty, iterations: result.iterations)
        trainingMetrics = try Self.metrics(
            result.samples.filter { !$0.isValidation }, model, result.labels)
        let apart = result.samples.filter(\.isValidation)
        validationMetrics =
            apart.isEmpty
            ? MLClassifierMetrics(error: .type(reason: "No photos were kept apart to validate the classifier with."))
            : try Self.metrics(apart, judge, result.labels)
        reporter.tell(self)
    }

    private static func metrics(
        _ samples: [ClassifierTraining.Sample], _ model: MLModel, _ labels: [String]
    ) throws -> MLClassifierMetrics {
        MLClassifierMetrics(
            try samples.map { ($0.photo.label, try label(of: $0.features, model)) }, classes: labels)
    }

    /// The most probable label.
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

    /// The bytes of the file that `write(to:metadata:)` writes.
    package func data(metadata: MLModelMetadata?) throws -> Data {
        try Self.data(features, layer, report.labels, metadata ?? MLModelMetadata())
    }

    /// Writes the classifier, whatever the file's extension is: `MLModel(contentsOf:)` opens it. A file that is there is replaced,
    /// at once.
    ///
    /// - Throws: `MLCreateError.io` where the file cannot be written.
    public func write(to fileURL: URL, metadata: MLModelMetadata? = nil) throws {
        let data = try data(metadata: metadata)
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
    /// What was trained, and how well it does.
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
