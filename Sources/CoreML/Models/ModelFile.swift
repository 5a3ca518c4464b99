import VisionInference

/// A file with a network, in one of the supported forms.
struct ModelFile {
    enum Form: String {
        case onnx, tflite, mlmodel
    }

    /// The file, or the folder of a package.
    let url: URL
    /// The folder with files of weights; nil where all weights are in the file.
    let weightsFolder: URL?
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
            guard suffix == "mlpackage" else {
                self = try CompiledModel.file(in: url)
                return
            }
        }
        self.url = url
        var file = url
        do {
            if isFolder.boolValue { file = try CoreMLPackage.specification(in: url) }
            network = try NetworkFile(contentsOf: file)
        } catch let error as ModelError {
            throw MLModelError(error)
        }
        let weights = file.deletingLastPathComponent().appendingPathComponent("weights")
        var isWeights: ObjCBool = false
        let hasWeights = FileManager.default.fileExists(atPath: weights.path, isDirectory: &isWeights)
        weightsFolder = network.kind.isCoreML && hasWeights && isWeights.boolValue ? weights : nil
        switch network.kind {
        case .onnx: form = .onnx
        case .tflite: form = .tflite
        case .coreML: form = .mlmodel
        case .unknown:
            // Damaged, if the name says the truth: importing tells what is wrong.
            guard !isFolder.boolValue else {
                form = .mlmodel
                return
            }
            guard let form = Form(rawValue: suffix) else {
                throw MLModelError(
                    .generic,
                    "\(url.path) is no .mlmodel, .onnx or .tflite file, no .mlpackage folder, and no .mlmodelc folder "
                        + "made by compileModel(at:).")
            }
            self.form = form
        }
    }

    /// A specification that was put together of the files in a folder.
    init(_ specification: ModelBytes, in folder: URL) {
        url = folder
        let weights = folder.appendingPathComponent("weights")
        weightsFolder = FileManager.default.fileExists(atPath: weights.path) ? weights : nil
        form = .mlmodel
        network = NetworkFile(specification, url: folder.appendingPathComponent("model.mil"))
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
