import Foundation
import VisionFiles
import VisionImage

/// Trains a classifier from labelled photos: features, the split, the last layer.
package struct ClassifierTraining: Sendable {
    /// How the penalty is chosen.
    package enum Validation: Sendable {
        /// The standard penalty.
        case none
        /// Some photos of every class are held out.
        /// - Parameter isFinal: Whether they stay held out. Otherwise the layer is trained on all photos once the
        ///   penalty is chosen.
        case split(ratio: Double, seed: UInt64, isFinal: Bool)
        /// Other photos.
        case photos([LabelledPhoto])
    }

    package var validation = Validation.split(ratio: 0.1, seed: 0, isFinal: false)
    package var maximumIterations = 25
    package var solver = LastLayerTraining()
    package let extraction: FeatureExtraction

    package init(extraction: FeatureExtraction) { self.extraction = extraction }

    /// The minimum number of photos for an automatic split; with fewer, each is more valuable for training.
    package static let smallestAutomaticCount = 50

    package enum Failure: Error, Equatable {
        /// No photo can be used; the files and the reasons.
        case nothingUsable([SkippedFile])
        /// Only photos of one class can be used.
        case oneClass(String, [SkippedFile])
        case tooMany(needed: Int, available: Int)
    }

    /// Progress events. An error of the handler ends the training.
    package enum Event: Sendable {
        case photos(done: Int, total: Int)
        case iteration(Int)
        /// The layer is trained and evaluated.
        case measuring
    }

    /// A photo with its features and its use.
    package struct Sample: Sendable {
        package let photo: LabelledPhoto
        /// The features of the photo itself, without augmentation.
        package let features: [Float]
        /// Whether the photo is held out for validation.
        package let isValidation: Bool
    }

    package struct Result: Sendable {
        /// Sorted.
        package let labels: [String]
        /// The layer of the classifier.
        package let layer: LastLayer
        /// The layer that was evaluated on the validation samples: the same, unless the final one was also trained on
        /// them.
        package let validatedLayer: LastLayer
        package let penalty: Double
        package let iterations: Int
        package let samples: [Sample]
        package let skipped: [SkippedFile]
        package let advice: [Advice]
        package let counts: FeatureExtraction.Counts
    }

    /// - Throws: `Failure`, and the errors of the extraction and of `onEvent`.
    package func run(
        _ photos: [LabelledPhoto], onEvent: @escaping @Sendable (Event) throws -> Void = { _ in }
    ) throws -> Result {
        try checkMemory(photos.count)
        var extra: [LabelledPhoto] = []
        if case .photos(let others) = validation { extra = others }
        let all = photos + extra
        // All photos that may be trained on are augmented: the split is only known when they have been read.
        let (outcomes, counts) = try extraction.run(all.map(\.url), augments: { $0 < photos.count }) { done, total in
            try onEvent(.photos(done: done, total: total))
        }

        var skipped: [SkippedFile] = []
        var usable: [(photo: LabelledPhoto, features: [[Float]], content: ContentDigest, isExtra: Bool)] = []
        for (index, outcome) in outcomes.enumerated() {
            switch outcome {
            case .unreadable(let reason): skipped.append(SkippedFile(path: all[index].url.path, reason: reason))
            case .features(let features, let content):
                usable.append((all[index], features, content, index >= photos.count))
            }
        }
        let labels = Set(usable.filter { !$0.isExtra }.map(\.photo.label)).sorted()
        guard let first = labels.first else { throw Failure.nothingUsable(skipped) }
        guard labels.count > 1 else { throw Failure.oneClass(first, skipped) }
        let numbers = Dictionary(uniqueKeysWithValues: zip(labels, 0...))

        let apart = split(usable.map { ($0.photo, $0.content, $0.isExtra) })
        var training = TrainingSamples(featureCount: extraction.source.featureCount)
        var check = training
        var kept = training
        training.reserve(usable.count * extraction.augmentation.count)
        var samples: [Sample] = []
        for (item, isApart) in zip(usable, apart) {
            let isValidation = isApart || item.isExtra
            guard let own = item.features.first else { continue }
            samples.append(Sample(photo: item.photo, features: own, isValidation: isValidation))
            // A validation photo of a class without training photos counts as wrong and does not affect the penalty.
            guard let number = numbers[item.photo.label] else { continue }
            if isValidation {
                check.append(own, label: number)
                if isApart { for features in item.features { kept.append(features, label: number) } }
            } else {
                for features in item.features { training.append(features, label: number) }
            }
        }

        var solver = solver
        solver.maximumIterations = maximumIterations
        solver.threads = extraction.threads
        solver.keepsSpread = extraction.source.isOfOneScale
        let chosen = try solver.run(training, validation: check, classes: labels.count) {
            try onEvent(.iteration($0))
        }
        var final = chosen
        if case .split(_, _, isFinal: false) = validation, check.count > 0 {
            for index in 0..<kept.count {
                training.append(kept.row(index), label: kept.labels[index])
            }
            solver.standardPenalty = chosen.penalty
            final = try solver.run(training, classes: labels.count) { try onEvent(.iteration(chosen.iterations + $0)) }
        }
        try onEvent(.measuring)
        return Result(
            labels: labels, layer: final.layer, validatedLayer: chosen.layer, penalty: chosen.penalty,
            iterations: chosen.iterations + (final.layer == chosen.layer ? 0 : final.iterations), samples: samples,
            skipped: skipped,
            advice: Advice.all(
                for: usable.filter { !$0.isExtra }.map { ($0.photo, $0.features.first ?? [], $0.content) },
                threads: extraction.threads),
            counts: counts)
    }

    /// All features are in memory while the layer is trained.
    private func checkMemory(_ count: Int) throws {
        let each = extraction.source.featureCount * 4 * extraction.augmentation.count * 4
        let (needed, overflow) = count.multipliedReportingOverflow(by: each)
        let available = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        guard !overflow, needed <= available else {
            throw Failure.tooMany(needed: overflow ? .max : needed, available: available)
        }
    }

    // MARK: - Splitting

    /// The sort key of a content in the random order of a seed.
    private static func order(of content: ContentDigest, seed: UInt64) -> UInt64 {
        var random = SplitMix64(seed: content.word &+ seed &* 0x9E37_79B9_7F4A_7C15)
        return random.next()
    }

    /// Selects the photos to hold out. The choice of a photo depends on the other photos of its class only by their
    /// number, and photos of equal content stay together.
    private func split(_ items: [(photo: LabelledPhoto, content: ContentDigest, isExtra: Bool)]) -> [Bool] {
        var apart = [Bool](repeating: false, count: items.count)
        guard case .split(let ratio, let seed, let isFinal) = validation, ratio > 0,
            isFinal || items.count >= Self.smallestAutomaticCount
        else { return apart }
        for indices in Dictionary(grouping: items.indices, by: { items[$0].photo.label }).values {
            let groups = Dictionary(grouping: indices, by: { items[$0].content }).map { content, members in
                (order: Self.order(of: content, seed: seed), members: members)
            }.sorted { $0.order < $1.order }
            // At least one photo remains for training.
            var left = min(Int((ratio * Double(indices.count)).rounded()), indices.count - 1)
            for group in groups where group.members.count <= left {
                for index in group.members { apart[index] = true }
                left -= group.members.count
            }
        }
        return apart
    }
}

extension TrainingSamples {
    func row(_ index: Int) -> [Float] { Array(rows[index * featureCount..<(index + 1) * featureCount]) }
}
