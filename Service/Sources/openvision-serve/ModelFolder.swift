import ArgumentParser
import CoreML
import Foundation
import Vision

/// A folder with models that are offered by their names.
struct ModelFolder {
    private static let extensions: Set<String> = ["onnx", "tflite", "mlmodel", "mlpackage", "mlmodelc"]

    private let url: URL

    init(_ path: String) { url = URL(fileURLWithPath: path, isDirectory: true) }

    /// Loads all models.
    ///
    /// - Throws: `ValidationError` where one cannot be loaded, or two have the same name.
    func load() throws -> [String: VNCoreMLModel] {
        let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        var models: [String: VNCoreMLModel] = [:]
        for file in files.sorted(by: { $0.path < $1.path }) where Self.extensions.contains(file.pathExtension) {
            let name = file.deletingPathExtension().lastPathComponent
            let model: VNCoreMLModel
            do {
                model = try VNCoreMLModel(for: MLModel(contentsOf: file))
            } catch {
                throw ValidationError("\(file.path) cannot be offered: \(error.localizedDescription)")
            }
            guard models.updateValue(model, forKey: name) == nil else {
                throw ValidationError("\(url.path) has two models with the name \(name).")
            }
        }
        guard !models.isEmpty else { throw ValidationError("\(url.path) has no models.") }
        return models
    }
}
