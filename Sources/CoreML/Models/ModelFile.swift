import VisionInference

/// A file with a network, in one of the forms that are read.
struct ModelFile {
    enum Form: String {
        case onnx, tflite
    }

    let url: URL
    let form: Form

    /// - Throws: `MLModelError` when there is no such file, or it is of another form.
    init(_ url: URL) throws {
        var isFolder: ObjCBool = false
        guard url.isFileURL, FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw MLModelError(.io, "There is no model at \(url.isFileURL ? url.path : url.absoluteString).")
        }
        let suffix = url.pathExtension.lowercased()
        if ["mlmodel", "mlpackage"].contains(suffix) {
            throw MLModelError(
                .generic,
                "\(url.path): models of the form .\(suffix) are not supported yet. Convert the network to ONNX, and say what "
                    + "else is known of it in a JSON file beside it.")
        }
        if isFolder.boolValue {
            self = try CompiledModel.file(in: url)
            return
        }
        guard let form = Form(rawValue: suffix) ?? Self.form(ofContent: url) else {
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

    /// TensorFlow Lite files carry a mark; ONNX files have none.
    private static func form(ofContent url: URL) -> Form? {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        guard let start = try? handle.read(upToCount: 8), start.count == 8 else { return nil }
        return start.suffix(4).elementsEqual("TFL3".utf8) ? .tflite : nil
    }

    func session() throws -> Session {
        do {
            return try Session(graph: NetworkFile.graph(contentsOf: url))
        } catch let error as ModelError {
            let error = MLModelError(error)
            throw MLModelError(error.code, "\(url.path): \(error.message)")
        }
    }

    func metadata(of session: Session) throws -> ModelMetadata {
        try ModelMetadata.find(besideModelAt: url, properties: session.metadata)
    }
}
