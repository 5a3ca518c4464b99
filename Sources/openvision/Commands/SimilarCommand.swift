import ArgumentParser
import Vision
import VisionThreads
import VisionPhotos

struct SimilarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "similar",
        abstract: "Rank photos by their similarity to another photo.",
        discussion: """
            Prints the rank of each photo, its distance and its path. The distance is 0 for the same image and grows \
            as the content differs. A folder means all images in it and in its subfolders. Photos that cannot be read \
            are reported and skipped; the exit code is then 1.

            --sheet writes an image with thumbnails of the photo and of the most similar ones.

            Examples:
              openvision similar cat.jpg holiday/*.jpg
              openvision similar cat.jpg photos/ --top 20 --sheet cats.jpg
            """)

    @Argument(help: ArgumentHelp("The photo that the others are compared with.", valueName: "query"))
    var query: String

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("The most photos to print. (default: all)", valueName: "count"))
    var top: Int?

    @Option(help: ArgumentHelp("Write a contact sheet to this file (.jpg, .png).", valueName: "file"))
    var sheet: String?

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top is \(top); it must be at least 1.") }
        if let text = ImageFile.check(sheet) { throw ValidationError(text) }
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
        var nearest = Nearest<FilePath>(limit: top ?? .max)
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
        let ranking = Ranking(nearest)
        try ranking.print(json: options.output.json, kind: "similar")
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
