import NetworkMetadata
import VisionInference
import VisionModels

extension MLModel {
    /// Loads a model from a `.mlmodel`, `.onnx` or `.tflite` file, from a `.mlpackage` folder, or from a `.mlmodelc`
    /// folder that `compileModel(at:)` made. `Documentation/CoreMLFiles.md` lists which Core ML files run.
    ///
    /// Classifiers that Create ML made here are read whatever the name of the file.
    ///
    /// - Throws: `MLModelError.io` if the file does not exist or cannot be read; `MLModelError.generic` if it is
    ///   damaged, uses an operator that is not supported (the message names it and the node), does not match its
    ///   metadata, or has another form, and if it is a classifier for a scene network that is not installed: the
    ///   message names the command that installs it.
    public convenience init(contentsOf url: URL) throws {
        try self.init(contentsOf: url, configuration: MLModelConfiguration())
    }

    /// Loads a model with a configuration. See `init(contentsOf:)`.
    public convenience init(contentsOf url: URL, configuration: MLModelConfiguration) throws {
        try self.init(ModelFile(url), configuration)
    }

    /// A model from a file that has been read.
    convenience init(_ file: ModelFile, _ configuration: MLModelConfiguration = MLModelConfiguration()) throws {
        switch try file.contents() {
        case .graph(let graph):
            let session = try file.reporting { try Session(graph: graph) }
            let metadata = try ModelMetadata.reporting {
                try ModelMetadata.find(besideModelAt: file.url, properties: session.metadata)
            }
            try self.init(session: session, metadata: metadata, configuration: configuration)
        case .coreML(let model):
            do {
                if let (classifier, labels) = try ClassifierFile.coreML(model) {
                    var metadata = try ModelMetadata.beside(file.url, model.description)
                    metadata.labels = labels
                    var outputs = ModelMetadata.Classifier()
                    outputs.scores = ClassifierFile.scoresName
                    metadata.classifier = outputs
                    try self.init(classifier: classifier, metadata: metadata, configuration: configuration)
                } else {
                    try self.init(model, url: file.url, configuration: configuration)
                }
            } catch let error as ModelError {
                throw MLModelError(error.within(.init(file: file.url.path)))
            } catch let error as MLModelError where error.kind == .customLayer {
                throw MLModelError(.customLayer, "\(file.url.path): \(error.message)")
            }
        case .onnx(let model):
            let metadata = try ModelMetadata.reporting {
                try ModelMetadata.find(besideModelAt: file.url, properties: model.metadata)
            }
            if let classifier = try file.reporting({ try ClassifierFile(model) }) {
                try self.init(classifier: classifier, metadata: metadata, configuration: configuration)
            } else {
                let session = try file.reporting { try Session(graph: ONNXImporter.graph(model)) }
                try self.init(session: session, metadata: metadata, configuration: configuration)
            }
        }
    }

    /// Makes a self-contained `.mlmodelc` folder from a model's file or package, its metadata, and weights in other
    /// files, and validates it.
    ///
    /// - Returns: The folder, in a new temporary one: move it to its final location.
    /// - Throws: The errors of `init(contentsOf:)` for a model that does not load, and `MLModelError.io` if the folder
    ///   cannot be written.
    public class func compileModel(at modelURL: URL) throws -> URL {
        let file = try ModelFile(modelURL)
        _ = try MLModel(file)
        return try CompiledModel.write(file)
    }
}
