import ArgumentParser
import CreateML
import Foundation
import VisionImage
import VisionModels
import VisionTraining
import VisionThreads

struct ClassifierAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classifier",
        abstract: "Train classifiers with some photos of each class and test them with others.",
        discussion: """
            The folder holds a folder of photos for each class. The last --test photos of each are kept to test with; \
            the first of the rest are trained with, as many as each --train says. The first round takes photos in the \
            order of their names, further --rounds in random orders. --output writes what \
            Scripts/accuracy-classifier.sh gives to scikit-learn. --timing measures how long training takes beside \
            decoding the photos and running the network alone.
            """)

    @Argument(help: "A folder of folders of photos.")
    var data: String

    @Option(name: .customLong("train"), help: "Photos of each class to train with. Repeat it for more.")
    var counts = [40]

    @Option(help: "Photos of each class to test with.")
    var test = 20

    @Option(help: "Rounds with other photos.")
    var rounds = 1

    @Option(help: "The revision of the scene network.")
    var revision = 1

    @Option(help: ArgumentHelp("Augmentations to compare with none: crop, rotation, …", valueName: "options"))
    var augment: String?

    @Option(help: "Photos are taken from the first so many classes. 0 for all.")
    var classes = 0

    @Option(help: ArgumentHelp("Write the rounds as JSON here.", valueName: "file"))
    var output: String?

    @Flag(help: "Time training with all photos, with an empty cache and with a full one.")
    var timing = false

    private struct Round: Codable {
        var train: [String: [String]]
        var test: [String: [String]]
        var isAugmented: Bool
        var accuracy: Double
    }

    private struct Outcomes: Codable {
        var revision: Int
        var rounds: [Round]
    }

    private var options: MLImageClassifier.ImageAugmentationOptions {
        get throws {
            let names: [(String, MLImageClassifier.ImageAugmentationOptions)] = [
                ("crop", .crop), ("rotation", .rotation), ("blur", .blur), ("exposure", .exposure), ("noise", .noise),
                ("flip", .flip),
            ]
            return try (augment ?? "").split(separator: ",").reduce(into: []) { options, name in
                guard let found = names.first(where: { $0.0 == name }) else {
                    throw ValidationError("--augment does not know '\(name)'.")
                }
                options.formUnion(found.1)
            }
        }
    }

    func run() throws {
        var folders = try MLImageClassifier.DataSource.labeledDirectories(at: URL(fileURLWithPath: data))
            .labeledImages()
        if classes > 0 {
            let kept = Set(folders.keys.sorted().prefix(classes))
            folders = folders.filter { kept.contains($0.key) }
        }
        if timing { return try time(folders) }
        let cache = FileManager.default.temporaryDirectory.appendingPathComponent("openvision-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: cache) }
        var settings = TrainingSettings()
        settings.isQuiet = true
        settings.cacheFolder = cache
        let changes = try options
        var outcomes = Outcomes(revision: revision, rounds: [])
        say("\(folders.count) classes, revision \(revision)")
        for count in counts {
            for augmentation in changes.isEmpty ? [changes] : [[], changes] {
                var accuracies: [Double] = []
                for round in 0..<rounds {
                    let (train, test) = try split(folders, count, round)
                    let classifier = try MLImageClassifier(
                        trainingData: .filesByLabel(train),
                        parameters: .init(
                            featureExtractor: .scenePrint(revision: revision), validationData: nil,
                            augmentationOptions: augmentation), settings: settings)
                    let metrics = classifier.evaluation(on: .filesByLabel(test), settings: settings)
                    if let error = metrics.error { throw error }
                    let accuracy = 1 - metrics.classificationError
                    accuracies.append(accuracy)
                    outcomes.rounds.append(
                        Round(
                            train: train.mapValues { $0.map(\.path) }, test: test.mapValues { $0.map(\.path) },
                            isAugmented: !augmentation.isEmpty, accuracy: accuracy))
                }
                let mean = accuracies.reduce(0, +) / Double(accuracies.count)
                let percents = accuracies.map { String(format: "%.2f", $0 * 100) }.joined(separator: " ")
                let variants = augmentation.isEmpty ? "as they are" : augment ?? ""
                say("\(count) photos a class, \(variants): mean \(String(format: "%.2f", mean * 100)) % (\(percents))")
            }
        }
        if let output { try JSONEncoder().encode(outcomes).write(to: URL(fileURLWithPath: output)) }
    }

    /// The photos of a round. The test photos of a round are the same for every count.
    private func split(
        _ folders: [String: [URL]], _ count: Int, _ round: Int
    ) throws -> (train: [String: [URL]], test: [String: [URL]]) {
        var (train, test): ([String: [URL]], [String: [URL]]) = ([:], [:])
        for (label, urls) in folders.sorted(by: { $0.key < $1.key }) {
            var urls = urls
            if round > 0 {
                var random = SplitMix64(
                    seed: UInt64(round) &* 7919 &+ UInt64(label.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
                for index in urls.indices.reversed() { urls.swapAt(index, Int(random.next() % UInt64(index + 1))) }
            }
            guard urls.count >= count + self.test else {
                throw ValidationError(
                    "The class \(label) has \(urls.count) photos, fewer than \(count) + \(self.test).")
            }
            train[label] = Array(urls.prefix(count))
            test[label] = Array(urls.suffix(self.test))
        }
        return (train, test)
    }

    // MARK: - Times

    /// Alternates, because the clock of a shared machine drifts.
    private func time(_ folders: [String: [URL]]) throws {
        let urls = folders.sorted { $0.key < $1.key }.flatMap(\.value)
        let source = try BackboneFeatureSource(.init(number: revision))
        let threads = Processors.count
        var best: [String: Double] = [:]
        let cache = FileManager.default.temporaryDirectory.appendingPathComponent("openvision-\(UUID().uuidString)")
        for _ in 0..<max(1, rounds) {
            // Decoding and the network alone, each photo on one core as training has it, nothing else.
            let start = nanoseconds()
            let next = Locked(0)
            DispatchQueue.concurrentPerform(iterations: threads) { _ in
                while true {
                    let index = next.withLock { next -> Int in
                        defer { next += 1 }
                        return next
                    }
                    guard index < urls.count else { return }
                    _ = try? source.features(of: ImageSource(url: urls[index]), threads: 1)
                }
            }
            best["network"] = min(best["network"] ?? .infinity, Double(nanoseconds() - start) * 1e-9)
            for name in ["training", "training again"] {
                var settings = TrainingSettings()
                settings.isQuiet = true
                settings.cacheFolder = cache
                let start = nanoseconds()
                _ = try MLImageClassifier(
                    trainingData: .filesByLabel(folders),
                    parameters: .init(featureExtractor: .scenePrint(revision: revision), validationData: nil),
                    settings: settings)
                best[name] = min(best[name] ?? .infinity, Double(nanoseconds() - start) * 1e-9)
            }
            try? FileManager.default.removeItem(at: cache)
        }
        let (network, training, again) = (best["network"] ?? 0, best["training"] ?? 0, best["training again"] ?? 0)
        say(
            String(
                format:
                    "%d photos, %d threads, shortest of %d: decoding and network %.2f s, training %.2f s (%.3f), "
                    + "again %.2f s",
                urls.count, threads, max(1, rounds), network, training, training / network, again))
    }

    private func say(_ text: String) { print(text) }
}
