import Foundation
import VisionThreads

/// The files with a program's weights, each opened once.
final class ProgramFiles: Sendable {
    private static let prefix = "@model_path/"

    private let folder: URL?
    private let files = Locked<[String: CoreMLBlobFile]>([:])

    init(folder: URL?) { self.folder = folder }

    /// - Parameter name: as the program has it: a path that begins at the folder of the specification.
    func blob(_ name: String, at offset: Int) throws -> CoreMLBlobFile.Blob {
        try file(name).blob(at: offset)
    }

    private func file(_ name: String) throws -> CoreMLBlobFile {
        if let file = files.withLock({ $0[name] }) { return file }
        guard let folder else {
            throw ModelError.unreadable("its weights are in a file beside it, “\(name)”, and it was read from memory")
        }
        let path = name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != ".." && $0 != "." }) else {
            throw ModelError.damaged("its weights are in a file outside of its folder: “\(name)”")
        }
        let url = parts.reduce(folder) { $0.appendingPathComponent(String($1)) }
        let file = try CoreMLBlobFile(contentsOf: url)
        return files.withLock { files in
            files[name] = files[name] ?? file
            return files[name] ?? file
        }
    }
}
