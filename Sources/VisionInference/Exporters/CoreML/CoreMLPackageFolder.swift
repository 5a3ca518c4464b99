import Foundation

/// The folder of a Core ML package that is being written. It is made beside its destination, and moved when it is
/// complete.
struct CoreMLPackageFolder {
    private static let author = "com.apple.CoreML"

    private let destination: URL
    private let folder: URL

    /// - Throws: `ModelError` when the folder cannot be made, or something else than a package is in its place.
    init(replacing destination: URL) throws {
        let manager = FileManager.default
        if manager.fileExists(atPath: destination.path),
            !manager.fileExists(atPath: destination.appendingPathComponent("Manifest.json").path)
        {
            throw ModelError.unreadable(
                "\(destination.path) exists and is no Core ML package. Choose another name, or remove it")
        }
        self.destination = destination
        folder = destination.deletingLastPathComponent().appendingPathComponent(
            ".\(destination.lastPathComponent).\(UUID().uuidString)")
        do {
            try manager.createDirectory(
                at: weights.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw ModelError.unreadable("\(destination.path) cannot be written: \(error.localizedDescription)")
        }
    }

    private var content: URL { folder.appendingPathComponent("Data").appendingPathComponent(Self.author) }

    var specification: URL { content.appendingPathComponent("model.mlmodel") }
    var weights: URL { content.appendingPathComponent("weights").appendingPathComponent("weight.bin") }

    private struct Manifest: Encodable {
        struct Item: Encodable {
            var author: String
            var description: String
            var name: String
            var path: String
        }

        var fileFormatVersion: String
        var itemInfoEntries: [String: Item]
        var rootModelIdentifier: String
    }

    /// Writes the manifest, and moves the folder to its destination.
    func finish() throws {
        let (model, weights) = (UUID().uuidString, UUID().uuidString)
        let manifest = Manifest(
            fileFormatVersion: "1.0.0",
            itemInfoEntries: [
                model: .init(
                    author: Self.author, description: "CoreML Model Specification", name: "model.mlmodel",
                    path: "\(Self.author)/model.mlmodel"),
                weights: .init(
                    author: Self.author, description: "CoreML Model Weights", name: "weights",
                    path: "\(Self.author)/weights"),
            ], rootModelIdentifier: model)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(manifest).write(to: folder.appendingPathComponent("Manifest.json"))
            let manager = FileManager.default
            if manager.fileExists(atPath: destination.path) { try manager.removeItem(at: destination) }
            try manager.moveItem(at: folder, to: destination)
        } catch {
            throw ModelError.unreadable("\(destination.path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Removes what was written.
    func discard() { try? FileManager.default.removeItem(at: folder) }
}
