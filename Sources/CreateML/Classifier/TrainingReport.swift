package import VisionTraining
import VisionThreads
import VisionPhotos

/// Settings of the training, beyond the public parameters.
package struct TrainingSettings: Sendable {
    package var threads = Processors.count
    /// The cache of features; nil for none.
    package var cacheFolder = FeatureCache.standardFolder
    /// Whether to print the progress on standard output.
    package var isQuiet = false
    /// Called with the progress; an error that it throws cancels the training.
    package var onEvent: @Sendable (ClassifierTraining.Event) throws -> Void = { _ in }

    package init() {}
}

/// The results of the training besides the classifier.
package struct TrainingReport: Sendable {
    /// The classes, sorted.
    package let labels: [String]
    /// Photos and folders that could not be used, with the reason.
    package let skipped: [SkippedFile]
    package let advice: [Advice]
    package let counts: FeatureExtraction.Counts
    package let penalty: Double
    package let iterations: Int
}

extension MLImageClassifier.ModelParameters.ValidationData {
    /// - Parameter skipped: Receives the files that could not be read.
    func forTraining(_ skipped: inout [SkippedFile]) throws -> ClassifierTraining.Validation {
        switch self {
        case .none: return .none
        case .split(.automatic): return .split(ratio: 0.1, seed: 0, isFinal: false)
        case .split(.fixed(let ratio, let seed)):
            guard ratio >= 0, ratio < 1 else {
                throw MLCreateError.type(
                    reason: "The share of validation photos must be at least 0 and below 1, not \(ratio).")
            }
            return .split(ratio: ratio, seed: UInt64(bitPattern: Int64(seed ?? 0)), isFinal: true)
        case .dataSource(let source):
            let found = try source.photos()
            guard !found.photos.isEmpty else { throw found.noPhotosError }
            skipped += found.skipped
            return .photos(found.photos)
        case .dictionary(let files): return .photos(MLImageClassifier.FoundPhotos(files).photos)
        }
    }
}

extension MLCreateError {
    init(_ failure: ClassifierTraining.Failure, source: String, skipped: [SkippedFile]) {
        func list(_ files: [SkippedFile]) -> String {
            let all = skipped + files
            guard !all.isEmpty else { return "" }
            let shown = all.prefix(5).map { " \($0.path): \($0.reason)." }.joined()
            return " Could not be used:" + shown + (all.count > 5 ? " … \(all.count - 5) more." : "")
        }
        switch failure {
        case .nothingUsable(let files):
            self = .type(reason: "No photo in \(source) can be used.\(list(files))")
        case .oneClass(let label, let files):
            self = .type(
                reason:
                    "A classifier needs photos of two classes or more; \(source) has photos of “\(label)” "
                    + "only.\(list(files))"
            )
        case .tooMany(let needed, let available):
            self = .type(
                reason: "So many images need about \(needed >> 20) MiB of memory to train with, and the machine has "
                    + "\(available >> 20) MiB. Use fewer augmentation options.")
        }
    }
}
