import Foundation
import VisionFiles

/// A photograph that is known by its name and its contents, wherever it lies.
struct KnownPhoto: Hashable {
    var name: String
    /// The first 16 digits of the SHA-256 of the file.
    var digest: String

    /// Where the photographs lie in a folder, at any depth; those that are not there are left out.
    static func files(of wanted: Set<KnownPhoto>, in folder: String) -> [KnownPhoto: URL] {
        let names = Set(wanted.map(\.name))
        var found: [KnownPhoto: URL] = [:]
        let files = FileManager.default.enumerator(
            at: URL(fileURLWithPath: folder, isDirectory: true), includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard names.contains(file.lastPathComponent), let bytes = try? Data(contentsOf: file) else { continue }
            let digest = (try? ContentDigest(of: bytes))?.hexadecimal.prefix(16) ?? ""
            let photo = KnownPhoto(name: file.lastPathComponent, digest: String(digest))
            if wanted.contains(photo), found[photo] == nil { found[photo] = file }
        }
        return found
    }
}
