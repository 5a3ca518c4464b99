import ArgumentParser
import CreateML
import VisionThreads
import VisionRecords
import VisionVideo

struct EvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measure the accuracy of a trained classifier on labelled photos.",
        discussion: """
            The folder contains one folder of photos for each label. Prints the accuracy, the precision and recall of \
            each class, and the confusion matrix: a row for each true label, a column for each predicted label. Photos \
            that cannot be read are reported and not counted.

            Examples:
              openvision evaluate Parts.mlmodel Test
              openvision evaluate Parts.mlmodel Test --picture confusion.png --minimum 0.9
            """)

    @Argument(help: ArgumentHelp("The file of the classifier.", valueName: "file"))
    var file: String

    @Argument(help: ArgumentHelp("A folder that contains one folder of photos for each label.", valueName: "folder"))
    var folder: String

    @Option(help: ArgumentHelp("Write an image of the confusion matrix to this .png file.", valueName: "file"))
    var picture: String?

    @Option(help: ArgumentHelp("Exit with code 1 when the accuracy is lower than this.", valueName: "0…1"))
    var minimum: Double?

    @Option(
        help: ArgumentHelp("How many photos to process at once. (default: one per core)", valueName: "count"))
    var threads: Int?

    @Flag(help: "Neither read nor write the cache of image features.")
    var noCache = false

    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var printing: OutputOptions

    struct Record: Encodable {
        struct Class: Encodable {
            var label: String
            var photos: Int
            var precision: Double?
            var recall: Double?
        }

        @Nullable var accuracy: Double?
        var photos: Int
        var classes: [Class]
        var labels: [String]
        /// A row for each true label, a column for each predicted one.
        var confusion: [[Int]]
        var skipped: [String: String]
    }

    func validate() throws {
        if let minimum, !(0...1).contains(minimum) {
            throw ValidationError("--minimum is \(minimum); it must be 0 to 1.")
        }
        if let threads, !(1...256).contains(threads) {
            throw ValidationError("--threads is \(threads); it must be 1 to 256.")
        }
    }

    func run() throws {
        try FolderName.check(folder)
        let model = try MLModel(contentsOf: URL(fileURLWithPath: file))
        let interrupt = Interrupt()
        var settings = TrainingSettings(interrupt: interrupt, options: printing, threads: threads, noCache: noCache)
        let bar = Locked(Progress(total: nil, isQuiet: printing.quiet || printing.json, noun: "photos"))
        let check = settings.onEvent
        settings.onEvent = { event in
            try check(event)
            if case .photos(let done, _) = event { bar.withLock { $0.update(done: done) } }
        }
        let metrics = MLImageClassifier.evaluation(
            of: model, on: .labeledDirectories(at: URL(fileURLWithPath: folder)), settings: settings)
        bar.withLock { $0.finish() }
        if interrupt.isRequested { throw ExitCode(Interrupt.exitCode) }
        if let error = metrics.error { throw error }
        try checkLabels(of: metrics, model)
        if let picture {
            try ConfusionMatrixImage(labels: metrics.labels, counts: metrics.counts).write(to: picture)
        }
        if printing.json { try printRecord(metrics) } else { printTables(metrics) }
        if let minimum, 1 - metrics.classificationError < minimum {
            warn("the accuracy is below \(minimum).")
            throw ExitCode.failure
        }
    }

    /// - Throws: `VideoError` when the classifier knows none of the labels of the folder.
    private func checkLabels(of metrics: MLClassifierMetrics, _ model: MLModel) throws {
        guard let known = model.modelDescription.classLabels.map({ Set($0.map { "\($0)" }) }) else { return }
        let given = metrics.labels.indices.filter { metrics.counts[$0].reduce(0, +) > 0 }.map { metrics.labels[$0] }
        let unknown = given.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        func list(_ labels: [String]) -> String {
            labels.prefix(5).joined(separator: ", ") + (labels.count > 5 ? ", … (\(labels.count))" : "")
        }
        guard unknown.count < given.count else {
            throw VideoError(
                kind: .unsupported, path: folder,
                reason: "the classifier knows none of its labels: \(list(unknown)); it knows "
                    + list(known.sorted()))
        }
        warn("the classifier does not know \(list(unknown)): photos of these labels count as wrong.")
    }

    private func number(_ value: MLDataValue?) -> Double? {
        value?.doubleValue.flatMap { $0.isFinite ? Decimals.rounded($0, 6) : nil }
    }

    private func printRecord(_ metrics: MLClassifierMetrics) throws {
        let classes = metrics.precisionRecall.rows.enumerated().map { index, row in
            Record.Class(
                label: metrics.labels[index], photos: metrics.counts[index].reduce(0, +),
                precision: number(row["precision"]), recall: number(row["recall"]))
        }
        try JSONLines.print(
            Record(
                accuracy: metrics.accuracy, photos: metrics.counts.joined().reduce(0, +), classes: classes,
                labels: metrics.labels, confusion: metrics.counts, skipped: metrics.skipped),
            kind: "evaluate")
    }

    private func printTables(_ metrics: MLClassifierMetrics) {
        for (path, reason) in metrics.skipped.sorted(by: { $0.key < $1.key }) { warn("\(path): \(reason)") }
        let photos = metrics.counts.joined().reduce(0, +)
        let hits = metrics.labels.indices.reduce(0) { $0 + metrics.counts[$1][$1] }
        let percent = Decimals.text((1 - metrics.classificationError) * 100, 2)
        print("Accuracy \(percent) %: \(hits) of \(Count.text(photos, "photo"))\n")
        TextTable(
            header: ["class", "photos", "precision", "recall"],
            rows: metrics.precisionRecall.rows.enumerated().map { index, row in
                [metrics.labels[index], String(metrics.counts[index].reduce(0, +))]
                    + ["precision", "recall"].map { row[$0]?.doubleValue.flatMap { $0.isFinite ? $0 : nil } }
                    .map { $0.map { Decimals.text($0, 3) } ?? "–" }
            }, numbers: [1, 2, 3]
        ).print()
        print("\nRows: true labels; columns: predicted labels.")
        let letters = metrics.labels.indices.map { ConfusionMatrixImage.shortName($0) }
        TextTable(
            header: ["", ""] + letters,
            rows: metrics.labels.indices.map { row in
                [letters[row], metrics.labels[row]]
                    + metrics.counts[row].map { $0 == 0 ? "·" : String($0) }
            }, numbers: Set(2..<metrics.labels.count + 2)
        ).print()
    }
}
