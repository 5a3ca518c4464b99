import CoreML
import VisionTraining
import VisionThreads
import VisionPhotos

extension MLImageClassifier {
    /// Returns the most probable label of a photo.
    ///
    /// - Throws: `MLCreateError.io` if the photo cannot be read.
    public func prediction(from url: URL) throws -> String {
        try label(of: ImageSource(url: url), named: url.path)
    }

    /// Returns the most probable label of an image, which counts as upright.
    ///
    /// - Throws: `MLCreateError`.
    public func prediction(from image: CGImage) throws -> String {
        try label(of: ImageSource(cgImage: image), named: "The image")
    }

    private func label(of image: ImageSource, named name: String) throws -> String {
        do {
            return try Self.label(of: features.source.features(of: image, threads: nil), model)
        } catch let error as ImageError {
            throw MLCreateError.io(reason: "\(name): \(error.description)")
        }
    }

    /// Returns the most probable label of each photo, computed on all processors.
    ///
    /// - Throws: `MLCreateError.io` if one of them cannot be read.
    public func predictions(from urls: [URL]) throws -> [String] {
        let extraction = FeatureExtraction(
            source: features.source, cache: .none(features.source),
            threads: Processors.count)
        return try zip(urls, extraction.run(urls).outcomes).map { url, outcome in
            switch outcome {
            case .unreadable(let reason): throw MLCreateError.io(reason: "\(url.path): \(reason)")
            case .features(let found, _): try Self.label(of: found.first ?? [], model)
            }
        }
    }

    /// Evaluates the classifier on labelled photos. If that is not possible, the metrics have an `error`.
    public func evaluation(on labeledImages: DataSource) -> MLClassifierMetrics {
        evaluation(on: labeledImages, settings: TrainingSettings())
    }

    /// Evaluates the classifier on photos by label. If that is not possible, the metrics have an `error`.
    public func evaluation(on labeledImages: [String: [URL]]) -> MLClassifierMetrics {
        evaluation(on: .filesByLabel(labeledImages))
    }

    package func evaluation(on images: DataSource, settings: TrainingSettings) -> MLClassifierMetrics {
        Self.evaluation(of: model, features, on: images, settings)
    }

    /// Evaluates a classifier that was read from a file.
    package static func evaluation(
        of model: MLModel, on images: DataSource, settings: TrainingSettings
    ) -> MLClassifierMetrics {
        do {
            guard let features = try ClassifierFeatures(model: model) else {
                throw MLCreateError.type(reason: "The model is not a classifier that Create ML made here.")
            }
            return evaluation(of: model, features, on: images, settings)
        } catch {
            return MLClassifierMetrics(error: error as? MLCreateError ?? .generic(reason: "\(error)"))
        }
    }

    private static func evaluation(
        of model: MLModel, _ features: ClassifierFeatures, on images: DataSource, _ settings: TrainingSettings
    ) -> MLClassifierMetrics {
        do {
            let found = try images.photos()
            guard !found.photos.isEmpty else { throw found.noPhotosError }
            let cache = FeatureCache(
                folder: settings.cacheFolder, identity: features.source.identity,
                featureCount: features.source.featureCount)
            let extraction = FeatureExtraction(source: features.source, cache: cache, threads: settings.threads)
            var skipped = Dictionary(found.skipped.map { ($0.path, $0.reason) }) { first, _ in first }
            var results: [(label: String, predicted: String)] = []
            let onEvent = settings.onEvent
            let urls = found.photos.map(\.url)
            let outcomes = try extraction.run(urls, onProgress: { try onEvent(.photos(done: $0, total: $1)) }).outcomes
            for (photo, outcome) in zip(found.photos, outcomes) {
                switch outcome {
                case .unreadable(let reason): skipped[photo.url.path] = reason
                case .features(let values, _):
                    results.append((photo.label, try label(of: values.first ?? [], model)))
                }
            }
            return MLClassifierMetrics(
                results, classes: model.interface.classifier?.labels ?? [], skipped: skipped)
        } catch {
            return MLClassifierMetrics(error: error as? MLCreateError ?? .generic(reason: error.localizedDescription))
        }
    }
}

extension FeatureCache {
    /// A cache that stores nothing.
    static func none(_ source: any FeatureSource) -> FeatureCache {
        FeatureCache(folder: nil, identity: source.identity, featureCount: source.featureCount)
    }
}
