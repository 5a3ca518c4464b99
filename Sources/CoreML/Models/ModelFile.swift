import VisionInference
import VisionModels
import VisionFiles

/// A file with a network, in one of the supported forms.
struct ModelFile {
    enum Form: String {
        case onnx, tflite
    }

    let url: URL
    let form: Form

    /// - Throws: `MLModelError` if the file does not exist or has another form.
    init(_ url: URL) throws {
        var isFolder: ObjCBool = false
        guard url.isFileURL, FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw MLModelError(.io, "There is no model at \(url.isFileURL ? url.path : url.absoluteString).")
        }
        let suffix = url.pathExtension.lowercased()
        if isFolder.boolValue {
            if suffix == "mlpackage" { throw Self.refusal(of: url, Self.kind(ofPackage: url)) }
            self = try CompiledModel.file(in: url)
            return
        }
        guard let form = try Form(rawValue: suffix) ?? Self.form(ofContent: url) else {
            throw MLModelError(
                .generic,
                "\(url.path) is neither a .onnx or .tflite file nor a .mlmodelc folder made by compileModel(at:).")
        }
        self.url = url
        self.form = form
    }

    init(url: URL, form: Form) {
        self.url = url
        self.form = form
    }

    /// Returns the form of a file by its contents. Create ML's classifiers are called .mlmodel, including those made
    /// here.
    private static func form(ofContent url: URL) throws -> Form? {
        let kind: ModelFileKind
        do {
            kind = try ModelFileKind(contentsOf: url)
        } catch let error as ModelError {
            throw MLModelError(error)
        }
        switch kind {
        case .onnx: return .onnx
        case .tflite: return .tflite
        case .coreML: throw refusal(of: url, kind)
        case .unknown:
            if ["mlmodel", "mlpackage"].contains(url.pathExtension.lowercased()) { throw refusal(of: url, kind) }
            return nil
        }
    }

    /// Returns the specification in a package.
    private static func kind(ofPackage url: URL) -> ModelFileKind {
        let folder = url.appendingPathComponent("Data/com.apple.CoreML")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let model = files.first { $0.pathExtension == "mlmodel" }
        return model.flatMap { try? ModelFileKind(contentsOf: $0) } ?? .unknown
    }

    private static func refusal(of url: URL, _ kind: ModelFileKind) -> MLModelError {
        if kind == .coreML(.visionFeaturePrint) {
            return MLModelError(
                .generic,
                "\(url.path) was made by Create ML on a Mac: it is the last layer of a classifier on Apple's "
                    + "scene print (visionFeaturePrint), which exists on Apple's systems only. Train it again from its "
                    + "photos, with MLImageClassifier or: openvision train FOLDER --output FILE")
        }
        let suffix = url.pathExtension.lowercased()
        return MLModelError(
            .generic,
            "\(url.path): .\(suffix == "mlpackage" ? suffix : "mlmodel") files made by Apple's tools are not "
                + "supported yet. Convert the network to ONNX, and describe its metadata in a JSON file beside it.")
    }

    /// The contents of the file, read but not yet made into a network.
    func contents() throws -> NetworkFile.Contents { try reporting { try NetworkFile.contents(of: url) } }

    /// Returns the bytes of the file.
    ///
    /// - Throws: `MLModelError.io`.
    func data() throws -> Data {
        do {
            return try RegularFile(url).contents()
        } catch {
            throw MLModelError(.io, "\(error.description).")
        }
    }

    /// Adds the name of the file to errors of the engine.
    func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ModelError {
            let error = MLModelError(error)
            throw MLModelError(error.code, "\(url.path): \(error.message)")
        }
    }
}
