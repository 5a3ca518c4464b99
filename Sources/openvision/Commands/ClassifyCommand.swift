import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionPhotos
import VisionRecords

struct ClassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Say what is to be seen in photos.",
        discussion: """
            Every class of the taxonomy has a confidence of its own from 0 to 1: a photo may show several things, and \
            a dog is an animal as well. The best are printed. Confidences of different classes do not compare; which \
            classes count as present is for --min-precision with --recall, or --min-recall with --precision: they \
            print all classes that reach the point of their own curve with that recall or precision, if the curve is \
            good enough there.

            A folder stands for the images in it and below it. Photos that cannot be read are reported and left out; \
            the exit code is 1 then.

            Examples:
              openvision classify photo.jpg
              openvision classify photos/ --min-precision 0.1 --recall 0.8 --json
              openvision classify photo.jpg --top 12 --tree
            """)

    @Argument(help: ArgumentHelp("Image files, or folders of them.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("Only classes that have this precision where they have the --recall.", valueName: "0…1"))
    var minPrecision: Float?

    @Option(help: ArgumentHelp("The recall for --min-precision.", valueName: "0…1"))
    var recall: Float?

    @Option(help: ArgumentHelp("Only classes that have this recall where they have the --precision.", valueName: "0…1"))
    var minRecall: Float?

    @Option(help: ArgumentHelp("The precision for --min-recall.", valueName: "0…1"))
    var precision: Float?

    @Option(
        help: ArgumentHelp(
            "Print so many classes at most. (default: 5, or all that pass --min-precision or --min-recall)",
            valueName: "count"))
    var top: Int?

    @Flag(help: "Print each class below the more general ones.")
    var tree = false

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top must be above zero.") }
        guard (minPrecision == nil) == (recall == nil) else {
            throw ValidationError("--min-precision and --recall go together.")
        }
        guard (minRecall == nil) == (precision == nil) else {
            throw ValidationError("--min-recall and --precision go together.")
        }
        for value in [minPrecision, recall, minRecall, precision].compactMap({ $0 }) where !(0...1).contains(value) {
            throw ValidationError("Precision and recall are 0 to 1, not \(value).")
        }
    }

    func run() throws {
        let filter = ClassFilter(
            precisionAtRecall: minPrecision.flatMap { minimum in recall.map { (minimum, $0) } },
            recallAtPrecision: minRecall.flatMap { minimum in precision.map { (minimum, $0) } })
        let classifier = try PhotoClassifier(
            revision: options.revision, filter: filter, limit: top ?? (filter.isOpen ? 5 : .max))
        let taxonomy = try ClassificationTaxonomy(forRevision: classifier.revision)
        try lookAtPhotos(images, options) { path, _ in
            (try classifier.classes(of: path), try ImageSizes.reference(path))
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
            Swift.print("\(space)\(Decimals.text(line.shown.confidence, 4))  \(line.shown.identifier)")
        }
        if lines.isEmpty { Swift.print("  nothing passes") }
    }
}
