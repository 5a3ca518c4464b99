package import Foundation
import VisionFiles

/// The folder of a Core ML package (`.mlpackage`): a manifest, and the files that it lists.
package enum CoreMLPackage {
    private struct Manifest: Decodable {
        struct Item: Decodable {
            var path: String
        }

        var itemInfoEntries: [String: Item]
        var rootModelIdentifier: String
    }

    /// The file to read for a model: the specification of a package, else the file itself.
    ///
    /// - Throws: The errors of `specification(in:)`.
    package static func file(of url: URL) throws -> URL {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        guard isThere, isFolder.boolValue, url.pathExtension.lowercased() == "mlpackage" else { return url }
        return try specification(in: url)
    }

    /// The specification in a package.
    ///
    /// - Throws: `ModelError` when the manifest cannot be read, or names a file outside of the package.
    package static func specification(in folder: URL) throws -> URL {
        let file = folder.appendingPathComponent("Manifest.json")
        let data: Data
        do {
            data = try RegularFile(file).contents(limit: 1 << 20)
        } catch {
            throw ModelError.unreadable("\(folder.path) is no Core ML package: \(error)")
        }
        guard let manifest = try? JSONDecoder().decode(Manifest.self, from: data) else {
            throw ModelError.damaged("\(file.path) is not the manifest of a Core ML package")
        }
        guard let item = manifest.itemInfoEntries[manifest.rootModelIdentifier] else {
            throw ModelError.damaged("\(file.path) names no model")
        }
        let parts = item.path.split(separator: "/", omittingEmptySubsequences: false)
        guard !item.path.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != ".." && $0 != "." }) else {
            throw ModelError.damaged("\(file.path) names a model outside of the package: “\(item.path)”")
        }
        return parts.reduce(folder.appendingPathComponent("Data")) { $0.appendingPathComponent(String($1)) }
    }
}
