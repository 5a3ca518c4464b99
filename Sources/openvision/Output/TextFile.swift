import Foundation
import VisionVideo

/// A file that is written at once.
enum OutputFile {
    /// - Throws: `VideoError`.
    static func write(_ data: Data, to path: String) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path))
        } catch {
            let folder = (path as NSString).deletingLastPathComponent
            let isMissing = !folder.isEmpty && !FileManager.default.fileExists(atPath: folder)
            throw VideoError(
                kind: .io, path: path, reason: isMissing ? "there is no folder \(folder)" : "cannot be written")
        }
    }
}

/// A text file that is written line by line, buffered until `close`.
final class TextFile {
    let path: String
    private let handle: FileHandle
    private var pending = ""

    /// Creates the file, replacing an existing one; "-" is the standard output.
    init(path: String) throws {
        guard path != "-" else {
            (self.path, handle) = (path, .standardOutput)
            return
        }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw VideoError(kind: .io, path: path, reason: "cannot be created") }
        self.path = path
        self.handle = handle
    }

    deinit { try? close() }

    func add(line: String) throws {
        pending += line + "\n"
        if pending.utf8.count > 1 << 14 { try flush() }
    }

    func close() throws {
        try flush()
        if path != "-" { try? handle.close() }
    }

    private func flush() throws {
        do {
            try handle.write(contentsOf: Data(pending.utf8))
            pending = ""
        } catch {
            throw VideoError(kind: .io, path: path, reason: "cannot be written")
        }
    }
}
