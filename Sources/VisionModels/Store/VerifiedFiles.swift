import Foundation
import VisionThreads
import VisionFiles

/// The record of verified model files, so that each is hashed once and not at every start of a program.
///
/// A file counts as verified while its identity (file system, number, size, time of the last change) is the one that it
/// had when it was hashed. Changes below the file system, such as a failing disk, leave the identity as it is:
/// `InstalledModels.verify` reads every byte.
struct VerifiedFiles: Codable, Equatable {
    /// Beside the model's files, so that it goes when the model is replaced.
    static let fileName = ".verified.json"
    private static let sizeLimit = 1 << 16
    private static let currentFormat = 1

    /// A file that has been hashed.
    struct Entry: Codable, Hashable {
        var name: String
        var identity: FileIdentity
        var sha256: String
    }

    var format = Self.currentFormat
    var entries: [Entry] = []

    /// What this process has hashed or found in a record: the file's path and what was known of it.
    private static let known = Locked<Set<Known>>([])

    private struct Known: Hashable {
        var folder: String
        var entry: Entry
    }

    /// Whether a file of a folder has this digest. It is read unless this process, or one before it, has done so.
    ///
    /// - Throws: `RegularFileError` when the file cannot be read.
    static func check(_ file: RegularFile, _ name: String, sha256: String, in folder: URL) throws -> Bool {
        let entry = Entry(name: name, identity: file.identity, sha256: sha256)
        let isKnown = known.withLock { known in
            let item = Known(folder: folder.path, entry: entry)
            if known.contains(item) { return true }
            guard read(from: folder).entries.contains(entry) else { return false }
            known.insert(item)
            return true
        }
        if isKnown { return true }
        let start = Date()
        guard try ContentDigest(readingAll: file).hexadecimal == sha256 else { return false }
        remember([entry], in: folder, readAt: start)
        return true
    }

    /// Stores entries for this process and, where the folder is writable, for later ones.
    ///
    /// - Parameter time: When the files were read. A file that was changed shortly before could be changed again
    ///   without getting another time, because clocks of file systems are coarse: it is hashed once more by the next
    ///   process.
    static func remember(_ entries: [Entry], in folder: URL, readAt time: Date) {
        known.withLock { $0.formUnion(entries.map { Known(folder: folder.path, entry: $0) }) }
        let limit = time.timeIntervalSince1970 - coarsestClock
        let settled = entries.filter { Double(max($0.identity.modified, $0.identity.changed)) * 1e-9 < limit }
        guard !settled.isEmpty else { return }
        var record = read(from: folder)
        record.entries.removeAll { old in settled.contains { $0.name == old.name } }
        record.entries += settled
        record.write(to: folder)
    }

    /// Seconds in which a file may change twice and keep its time: 2 on FAT and some network file systems.
    private static let coarsestClock = 2.0

    /// Returns the record of a folder; an empty one where it is missing or invalid. Files without an entry are hashed.
    static func read(from folder: URL) -> VerifiedFiles {
        guard let file = try? RegularFile(folder.appendingPathComponent(fileName)),
            let data = try? file.contents(limit: sizeLimit),
            let record = try? JSONDecoder().decode(VerifiedFiles.self, from: data), record.format == currentFormat
        else { return VerifiedFiles() }
        return record
    }

    /// Folders of the system cannot be written by everybody: then nothing is kept, and every process hashes for itself.
    func write(to folder: URL) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(self) else { return }
        let scratch = folder.appendingPathComponent("\(Self.fileName)-\(UUID().uuidString)")
        do {
            try DurableFiles.write([UInt8](data), to: scratch)
            try DurableFiles.rename(scratch, to: folder.appendingPathComponent(Self.fileName))
        } catch {
            try? FileManager.default.removeItem(at: scratch)
        }
    }
}
