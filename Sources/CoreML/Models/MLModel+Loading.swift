import VisionInference
import VisionModels

extension MLModel {
    /// A model from a `.onnx` or `.tflite` file, or from a `.mlmodelc` folder that `compileModel(at:)` made.
    ///
    /// Classifiers that Create ML made here are read whatever the file is called.
    ///
    /// - Throws: `MLModelError.io` when there is no such file or it cannot be read; `MLModelError.generic` when it is damaged,
    ///   asks for an operator that is not supported (the message names it and the node), does not fit its metadata, or is of
    ///   another form, and when it is a classifier on top of a scene network that is not installed: the message says which
    ///   command installs it. `.mlmodel` and `.mlpackage` as Apple's tools make them are not supported yet.
    public convenience init(contentsOf url: URL) throws {
        try self.init(contentsOf: url, configuration: MLModelConfiguration())
    }

    /// A model from a file, loaded in a certain way. See `init(contentsOf:)`.
    public convenience init(contentsOf url: URL, configuration: MLModelConfiguration) throws {
        try self.init(ModelFile(url), configuration)
    }

    /// A model from a file that has been read.
    convenience init(_ file: ModelFile, _ configuration: MLModelConfiguration = MLModelConfiguration()) throws {
        switch try file.contents() {
        case .graph(let graph):
            let session = try file.reporting { try Session(graph: graph) }
            let metadata = try ModelMetadata.find(besideModelAt: file.url, properties: session.metadata)
            try self.init(session: session, metadata: metadata, configuration: configuration)
        case .onnx(let model):
            let metadata = try ModelMetadata.find(besideModelAt: file.url, properties: model.metadata)
            if let classifier = try file.reporting({ try ClassifierFile(model) }) {
                try self.init(classifier: classifier, metadata: metadata, configuration: configuration)
            } else {
                let session = try file.reporting { try Session(graph: ONNXImporter.graph(model)) }
                try self.init(session: session, metadata: metadata, configuration: configuration)
            }
        }
    }

    /// A model from a file, loaded on another thread. See `init(contentsOf:)`.
    public class func load(
        contentsOf url: URL, configuration: MLModelConfiguration = MLModelConfiguration()
    ) async throws -> MLModel {
        let configuration = UncheckedBox(value: configuration.independentCopy())
        return try await withCheckedThrowingContinuation { continuation in
            // Reading and preparing take a while; the pool of Swift's tasks is not for that.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try MLModel(contentsOf: url, configuration: configuration.value) })
            }
        }
    }

    /// Makes a `.mlmodelc` folder of a `.onnx` or `.tflite` file and the metadata beside it: everything in one place, checked,
    /// and with weights that lay in other files.
    ///
    /// - Returns: The folder, in a temporary one of its own: move it to where it is to stay.
    /// - Throws: What `init(contentsOf:)` throws for a model that does not load, and `MLModelError.io` when the folder cannot
    ///   be written.
    public class func compileModel(at modelURL: URL) throws -> URL {
        let file = try ModelFile(modelURL)
        _ = try MLModel(file)
        return try CompiledModel.write(file)
    }
}

/// Something that nobody else has.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
}
