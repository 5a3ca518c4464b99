import Foundation
import VisionFiles

/// The manifest of a stored model. It is written last: a folder without one holds no model.
package struct ModelManifest: Codable, Equatable, Sendable {
    package static let fileName = "manifest.json"
    static let currentFormat = 1
    /// The largest size of a manifest, in bytes; a larger file is not a valid manifest.
    private static let sizeLimit = 1 << 20

    package struct File: Codable, Equatable, Sendable {
        package var name: String
        package var size: Int
        package var sha256: String
    }

    package var format = Self.currentFormat
    package var id: String
    package var version: String
    /// The number of the recipe that made the files: models made by an older one are made anew.
    package var recipe: Int
    /// The file that is the model itself.
    package var model: String
    package var licence: String
    /// The wheels that it was made from, with their SHA-256.
    package var sources: [String: String]
    package var files: [File]

    /// The manifest of a model; nil where the folder or the manifest is missing.
    ///
    /// - Throws: `ModelStoreError` `unreadable` or `damaged`.
    static func read(_ id: String, from folder: URL) throws -> ModelManifest? {
        let url = folder.appendingPathComponent(fileName)
        let data: Data
        do {
            data = try RegularFile(url).contents(limit: sizeLimit)
        } catch {
            switch error.kind {
            case .missing: return nil
            case .system: throw ModelStoreError.unreadable(id, reason: error.description)
            case .notRegular, .tooLarge: throw ModelStoreError.damaged(id, reason: error.description)
            }
        }
        guard let manifest = try? JSONDecoder().decode(ModelManifest.self, from: data),
            manifest.format == currentFormat, manifest.files.contains(where: { $0.name == manifest.model }),
            manifest.files.allSatisfy({ isPlainName($0.name) && $0.size >= 0 })
        else { throw ModelStoreError.damaged(id, reason: "\(url.path) is not a model's manifest") }
        return manifest
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    private static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.contains("/") && !name.contains("\0")
    }
}
