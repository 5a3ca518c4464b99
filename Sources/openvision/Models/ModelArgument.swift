import ArgumentParser
import CoreML
import Foundation
import VisionModels

/// The model that a command is about.
struct ModelArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A file (.onnx, .tflite, .mlmodel, .mlmodelc), or the name of an installed or built-in model.", valueName: "model")
    )
    var model: String

    /// Where a model is.
    enum Source {
        case file(URL)
        case builtIn(BuiltInNetwork)

        /// For people: the path of the file, or the name.
        var label: String {
            switch self {
            case .file(let url): url.path
            case .builtIn(let network): network.id
            }
        }

        /// The networks that the model consists of.
        ///
        /// - Throws: `ModelError`, `ModelStoreError`.
        func parts() throws -> ModelParts {
            switch self {
            case .file(let url): try ModelParts(contentsOf: url)
            case .builtIn(let network): try ModelParts(network)
            }
        }

        /// The model, loaded.
        ///
        /// - Throws: `Failure`, `ModelStoreError`.
        func load() throws -> MLModel {
            switch self {
            case .file(let url): try ModelArgument.load(url)
            case .builtIn(let network): try ModelArgument.reporting { try MLModel(network: network.data()) }
            }
        }
    }

    /// The file or built-in network. Files come before names.
    ///
    /// - Throws: as `url()`.
    func source() throws -> Source {
        let id = model.replacing("_", with: "-")
        if let network = BuiltInNetwork.named(id), !FileManager.default.fileExists(atPath: model) {
            return .builtIn(network)
        }
        return .file(try url())
    }

    /// The file of the model.
    ///
    /// - Throws: `ModelStoreError`, or `VideoError` when there is no such file and no model of that name.
    func url() throws -> URL {
        if FileManager.default.fileExists(atPath: model) { return URL(fileURLWithPath: model) }
        do {
            return try ModelStore().url(for: model)
        } catch ModelStoreError.unknownModel where BuiltInNetwork.named(model) != nil {
            throw Failure(
                description: "The model '\(model)' is built into openvision; this command needs the file of a model.")
        } catch ModelStoreError.unknownModel where model.contains("/") || model.contains(".") {
            throw VideoError(kind: .io, path: model, reason: "no such file")
        }
    }

    /// The model, loaded.
    ///
    /// - Throws: as `url()`, and what is wrong with the model in the words of its error alone.
    func load() throws -> MLModel { try Self.load(try url()) }

    static func load(_ url: URL) throws -> MLModel { try reporting { try MLModel(contentsOf: url) } }

    private static func reporting(_ load: () throws -> MLModel) throws -> MLModel {
        do {
            return try load()
        } catch let error as MLModelError {
            throw Failure(description: error.localizedDescription)
        }
    }

    /// A model that cannot be loaded. The domain and code that come with the error are for programs.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
