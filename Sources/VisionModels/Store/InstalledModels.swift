package import Foundation
import VisionFiles

/// The installed models, for reading. This type does not install or change models and does not access the network; it
/// only writes the record of verified files (`VerifiedFiles`).
///
/// A model is a folder of its name with its files and a manifest. It is installed by a rename, so it is complete while
/// other processes install, replace or remove models.
package struct InstalledModels: Sendable {
    package let locations: ModelLocations
    /// The models that there are, installed or not.
    package let catalogue: [ModelDescription]

    package init(_ locations: ModelLocations = .current, catalogue: [ModelDescription] = ModelCatalogue.models) {
        self.locations = locations
        self.catalogue = catalogue
    }

    /// The models that are installed where none is named.
    package var defaults: [ModelDescription] { catalogue.filter { !$0.isOptional } }

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

    /// An installed model.
    package struct Installed: Sendable {
        package let folder: URL
        package let manifest: ModelManifest
        /// Made by the recipe of this version of the package.
        package let isCurrent: Bool

        /// The model's own file.
        package var url: URL { folder.appendingPathComponent(manifest.model) }
        package var size: Int { manifest.files.reduce(0) { $0 + $1.size } }
    }

    /// The file of an installed model, ready to be loaded. See `installed(_:)`.
    package func url(for id: String) throws -> URL {
        try installed(id).url
    }

    /// An installed model.
    ///
    /// The sizes of its files are compared with the manifest. The model's own file is hashed as well, unless it was
    /// hashed before and has not been written since (`VerifiedFiles`); `verify` hashes all files every time.
    ///
    /// - Throws: `ModelStoreError` `unknownModel`, `notInstalled`, `unreadable` or `damaged`: their texts name what
    ///   helps.
    package func installed(_ id: String) throws -> Installed {
        try installed(id, verifying: false)
    }

    /// - Parameter verifying: Whether all files are hashed, also those that were hashed before.
    private func installed(_ id: String, verifying: Bool) throws -> Installed {
        let description = try description(of: id)
        var firstError: ModelStoreError?
        for location in locations.all {
            do {
                if let model = try find(description, in: location, verifying: verifying) { return model }
            } catch let error as ModelStoreError {
                // A valid copy in a later folder is used instead.
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
    package func verify(_ id: String) throws { _ = try verified(id) }

    /// A model of which every byte has been read and compared with the manifest.
    func verified(_ id: String) throws -> Installed { try installed(id, verifying: true) }

    /// The model in one folder; nil without it.
    private func find(
        _ description: ModelDescription, in location: URL, verifying: Bool
    ) throws -> Installed? {
        let id = description.id
        let folder = location.appendingPathComponent(id, isDirectory: true)
        guard let manifest = try ModelManifest.read(id, from: folder) else { return nil }
        guard manifest.id == id else {
            throw ModelStoreError.damaged(id, reason: "\(folder.path) holds the model \(manifest.id)")
        }
        for file in manifest.files {
            do {
                try check(file, of: id, in: folder, hashing: verifying || file.name == manifest.model, verifying)
            } catch let error as RegularFileError {
                if error.kind == .system { throw ModelStoreError.unreadable(id, reason: error.description) }
                throw ModelStoreError.damaged(id, reason: error.description)
            }
        }
        let isCurrent = manifest.version == description.version && manifest.recipe == description.recipe
        return Installed(folder: folder, manifest: manifest, isCurrent: isCurrent)
    }

    /// - Throws: `ModelStoreError.damaged`, `RegularFileError`.
    private func check(
        _ expected: ModelManifest.File, of id: String, in folder: URL, hashing: Bool, _ verifying: Bool
    ) throws {
        let url = folder.appendingPathComponent(expected.name)
        let file = try RegularFile(url)
        guard file.size == expected.size else {
            throw ModelStoreError.damaged(
                id, reason: "\(url.path) has \(file.size) bytes, not \(expected.size)")
        }
        guard hashing else { return }
        let isGood =
            try verifying
            ? ContentDigest(readingAll: file).hexadecimal == expected.sha256
            : VerifiedFiles.check(file, expected.name, sha256: expected.sha256, in: folder)
        guard isGood else {
            throw ModelStoreError.damaged(
                id, reason: "\(url.path) has been changed: its SHA-256 is not the one that was installed")
        }
    }
}
