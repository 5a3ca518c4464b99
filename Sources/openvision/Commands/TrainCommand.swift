import ArgumentParser
import CreateML
import VisionRecords
import VisionVideo

struct TrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train",
        abstract: "Train an image classifier on labelled photos.",
        discussion: """
            The folder contains one folder of photos for each label. Programs open the written file with MLModel and \
            run it with VNCoreMLRequest; 'openvision evaluate' measures its accuracy. Image features are cached, so \
            that training again only runs the network on new photos. Photos that cannot be read are reported and \
            skipped.

            Examples:
              openvision train Parts --output Parts.mlmodel
              openvision train Parts --output Parts.mlmodel --augment rotation,noise --validation More
            """)

    @Argument(help: ArgumentHelp("A folder that contains one folder of photos for each label.", valueName: "folder"))
    var folder: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp(
            "Augment the training photos: crop, rotation, blur, exposure, noise, flip, or all.",
            valueName: "options"))
    var augment: String?

    @Option(
        help: ArgumentHelp(
            "Validate with the photos in this folder. (default: a part of the training photos)", valueName: "folder"))
    var validation: String?

    @Option(help: "The revision of the scene network: 1 or 2.")
    var revision = 1

    @Option(
        help: ArgumentHelp(
            "Extract features with this network instead of the scene network.", valueName: "model"))
    var extractor: String?

    @Option(help: ArgumentHelp("The output of --extractor to use as features.", valueName: "name"))
    var extractorOutput: String?

    @Option(help: ArgumentHelp("The most iterations of the solver for each penalty.", valueName: "count"))
    var iterations = 25

    @Option(
        help: ArgumentHelp("How many photos to process at once. (default: one per core)", valueName: "count"))
    var threads: Int?

    @Option(help: ArgumentHelp("The author in the metadata of the classifier.", valueName: "text"))
    var author: String?

    @Option(help: ArgumentHelp("The description in the metadata of the classifier.", valueName: "text"))
    var describe: String?

    @Flag(help: "Neither read nor write the cache of image features.")
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
        guard [1, 2].contains(revision) else { throw ValidationError("--revision is \(revision); it must be 1 or 2.") }
        guard iterations > 0 else { throw ValidationError("--iterations is \(iterations); it must be at least 1.") }
        if let threads, !(1...256).contains(threads) {
            throw ValidationError("--threads is \(threads); it must be 1 to 256.")
        }
        if extractorOutput != nil, extractor == nil {
            throw ValidationError("--extractor-output needs --extractor.")
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
                throw ValidationError(
                    "'\(name)' is not valid for --augment; use \(names.keys.sorted().joined(separator: ", ")).")
            }
            options.formUnion(option)
        }
    }

    func run() throws {
        try FolderName.check(folder)
        if let validation { try FolderName.check(validation) }
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
        let size = try FileManager.default.attributesOfItem(atPath: output)[.size] as? NSNumber
        let bytes = size?.intValue ?? 0
        let report = classifier.report
        guard printing.json else {
            if !printing.quiet {
                print(
                    "Wrote \(output): \(Count.text(report.labels.count, "class", "classes")), "
                        + "\((bytes + 999) / 1000) kB")
            }
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
    /// Settings of a command that Ctrl-C stops.
    init(interrupt: Interrupt, options: OutputOptions, threads: Int?, noCache: Bool) {
        self.init()
        if let threads { self.threads = threads }
        if noCache { cacheFolder = nil }
        onEvent = { _ in if interrupt.isRequested { throw InterruptedByUser() } }
    }
}

extension MLClassifierMetrics {
    /// The accuracy, 0 to 1; nil when no photo was counted.
    var accuracy: Double? { isValid ? Decimals.rounded(1 - classificationError, 6) : nil }
}

/// The folders of photos that a command is given.
enum FolderName {
    /// - Throws: `VideoError` for an empty path, which would be the present folder.
    static func check(_ folder: String) throws {
        guard !folder.isEmpty else { throw VideoError(kind: .io, path: "''", reason: "is not the name of a folder") }
    }
}
