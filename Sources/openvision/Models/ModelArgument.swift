import ArgumentParser
import CoreML
import Foundation
import VisionModels

/// The model that a command is about.
struct ModelArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A file (.onnx, .tflite, .mlmodelc), or the name of an installed model.", valueName: "model")
    )
    var model: String

    /// The file of the model.
    ///
    /// - Throws: `ModelStoreError`, or `VideoError` when there is no such file and no model of that name.
    func url() throws -> URL {
        if FileManager.default.fileExists(atPath: model) { return URL(fileURLWithPath: model) }
        do {
            return try ModelStore().url(for: model)
        } catch ModelStoreError.unknownModel where model.contains("/") || model.contains(".") {
            throw VideoError(kind: .io, path: model, reason: "no such file")
        }
    }

    /// The model, loaded.
    ///
    /// - Throws: as `url()`, and what is wrong with the model in the words of its error alone.
    func load() throws -> MLModel { try Self.load(try url()) }

    static func load(_ url: URL) throws -> MLModel {
        do {
            return try MLModel(contentsOf: url)
        } catch let error as MLModelError {
            throw Failure(description: error.localizedDescription)
        }
    }

    /// A model that cannot be loaded. The domain and code that come with the error are for programs.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
