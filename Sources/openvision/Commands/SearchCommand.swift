import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionThreads
import VisionPhotos

struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find the photos of an index that look most like a photo.",
        discussion: """
            Prints the rank of each photo, its distance (0 for the same picture; the smaller, the more alike in what \
            is to be seen) and its name. The index is made with 'openvision index' and searched as it stands.

            Examples:
              openvision search cat.jpg --db pictures.db
              openvision search cat.jpg --db pictures.db --top 50 --sheet cats.jpg --json
            """)

    @Argument(help: ArgumentHelp("The photo that is looked for.", valueName: "image"))
    var image: String

    @Option(
        name: .customLong("db"), help: ArgumentHelp("The database that 'openvision index' made.", valueName: "file"))
    var database: String

    @Option(help: ArgumentHelp("Print so many at most.", valueName: "count"))
    var top = 20

    @Option(help: ArgumentHelp("Write a contact sheet to this file (.jpg, .png).", valueName: "file"))
    var sheet: String?

    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1_000_000).contains(top) else { throw ValidationError("--top is 1 to 1000000.") }
        if let text = ImageFile.check(sheet) { throw ValidationError(text) }
    }

    func run() throws {
        let index = try PhotoIndex(reading: database)
        guard let collection = try index.collection() else {
            throw DatabaseError(
                kind: .mismatch, path: database, reason: "holds no photos; 'openvision index FOLDER' puts some in")
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
