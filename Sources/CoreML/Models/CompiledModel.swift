import NetworkMetadata
import VisionInference
import VisionFiles

/// The folder of a compiled model: the network as `model.onnx`, `model.tflite` or `model.mlmodel` with the folder
/// `weights`, its metadata as `model.json`, and a manifest.
enum CompiledModel {
    private static let manifestName = "manifest.json"
    private static let version = 1

    private struct Manifest: Codable {
        let formatVersion: Int
        let model: String
    }

    /// Returns the network's file in a folder.
    ///
    /// - Throws: `MLModelError` if neither `write` made the folder, nor Apple's compiler of an ML program.
    static func file(in folder: URL) throws -> ModelFile {
        let manifestFile = folder.appendingPathComponent(manifestName)
        if !FileManager.default.fileExists(atPath: manifestFile.path) {
            do {
                if let specification = try CompiledPackage.specification(in: folder) {
                    return ModelFile(specification, in: folder)
                }
            } catch let error as ModelError {
                throw MLModelError(error)
            }
        }
        guard let data = try? RegularFile(manifestFile).contents(limit: 1 << 20),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
        else {
            throw MLModelError(
                .generic,
                "\(folder.path) was not made by compileModel(at:) of this package, and has no ML program as Apple's "
                    + "compiler writes it (model.mil): open the .mlmodel or .mlpackage that it was made of."
            )
        }
        guard manifest.formatVersion == version else {
            throw MLModelError(
                .generic,
                "\(folder.path) is of version \(manifest.formatVersion); this package reads version \(version).")
        }
        for form in [ModelFile.Form.onnx, .tflite, .mlmodel] where manifest.model == name(of: form) {
            return try ModelFile(folder.appendingPathComponent(manifest.model))
        }
        throw MLModelError(.generic, "\(manifestFile.path) names a model that cannot be read: “\(manifest.model)”.")
    }

    private static func name(of form: ModelFile.Form) -> String { "model.\(form.rawValue)" }

    /// - Throws: `MLModelError`.
    static func write(_ file: ModelFile) throws -> URL {
        do {
            let parent = FileManager.default.temporaryDirectory.appendingPathComponent(
                "OpenVision-\(UUID().uuidString)")
            let title = file.url.deletingPathExtension().lastPathComponent
            let folder = parent.appendingPathComponent("\(title).mlmodelc")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            do {
                try write(file, into: folder)
            } catch {
                try? FileManager.default.removeItem(at: parent)
                throw error
            }
            return folder
        } catch let error as MLModelError {
            throw error
        } catch let error as ModelError {
            throw MLModelError(error)
        } catch {
            throw MLModelError(.io, "The compiled model cannot be written: \(error.localizedDescription)")
        }
    }

    private static func write(_ file: ModelFile, into folder: URL) throws {
        let target = folder.appendingPathComponent(name(of: file.form))
        if case .onnx(let model) = try file.contents(), dependsOnOtherFiles(file) {
            try model.serialised().write(to: target)
        } else {
            try file.bytes.withBytes { Data($0) }.write(to: target)
        }
        if let weights = file.weightsFolder {
            try copyWeights(from: weights, to: folder.appendingPathComponent("weights"))
        }
        let metadata = ModelMetadata.file(besideModelAt: file.url)
        if FileManager.default.fileExists(atPath: metadata.path) {
            try ModelMetadata.reporting { try ModelMetadata.selfContained(metadata) }.write(
                to: folder.appendingPathComponent("model.json"))
        }
        // Last, because a folder without it is not a valid model.
        try JSONEncoder().encode(Manifest(formatVersion: version, model: target.lastPathComponent))
            .write(to: folder.appendingPathComponent(manifestName))
    }

    /// Copies the regular files of a folder.
    private static func copyWeights(from source: URL, to target: URL) throws {
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: source.path).sorted() {
            let bytes = try ModelBytes(contentsOf: source.appendingPathComponent(name))
            try bytes.withBytes { raw in
                guard let base = raw.baseAddress else { return }
                let data = Data(
                    bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: raw.count, deallocator: .none)
                try data.write(to: target.appendingPathComponent(name))
            }
        }
    }

    /// Returns whether weights are stored in other files, so that the model cannot be read without its folder.
    private static func dependsOnOtherFiles(_ file: ModelFile) -> Bool {
        (try? ONNXModel(file.bytes, folder: nil)) == nil
    }
}
