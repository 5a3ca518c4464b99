import ArgumentParser
import CreateML
import Foundation
import VisionTraining
import VisionRecords

struct TrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train",
        abstract: "Train a classifier with photos in folders whose names are the labels.",
        discussion: """
            The file can be opened by MLModel and run by VNCoreMLRequest; 'openvision evaluate' says how well it does. \
            What the network made of a photo is kept, so that training again costs new photos only. Photos that cannot \
            be used are reported and left out.

            Examples:
              openvision train Parts --output Parts.mlmodel
              openvision train Parts --output Parts.mlmodel --augment rotation,noise --validation More
            """)

    @Argument(help: ArgumentHelp("The folder with a folder of photos for each label.", valueName: "folder"))
    var folder: String

    @Option(name: .shortAndLong, help: ArgumentHelp("Where the classifier goes.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Train with changed copies as well: crop, rotation, blur, exposure, noise, flip, or all.",
            valueName: "options"))
    var augment: String?

    @Option(
        help: ArgumentHelp(
            "Validate with the photos in this folder. Without it: with some of the others.", valueName: "folder"))
    var validation: String?

    @Option(help: "The revision of the scene network: 1 or 2.")
    var revision = 1

    @Option(
        help: ArgumentHelp(
            "Work on what this network makes of a photo, not on the scene network.", valueName: "model"))
    var extractor: String?

    @Option(help: ArgumentHelp("The output of --extractor that is worked on.", valueName: "name"))
    var extractorOutput: String?

    @Option(help: ArgumentHelp("Iterations of the solver for each penalty.", valueName: "count"))
    var iterations = 25

    @Option(
        help: ArgumentHelp("How many photos are worked on at once. (default: one for each core)", valueName: "count"))
    var threads: Int?

    @Option(help: ArgumentHelp("Who made the classifier.", valueName: "text"))
    var author: String?

    @Option(help: ArgumentHelp("What the classifier is for.", valueName: "text"))
    var describe: String?

    @Flag(help: "Neither use nor keep what the network made of photos.")
    var noCache = false

    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var printing: OutputOptions

    struct Record: Encodable {
        var file: String
        var bytes: Int
        var labels: [String]
        @Nullable var trainingAccuracy: Double?
        @Nullable var validationAccuracy: Double?
        var photosRead: Int
        var networkRuns: Int
        var fromCache: Int
        var penalty: Double
        var warnings: [String]
        var skipped: [Skipped]

        struct Skipped: Encodable {
            var path: String
            var reason: String
        }
    }

    func validate() throws {
        guard [1, 2].contains(revision) else { throw ValidationError("--revision is 1 or 2.") }
        guard iterations > 0 else { throw ValidationError("--iterations must be above zero.") }
        if let threads, !(1...256).contains(threads) { throw ValidationError("--threads is 1 to 256.") }
        if extractorOutput != nil, extractor == nil {
            throw ValidationError("--extractor-output goes with --extractor.")
        }
        _ = try options()
    }

    func options() throws -> MLImageClassifier.ImageAugmentationOptions {
        let names: [String: MLImageClassifier.ImageAugmentationOptions] = [
            "crop": .crop, "rotation": .rotation, "blur": .blur, "exposure": .exposure, "noise": .noise, "flip": .flip,
            "all": [.crop, .rotation, .blur, .exposure, .noise, .flip],
        ]
        return try (augment ?? "").split(separator: ",").reduce(into: []) { options, name in
            guard let option = names[name.trimmingCharacters(in: .whitespaces)] else {
                throw ValidationError("--augment knows \(names.keys.sorted().joined(separator: ", ")), not '\(name)'.")
            }
            options.formUnion(option)
        }
    }

    func run() throws {
        let source = MLImageClassifier.DataSource.labeledDirectories(at: URL(fileURLWithPath: folder))
        let type: MLImageClassifier.FeatureExtractorType =
            extractor.map {
                .custom(
                    MLImageClassifier.CustomFeatureExtractor(
                        modelPath: URL(fileURLWithPath: $0), outputName: extractorOutput))
            } ?? .scenePrint(revision: revision)
        let parameters = MLImageClassifier.ModelParameters(
            featureExtractor: type,
            validationData: validation.map { .labeledDirectories(at: URL(fileURLWithPath: $0)) },
            maxIterations: iterations, augmentationOptions: try options())
        let interrupt = Interrupt()
        var settings = TrainingSettings(interrupt: interrupt, options: printing, threads: threads, noCache: noCache)
        settings.isQuiet = printing.json || printing.quiet
        let classifier: MLImageClassifier
        do {
            classifier = try MLImageClassifier(trainingData: source, parameters: parameters, settings: settings)
        } catch is InterruptedByUser {
            throw ExitCode(Interrupt.exitCode)
        }
        var metadata = MLModelMetadata()
        if let author { metadata.author = author }
        if let describe { metadata.shortDescription = describe }
        try classifier.write(toFile: output, metadata: metadata)
        let bytes = try classifier.data(metadata: metadata).count
        let report = classifier.report
        guard printing.json else {
            if !printing.quiet { print("Wrote \(output): \(report.labels.count) classes, \((bytes + 999) / 1000) kB") }
            return
        }
        try JSONLines.print(
            Record(
                file: output, bytes: bytes, labels: report.labels,
                trainingAccuracy: classifier.trainingMetrics.accuracy,
                validationAccuracy: classifier.validationMetrics.accuracy, photosRead: report.counts.read,
                networkRuns: report.counts.networkRuns, fromCache: report.counts.cached, penalty: report.penalty,
                warnings: report.advice.map(\.description),
                skipped: report.skipped.map { Record.Skipped(path: $0.path, reason: $0.reason) }),
            kind: "train")
    }
}

/// The user has asked to stop.
struct InterruptedByUser: Error {}

extension TrainingSettings {
    /// Settings of a command that Ctrl-C ends.
    init(interrupt: Interrupt, options: OutputOptions, threads: Int?, noCache: Bool) {
        self.init()
        if let threads { self.threads = threads }
        if noCache { cacheFolder = nil }
        onEvent = { _ in if interrupt.isRequested { throw InterruptedByUser() } }
    }
}

extension MLClassifierMetrics {
    /// nil where it cannot be said.
    var accuracy: Double? { isValid ? Decimals.rounded(1 - classificationError, 6) : nil }
}
