import ArgumentParser
import Vision
import VisionThreads
import VisionPhotos

struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find the photos of an index that are most similar to a photo.",
        discussion: """
            Prints the rank of each photo, its distance and its path. The distance is 0 for the same image and grows \
            as the content differs. Create the database with 'openvision index'; this command does not update it.

            --sheet writes an image with thumbnails of the photo and of the most similar ones.

            Examples:
              openvision search cat.jpg --db photos.db
              openvision search cat.jpg --db photos.db --top 50 --sheet cats.jpg --json
            """)

    @Argument(help: ArgumentHelp("The photo to compare with.", valueName: "image"))
    var image: String

    @Option(
        name: .customLong("db"), help: ArgumentHelp("The database that 'openvision index' wrote.", valueName: "file"))
    var database: String

    @Option(help: ArgumentHelp("The most photos to print.", valueName: "count"))
    var top = 20

    @Option(help: ArgumentHelp("Write a contact sheet to this file (.jpg, .png).", valueName: "file"))
    var sheet: String?

    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1_000_000).contains(top) else { throw ValidationError("--top is \(top); it must be 1 to 1000000.") }
        if let text = ImageFile.check(sheet) { throw ValidationError(text) }
    }

    func run() throws {
        let index = try PhotoIndex(reading: database)
        guard let collection = try index.collection() else {
            throw DatabaseError(
                kind: .mismatch, path: database, reason: "contains no photos; add some with 'openvision index FOLDER'")
        }
        let printer = try PhotoPrinter(revision: collection.kind.revision)
        let query: VNFeaturePrintObservation
        do {
            query = try printer.observation(of: FilePath(image))
        } catch {
            throw VideoError(kind: .damaged, path: image, reason: error.photoReason)
        }
        let ranking = Ranking(try index.nearest(to: query, collection, limit: top))
        try ranking.print(json: output.json, kind: "search")
        if let sheet {
            guard !FilePath(sheet).isSameFile(as: FilePath(database)) else {
                throw VideoError(kind: .io, path: sheet, reason: "is the database")
            }
            try ranking.writeSheet(
                sheet, query: FilePath(image), threads: Processors.count)
        }
    }
}
