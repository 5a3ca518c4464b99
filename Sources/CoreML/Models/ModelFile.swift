import VisionInference

/// A file with a network, in one of the supported forms.
struct ModelFile {
    enum Form: String {
        case onnx, tflite
    }

    let url: URL
    let form: Form
    private let network: NetworkFile

    /// Reads the file, or the one in a compiled model's folder. Its content decides on the form, whatever its name:
    /// Create ML's classifiers are called .mlmodel, including those made here.
    ///
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
        self.url = url
        do {
            network = try NetworkFile(contentsOf: url)
        } catch {
            throw MLModelError(error)
        }
        switch network.kind {
        case .onnx: form = .onnx
        case .tflite: form = .tflite
        case .coreML: throw Self.refusal(of: url, network.kind)
        case .unknown:
            // Damaged, if the name says the truth: importing tells what is wrong.
            if ["mlmodel", "mlpackage"].contains(suffix) { throw Self.refusal(of: url, .unknown) }
            guard let form = Form(rawValue: suffix) else {
                throw MLModelError(
                    .generic,
                    "\(url.path) is neither a .onnx or .tflite file nor a .mlmodelc folder made by compileModel(at:).")
            }
            self.form = form
        }
    }

    /// Returns the specification in a package.
    private static func kind(ofPackage url: URL) -> ModelFileKind {
        let folder = url.appendingPathComponent("Data/com.apple.CoreML")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let model = files.first { $0.pathExtension == "mlmodel" }
        return model.flatMap { try? NetworkFile(contentsOf: $0).kind } ?? .unknown
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
    func contents() throws -> NetworkFile.Contents { try reporting { try network.contents() } }

    /// The file as it was read.
    var bytes: ModelBytes { network.bytes }

    /// Names the file in errors of the engine, which become those of this module.
    func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try network.naming(body)
        } catch let error as ModelError {
            throw MLModelError(error)
        }
    }
}
