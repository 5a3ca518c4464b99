import CoreML
package import Foundation
package import Vision

/// A folder with models that are offered by the names of their files.
package struct ModelFolder {
    private static let extensions: Set<String> = ["onnx", "tflite", "mlmodel", "mlpackage", "mlmodelc"]

    private let url: URL

    /// The folder at a path.
    package init(_ path: String) { url = URL(fileURLWithPath: path, isDirectory: true) }

    /// Loads all models into memory: files that change later change nothing. Hidden files are skipped.
    ///
    /// - Throws: `ConfigurationError` where the folder cannot be read or has no models, a model cannot be loaded or its
    ///   name is not allowed, or two have the same name.
    package func load() throws -> [String: VNCoreMLModel] {
        let files: [URL]
        do {
            files = try FileManager.default.contentsOfDirectory(
                at: url, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        } catch {
            throw ConfigurationError(description: "The folder of models, \(url.path), cannot be read.")
        }
        var models: [String: VNCoreMLModel] = [:]
        for file in files.sorted(by: { $0.path < $1.path })
        where Self.extensions.contains(file.pathExtension.lowercased()) {
            let name = file.deletingPathExtension().lastPathComponent
            // Before a large file is read.
            try ServiceConfiguration.check(modelName: name)
            guard models[name] == nil else {
                throw ConfigurationError(description: "\(url.path) has two models with the name \(name).")
            }
            do {
                models[name] = try VNCoreMLModel(for: MLModel(contentsOf: file))
            } catch {
                throw ConfigurationError(
                    description: "\(file.path) cannot be offered: \(error.localizedDescription)")
            }
        }
        guard !models.isEmpty else { throw ConfigurationError(description: "\(url.path) has no models.") }
        return models
    }
}
