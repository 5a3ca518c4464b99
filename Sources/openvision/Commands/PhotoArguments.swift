import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionThreads
import VisionPhotos
import VisionRecords

/// The photos that a command looks at, and how.
struct PhotoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many photos are worked on at once. (default: one for each core)", valueName: "count"))
    var threads: Int?

    @Option(help: "The revision of the request. Without it: its default.")
    var revision: Int?

    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let threads, !(1...256).contains(threads) { throw ValidationError("--threads is 1 to 256.") }
    }

    /// Threads for so many photos. One photo gets all of them; where there are more, each has one of its own, which
    /// needs fewer of them to wait.
    func threads(forPhotos count: Int) -> Int {
        let all = threads ?? Processors.count
        let sideBySide = max(1, min(all, count))
        VisionSettings.threadCount = max(1, all / sideBySide)
        return sideBySide
    }
}

/// Image files as they are named on the command line; a folder stands for the images in it and below it.
struct PhotoList {
    private(set) var photos: [FilePath] = []
    /// Folders and files that cannot be looked at.
    private(set) var unreadable: [(path: FilePath, reason: String)] = []

    init(_ arguments: [String]) throws {
        for argument in arguments {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder), isFolder.boolValue else {
                // A file that is not there is reported where it would be read, in its turn.
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
            let named = found.map { (path: $0, name: $0.text) }
            photos += named.sorted { NaturalOrder.precedes($0.name, $1.name) }.map { folder.appending($0.path) }
        }
    }
}

extension ParsableCommand {
    /// Tells that a photo could not be used: as JSON among the results, else to standard error.
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

/// What a photo that could not be used gives.
struct NoResult: Codable, Equatable, Sendable {}
