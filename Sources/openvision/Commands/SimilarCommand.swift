import ArgumentParser
import Vision
import VisionThreads
import VisionPhotos
import VisionVideo

struct SimilarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "similar",
        abstract: "Rank photos by their similarity to another photo.",
        discussion: """
            Prints the rank of each photo, its distance and its path. The distance is 0 for the same image and grows \
            as the content differs. A folder means all images in it and in its subfolders. Photos that cannot be read \
            are reported and skipped; the exit code is then 1.

            Photos at a distance above 1.15, which have little in common with the query, are left out unless --top or \
            --max-distance is given; so is the query itself. --html writes a page with thumbnails, --sheet an image \
            with thumbnails of the photo and of the most similar ones.

            Examples:
              openvision similar cat.jpg holiday/*.jpg
              openvision similar cat.jpg photos/ --top 20 --sheet cats.jpg
            """)

    @Argument(help: ArgumentHelp("The photo that the others are compared with.", valueName: "query"))
    var query: String

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("The most photos to print. (default: all similar ones)", valueName: "count"))
    var top: Int?

    @OptionGroup var cutOff: DistanceOption

    @Option(help: ArgumentHelp("Write a page with the photos to this file (.html).", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Write a contact sheet to this file (.jpg, .png).", valueName: "file"))
    var sheet: String?

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let top, !(1...1_000_000).contains(top) {
            throw ValidationError("--top is \(top); it must be 1 to 1000000.")
        }
        if let text = ImageFile.check(sheet) ?? PhotoPage.check(html) { throw ValidationError(text) }
    }

    func run() throws {
        let list = try PhotoList(images)
        let threads = options.threads(forPhotos: list.photos.count)
        let printer = try PhotoPrinter(revision: options.revision)
        let reference: VNFeaturePrintObservation
        do {
            reference = try printer.observation(of: FilePath(query))
        } catch {
            throw VideoError(kind: .damaged, path: query, reason: error.photoReason)
        }
        for (path, reason) in list.unreadable { try report(failure: reason, of: path, json: options.output.json) }

        var failures = list.unreadable.count
        // One more, as the query itself may be among the photos.
        var nearest = Nearest<FilePath>(limit: top.map { $0 + 1 } ?? .max)
        var progress = Progress(total: list.photos.count, isQuiet: options.output.quiet, noun: "photos")
        let interrupt = Interrupt()
        var (next, done) = (list.photos.makeIterator(), 0)
        try ParallelPipeline.run(threads: threads, isOrdered: true) {
            interrupt.isRequested ? nil : next.next()
        } work: { path in
            (path, Result { try distance(to: path, from: reference, printer) })
        } take: { path, distance in
            switch distance {
            case .success(let distance): nearest.add(path, distance: distance)
            case .failure(let error):
                failures += 1
                progress.finish()
                try report(failure: error.photoReason, of: path, json: options.output.json)
            }
            done += 1
            progress.update(done: done)
        }
        progress.finish()
        if interrupt.isRequested { throw ExitCode(Interrupt.exitCode) }
        let ranking = Ranking(
            nearest, query: FilePath(query), limit: top ?? .max, maxDistance: cutOff.limit(hasTop: top != nil))
        try ranking.print(json: options.output.json, kind: "similar")
        if let html { try ranking.writePage(html, query: FilePath(query), threads: threads) }
        if let sheet { try ranking.writeSheet(sheet, query: FilePath(query), threads: threads) }
        if failures > 0 { throw ExitCode.failure }
    }
}

@Sendable
private func distance(
    to path: FilePath, from reference: VNFeaturePrintObservation, _ printer: PhotoPrinter
) throws -> Float {
    var distance: Float = 0
    try reference.computeDistance(&distance, to: try printer.observation(of: path))
    return distance
}
