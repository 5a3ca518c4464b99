import ArgumentParser
import Vision
import VisionThreads
import VisionPhotos
import VisionVideo

struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find the photos of an index that are most similar to a photo.",
        discussion: """
            Prints the rank of each photo, its distance and its path. The distance is 0 for the same image and grows \
            as the content differs. Create the database with 'openvision index'; this command does not update it.

            Where the database has an approximate index (see 'openvision help index') and --top is at most 1000 (500 \
            in PostgreSQL), searches compare the photos that are probably near and nearly always find those that \
            --exact finds. Distances are exact either way.

            Photos at a distance above 1.15, which have little in common with the query, are left out unless --top or \
            --max-distance is given; so is the query itself. --html writes a page with thumbnails, --sheet an image \
            with thumbnails of the photo and of the most similar ones.

            Examples:
              openvision search cat.jpg --db photos.db
              openvision search cat.jpg --db photos.db --top 50 --sheet cats.jpg --json
            """)

    @Argument(help: ArgumentHelp("The photo to compare with.", valueName: "image"))
    var image: String

    @Option(
        name: .customLong("db"),
        help: ArgumentHelp(
            "The database that 'openvision index' wrote: a file, or a postgresql:// address.", valueName: "file"))
    var database: String

    @Option(help: ArgumentHelp("The most photos to print. (default: 20)", valueName: "count"))
    var top: Int?

    @OptionGroup var cutOff: DistanceOption

    @Flag(help: "Compare all photos, also where the database has an approximate index.")
    var exact = false

    @Option(help: ArgumentHelp("Write a page with the photos to this file (.html).", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Write a contact sheet to this file (.jpg, .png).", valueName: "file"))
    var sheet: String?

    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let top, !(1...1_000_000).contains(top) {
            throw ValidationError("--top is \(top); it must be 1 to 1000000.")
        }
        if let text = ImageFile.check(sheet) ?? PhotoPage.check(html) { throw ValidationError(text) }
    }

    func run() throws {
        let index = try PrintStores.open(reading: database)
        guard let collection = try index.collection() else {
            throw DatabaseError(
                kind: .mismatch, path: index.path,
                reason: "contains no photos; add some with 'openvision index FOLDER'")
        }
        let printer = try PhotoPrinter(revision: collection.kind.revision)
        let query: VNFeaturePrintObservation
        do {
            query = try printer.observation(of: FilePath(image))
        } catch {
            throw VideoError(kind: .damaged, path: image, reason: error.photoReason)
        }
        // One more, as the query itself may be in the index.
        let ranking = Ranking(
            try index.nearest(to: query, collection, limit: (top ?? 20) + 1, isExact: exact), query: FilePath(image),
            limit: top ?? 20, maxDistance: cutOff.limit(hasTop: top != nil))
        try ranking.print(json: output.json, kind: "search")
        if let html { try ranking.writePage(html, query: FilePath(image), threads: Processors.count) }
        if let sheet {
            guard !FilePath(sheet).isSameFile(as: FilePath(database)) else {
                throw VideoError(kind: .io, path: sheet, reason: "is the database")
            }
            try ranking.writeSheet(
                sheet, query: FilePath(image), threads: Processors.count)
        }
    }
}
