import ArgumentParser
import Vision
import VisionExtras
import VisionPhotos
import VisionRecords

struct ClassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Classify what photos show.",
        discussion: """
            Prints the most special classes of each photo that are confident, up to five, with the more general ones \
            that they belong to; where none is sure, the general classes that are sure come first. Every class of the \
            taxonomy has its own confidence from 0 to 1: a photo may show several things, and a dog is also an animal. \
            Confidences of different classes are not comparable.

            --top prints the most confident classes, general ones among them; with --leaves, only the most special \
            ones. To decide which classes are present, use --min-precision with --recall, or --min-recall with \
            --precision: they print all classes whose confidence reaches the given recall (precision) on the class's \
            own curve, provided that the curve has the required precision (recall) there.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision classify photo.jpg
              openvision classify photos/ --min-precision 0.1 --recall 0.8 --json
              openvision classify photo.jpg --top 12 --tree
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("Print classes that have this precision at the recall of --recall.", valueName: "0…1"))
    var minPrecision: Float?

    @Option(help: ArgumentHelp("The recall for --min-precision.", valueName: "0…1"))
    var recall: Float?

    @Option(
        help: ArgumentHelp("Print classes that have this recall at the precision of --precision.", valueName: "0…1"))
    var minRecall: Float?

    @Option(help: ArgumentHelp("The precision for --min-recall.", valueName: "0…1"))
    var precision: Float?

    @Option(
        help: ArgumentHelp(
            "The most classes to print. (default: a summary, or all that pass --min-precision or --min-recall)",
            valueName: "count"))
    var top: Int?

    @Flag(help: "Print the classes as a tree, each below the more general ones.")
    var tree = false

    @Flag(help: "Print only classes without more special ones below them.")
    var leaves = false

    @OptionGroup var confidence: ConfidenceOption
    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top is \(top); it must be at least 1.") }
        guard (minPrecision == nil) == (recall == nil) else {
            throw ValidationError("--min-precision and --recall must be given together.")
        }
        guard (minRecall == nil) == (precision == nil) else {
            throw ValidationError("--min-recall and --precision must be given together.")
        }
        for value in [minPrecision, recall, minRecall, precision].compactMap({ $0 }) where !(0...1).contains(value) {
            throw ValidationError("\(value) is not a valid precision or recall; use 0 to 1.")
        }
    }

    func run() throws {
        let filter = ClassFilter(
            precisionAtRecall: minPrecision.flatMap { minimum in recall.map { (minimum, $0) } },
            recallAtPrecision: minRecall.flatMap { minimum in precision.map { (minimum, $0) } })
        let classifier = try PhotoClassifier(revision: options.revision, filter: filter)
        let taxonomy = try ClassificationTaxonomy(forRevision: classifier.revision)
        let summary = ClassSummary(taxonomy: taxonomy)
        let least = Double(confidence.minConfidence)
        // A tree of a summary has no general classes to show.
        let limit = top ?? (filter.isOpen ? (tree ? 5 : nil) : .max)
        try processPhotos(images, options) { path, _ in
            let all = try classifier.classes(of: path).filter { $0.confidence >= least }
            let chosen = leaves ? summary.leaves(of: all) : all
            let shown = limit.map { Array(chosen.prefix($0)) } ?? summary.classes(of: chosen)
            return (shown, try ImageSizes.reference(path))
        } show: { found, path in
            try print(found.0, of: path, found.1, taxonomy)
        }
    }

    private func print(
        _ classes: [ClassTree.Class], of path: FilePath, _ image: MediaReference, _ taxonomy: ClassificationTaxonomy
    ) throws {
        func parents(_ identifier: String) -> [String] { taxonomy.parents(of: identifier) ?? [] }
        guard !options.output.json else {
            return try JSONLines.print(
                ImageRecord(
                    kind: "classify", image: image,
                    results: classes.map { one in
                        ClassResult(
                            identifier: one.identifier, confidence: Decimals.rounded(one.confidence, 6),
                            parents: tree ? parents(one.identifier) : nil)
                    }))
        }
        Swift.print(path.printable)
        let lines = tree ? ClassTree(classes, parents: parents).lines : classes.map { .init(depth: 0, shown: $0) }
        for line in lines {
            let space = String(repeating: "  ", count: line.depth + 1)
            let path = tree ? "" : ClassSummary(taxonomy: taxonomy).path(of: line.shown.identifier)
            Swift.print(
                "\(space)\(Decimals.text(line.shown.confidence, 4))  \(line.shown.identifier)"
                    + (path.isEmpty ? "" : " (\(path))"))
        }
        if lines.isEmpty { Swift.print("  no class") }
    }
}
