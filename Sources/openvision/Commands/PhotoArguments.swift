import ArgumentParser
import Vision
import VisionExtras
import VisionThreads
import VisionPhotos
import VisionRecords

/// How a command processes photos.
struct PhotoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many photos to process at once. (default: one per core)", valueName: "count"))
    var threads: Int?

    @Option(help: "The revision of the request. (default: that of the request)")
    var revision: Int?

    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let threads, !(1...256).contains(threads) {
            throw ValidationError("--threads is \(threads); it must be 1 to 256.")
        }
    }

    /// Returns how many of `count` photos to process at once, and sets the thread count of each request.
    ///
    /// A single photo gets all threads. Several photos get one thread each, which synchronises less often.
    func threads(forPhotos count: Int) -> Int {
        let all = threads ?? Processors.count
        let sideBySide = max(1, min(all, count))
        VisionSettings.threadCount = max(1, all / sideBySide)
        return sideBySide
    }
}

/// The image files that the command line names; a folder means all images in it and in its subfolders.
struct PhotoList {
    private(set) var photos: [FilePath] = []
    /// Folders and files that cannot be read.
    private(set) var unreadable: [(path: FilePath, reason: String)] = []

    init(_ arguments: [String]) throws {
        for argument in arguments {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder), isFolder.boolValue else {
                // A missing file is reported when it is read, in the order of the arguments.
                photos.append(FilePath(argument))
                continue
            }
            let folder = FilePath(argument)
            var found: [FilePath] = []
            _ = try FolderWalk(root: folder).run { finding in
                switch finding {
                case .photo(let photo): found.append(photo.path)
                case .folder: break
                case .unreadable(let path, _, let reason):
                    unreadable.append((path.bytes.isEmpty ? folder : folder.appending(path), reason))
                }
            }
            if found.isEmpty, !unreadable.contains(where: { $0.path == folder }) {
                unreadable.append((folder, "the folder contains no images"))
            }
            let named = found.map { (path: $0, name: $0.text) }
            photos += named.sorted { NaturalOrder.precedes($0.name, $1.name) }.map { folder.appending($0.path) }
        }
    }
}

extension ParsableCommand {
    /// Reports that a photo cannot be processed: as JSON among the results, else to standard error.
    func report(failure reason: String, of path: FilePath, json: Bool) throws {
        if json {
            try JSONLines.print(
                ImageRecord<NoResult>(
                    kind: Self.configuration.commandName ?? "", image: MediaReference(path: path.text), results: [],
                    error: reason))
        } else {
            warn("\(path.printable): \(reason)")
        }
    }
}

/// The result of a photo that cannot be processed.
struct NoResult: Codable, Equatable, Sendable {}
