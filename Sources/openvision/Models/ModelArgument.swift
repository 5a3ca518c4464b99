import ArgumentParser
import CoreML
import VisionModels
import VisionVideo

/// The model that a command processes.
struct ModelArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A file (.onnx, .tflite, .mlmodel, .mlpackage, .mlmodelc), or the name of an installed or built-in model.",
            valueName: "model")
    )
    var model: String

    /// The location of a model.
    enum Source {
        case file(URL)
        case builtIn(BuiltInNetwork)

        /// The path of the file or the name, for display.
        var label: String {
            switch self {
            case .file(let url): url.path
            case .builtIn(let network): network.id
            }
        }

        /// Returns the networks of the model.
        ///
        /// - Throws: `ModelError` or `ModelStoreError`.
        func parts() throws -> ModelParts {
            switch self {
            case .file(let url): try ModelParts(contentsOf: url)
            case .builtIn(let network): try ModelParts(network)
            }
        }

        /// Loads the model.
        ///
        /// - Throws: `Failure` or `ModelStoreError`.
        func load() throws -> MLModel {
            switch self {
            case .file(let url): try ModelArgument.load(url)
            case .builtIn(let network): try ModelArgument.reporting { try MLModel(network: network.data()) }
            }
        }
    }

    /// Returns the file or built-in network. A file takes precedence over a name.
    ///
    /// - Throws: The errors of `url()`.
    func source() throws -> Source {
        let id = model.replacing("_", with: "-")
        if let network = BuiltInNetwork.named(id), !FileManager.default.fileExists(atPath: model) {
            return .builtIn(network)
        }
        return .file(try url())
    }

    /// Returns the file of the model.
    ///
    /// - Throws: `ModelStoreError`, or `VideoError` when neither a file nor a model has that name.
    func url() throws -> URL {
        guard !model.isEmpty else { throw VideoError(kind: .io, path: model, reason: "the name of a model is empty") }
        if FileManager.default.fileExists(atPath: model) { return URL(fileURLWithPath: model) }
        do {
            return try InstalledModels().url(for: model)
        } catch ModelStoreError.unknownModel where BuiltInNetwork.named(model) != nil {
            throw Failure(
                description: "The model '\(model)' is built into openvision; this command needs a model file.")
        } catch ModelStoreError.unknownModel where model.contains("/") || model.contains(".") {
            throw VideoError(kind: .io, path: model, reason: "no such file")
        }
    }

    /// Loads the model.
    ///
    /// - Throws: The errors of `url()`, and `Failure` when the model cannot be loaded.
    func load() throws -> MLModel { try Self.load(try url()) }

    static func load(_ url: URL) throws -> MLModel { try reporting { try MLModel(contentsOf: url) } }

    private static func reporting(_ load: () throws -> MLModel) throws -> MLModel {
        do {
            return try load()
        } catch let error as MLModelError {
            throw Failure(description: error.localizedDescription)
        }
    }

    /// A model cannot be loaded. The description omits the domain and code of the error.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
