import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords
import VisionVideo

struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Store the feature prints of a folder's photos in a database for 'openvision search'.",
        discussion: """
            The first run reads every photo in the folder and its subfolders; later runs read only new and changed \
            photos. Photos that were moved or copied are recognised without being read again; deleted photos are \
            removed. A run can be interrupted at any time; the next one continues. Photos that cannot be read are \
            reported, skipped, and tried again in the next run. Damaged entries of the database are computed again.

            From 200,000 different photos on an approximate index is kept beside the database (its name with \
            .clusters), with which searches take milliseconds. It is made anew when a quarter has been added; until \
            then searches compare what is new photo by photo. It can be removed at any time.

            Exit code 0 when all photos are in the index; 1 when some were skipped (the others are in the index) or \
            the run failed; 130 when it was interrupted.

            The database may also be one of PostgreSQL with pgvector: postgresql://USER@HOST/DATABASE. Several \
            machines may then index one folder at a time; each photo is read by one of them. Keep passwords in \
            ~/.pgpass or PGPASSWORD: other users see a command line. It needs the system's libpq. The approximate \
            index is then the database's own.

            Files and folders whose names start with a point are ignored; so are links, unless --follow-links is \
            given. --json prints a line for each skipped photo, and a summary as the last line.

            Examples:
              openvision index ~/Pictures --db photos.db
              openvision search cat.jpg --db photos.db
              openvision index /mnt/photos --db postgresql://indexer@db.example/photos
            """)

    @Argument(help: ArgumentHelp("The folder of photos.", valueName: "folder"))
    var folder: String

    @Option(
        name: .customLong("db"),
        help: ArgumentHelp(
            "The database: a file, which is created if it does not exist, or a postgresql:// address.",
            valueName: "file")
    )
    var database: String

    @Flag(help: "Follow symbolic links to photos and folders.")
    var followLinks = false

    @Flag(help: "Accept that the indexed folder was moved since the last run.")
    var relocate = false

    @Flag(help: "Make the approximate index of a file whatever the number of photos.")
    var approximate = false

    @OptionGroup var options: PhotoOptions

    struct Summary: Encodable {
        var folder: String
        var database: String
        var revision: Int
        var photos: Int
        var new: Int
        var changed: Int
        var moved: Int
        var copied: Int
        /// Photos whose feature print was damaged and has been computed again.
        var repaired: Int
        var removed: Int
        var unchanged: Int
        var skipped: Int
        /// Links that were not followed.
        var links: Int
        @Nullable var seconds: Double?
        /// Photos processed per second.
        @Nullable var photosPerSecond: Double?
        var interrupted: Bool
    }

    func validate() throws {
        if approximate, PostgresConnection.isAddress(database) {
            throw ValidationError("--approximate is for a database in a file; PostgreSQL has an index of its own.")
        }
    }

    func run() throws {
        guard let folder = FilePath(self.folder).resolved else {
            throw VideoError(kind: .io, path: self.folder, reason: "no such folder")
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.text, isDirectory: &isFolder), isFolder.boolValue else {
            throw VideoError(kind: .io, path: self.folder, reason: "is not a folder")
        }
        let index = try PrintStores.open(writing: database)
        let known = try index.collection()?.kind.revision
        if let known, let wanted = options.revision, wanted != known {
            throw DatabaseError(
                kind: .mismatch, path: index.path,
                reason: "contains feature prints of revision \(known), not \(wanted); use another database")
        }
        let threads = options.threads(forPhotos: .max)
        let printer = try PhotoPrinter(revision: known ?? options.revision)
        var run = IndexRun(folder: folder, followsLinks: followLinks, threads: threads) { try printer.print(of: $0) }
        run.isRelocated = relocate
        run.clusters = approximate ? .always : .automatic

        var progress: Progress?
        let interrupt = Interrupt()
        var (start, read) = (ContinuousClock.now, 0)
        let summary = try index.update(
            by: run, kind: printer.kind,
            .init(
                skipped: { path, reason in
                    progress?.finish()
                    if options.output.json {
                        try JSONLines.print(
                            ImageRecord<NoResult>(
                                kind: "index", image: MediaReference(path: path.text), results: [], error: reason))
                    } else {
                        warn("\(path.printable) is skipped: \(reason)")
                    }
                },
                progress: { done, total in
                    if progress == nil {
                        progress = Progress(total: total, isQuiet: options.output.quiet, noun: "photos")
                    }
                    read = done
                    progress?.update(done: done)
                },
                unclustered: { error in
                    progress?.finish()
                    warn("searches will compare all photos, one by one: \(error)")
                },
                isInterrupted: { interrupt.isRequested }))
        progress?.finish()
        let seconds = (ContinuousClock.now - start).seconds
        try report(summary, folder: folder, index.path, revision: printer.revision, read: read, seconds: seconds)
        if summary.isInterrupted { throw ExitCode(Interrupt.exitCode) }
        if summary.skipped > 0 {
            if !options.output.json {
                let count = summary.skipped == 1 ? "1 photo or folder was" : "\(summary.skipped) photos or folders were"
                warn("\(count) skipped: see above. The next run tries again.")
            }
            throw ExitCode.failure
        }
    }

    private func report(
        _ summary: IndexRun.Summary, folder: FilePath, _ database: String, revision: Int, read: Int, seconds: Double
    ) throws {
        let rate = seconds > 0 ? Double(read) / seconds : 0
        guard !options.output.json else {
            return try JSONLines.print(
                Summary(
                    folder: folder.text, database: database, revision: revision, photos: summary.photos,
                    new: summary.new, changed: summary.changed, moved: summary.moved, copied: summary.copied,
                    repaired: summary.repaired, removed: summary.removed, unchanged: summary.unchanged,
                    skipped: summary.skipped,
                    links: summary.links, seconds: Decimals.rounded(seconds, 3),
                    photosPerSecond: read > 0 ? Decimals.rounded(rate, 1) : nil, interrupted: summary.isInterrupted),
                kind: "index-summary")
        }
        print("\(folder.printable): \(Count.text(summary.photos, "photo")) in \(database)")
        let counts = [
            ("new", summary.new), ("changed", summary.changed), ("moved", summary.moved), ("copied", summary.copied),
            ("repaired", summary.repaired), ("removed", summary.removed), ("unchanged", summary.unchanged),
            ("skipped", summary.skipped),
            ("links not followed", summary.links),
        ]
        let text = counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
        if !text.isEmpty { print(text.joined(separator: ", ")) }
        if read > 0 {
            print("\(read) processed in \(Decimals.text(seconds, 1)) s: \(Decimals.text(rate, 1)) photos/s")
        }
        if summary.isClustered { print("the approximate index for 'openvision search' is made") }
        if summary.isInterrupted { print("interrupted; the next run continues from here") }
    }
}
