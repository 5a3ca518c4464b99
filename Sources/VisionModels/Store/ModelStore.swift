package import Foundation

/// The installed models. Reading only: nothing here changes a folder or touches the network.
///
/// A model is a folder of its name with its files and a manifest. It appears in the store by a rename, whole, so whoever
/// finds it can use it while others install, replace or remove models.
package struct ModelStore: Sendable {
    package let locations: ModelLocations
    /// The models that there are, installed or not.
    package let catalogue: [ModelDescription]

    package init(_ locations: ModelLocations = ModelLocations(), catalogue: [ModelDescription] = ModelCatalogue.models)
    {
        self.locations = locations
        self.catalogue = catalogue
    }

    /// The model of a name; an underscore counts as a hyphen.
    ///
    /// - Throws: `ModelStoreError.unknownModel`.
    package func description(of name: String) throws -> ModelDescription {
        let id = name.replacing("_", with: "-")
        guard let model = catalogue.first(where: { $0.id == id }) else {
            throw ModelStoreError.unknownModel(name, known: catalogue.map(\.id))
        }
        return model
    }

    /// A model as it was found.
    package struct Installed: Sendable {
        package let folder: URL
        package let manifest: ModelManifest
        /// Made by the recipe of this version of the package.
        package let isCurrent: Bool

        /// The model's own file.
        package var url: URL { folder.appendingPathComponent(manifest.model) }
        package var size: Int { manifest.files.reduce(0) { $0 + $1.size } }
    }

    /// The file of an installed model, ready to be loaded.
    ///
    /// Only the sizes of its files are compared with the manifest; `verify` reads them.
    /// - Throws: `ModelStoreError` `unknownModel`, `notInstalled` or `damaged`: their texts name the command that helps.
    package func url(for id: String) throws -> URL {
        try installed(id).url
    }

    package func installed(_ id: String) throws -> Installed {
        let description = try description(of: id)
        var firstError: ModelStoreError?
        for location in locations.all {
            do {
                if let model = try find(description, in: location) { return model }
            } catch let error as ModelStoreError {
                // A good copy in a folder further down will do.
                firstError = firstError ?? error
            }
        }
        throw firstError ?? .notInstalled(description.id, searched: locations.all.map(\.path))
    }

    /// The installed models of the catalogue, in its order.
    package func list() -> [(description: ModelDescription, state: Result<Installed, ModelStoreError>)] {
        catalogue.map { description in
            (description, Result { () throws(ModelStoreError) in try typed(description.id) })
        }
    }

    private func typed(_ id: String) throws(ModelStoreError) -> Installed {
        do {
            return try installed(id)
        } catch let error as ModelStoreError {
            throw error
        } catch {
            throw .damaged(id, reason: "\(error)")
        }
    }

    /// Reads every byte of a model and compares it with the manifest.
    ///
    /// - Throws: `ModelStoreError`.
    package func verify(_ id: String) throws {
        let model = try installed(id)
        for file in model.manifest.files {
            let url = model.folder.appendingPathComponent(file.name)
            guard try FileDigest.sha256(of: url) == file.sha256 else {
                throw ModelStoreError.damaged(id, reason: "\(url.path) has been changed")
            }
        }
    }

    /// The model in one folder; nil without it.
    private func find(_ description: ModelDescription, in location: URL) throws -> Installed? {
        let id = description.id
        let folder = location.appendingPathComponent(id, isDirectory: true)
        let manifest: ModelManifest?
        do {
            manifest = try ModelManifest.read(from: folder)
        } catch let error as ModelStoreError {
            throw ModelStoreError.damaged(id, reason: error.description)
        }
        guard let manifest else { return nil }
        guard manifest.id == id else {
            throw ModelStoreError.damaged(id, reason: "\(folder.path) holds the model \(manifest.id)")
        }
        for file in manifest.files {
            let path = folder.appendingPathComponent(file.name).path
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let size = attributes?[.size] as? NSNumber else {
                throw ModelStoreError.damaged(id, reason: "\(path) is missing")
            }
            guard size.intValue == file.size else {
                throw ModelStoreError.damaged(id, reason: "\(path) has \(size) bytes, not \(file.size)")
            }
        }
        let isCurrent = manifest.version == description.version && manifest.recipe == description.recipe
        return Installed(folder: folder, manifest: manifest, isCurrent: isCurrent)
    }
}

enum FileDigest {
    private static let pieceSize = 1 << 20

    /// The SHA-256 of a file in lower-case hexadecimal.
    ///
    /// - Throws: `ModelStoreError.io`.
    static func sha256(of url: URL) throws -> String {
        guard let handle = FileHandle(forReadingAtPath: url.path) else {
            throw ModelStoreError.io(path: url.path, reason: "cannot be read")
        }
        defer { try? handle.close() }
        var hash = SHA256()
        do {
            while let piece = try handle.read(upToCount: pieceSize), !piece.isEmpty {
                piece.withUnsafeBytes { hash.update($0) }
            }
        } catch {
            throw ModelStoreError.io(path: url.path, reason: "cannot be read")
        }
        return hash.finish()
    }
}
