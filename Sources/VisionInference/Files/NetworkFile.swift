package import Foundation

/// Reads the files of all the formats that the engine knows.
package enum NetworkFile {
    /// - Throws: `ModelError` for a file that cannot be read, is damaged, or needs what the engine does not have.
    package static func graph(contentsOf url: URL) throws -> Graph {
        let bytes = try ModelBytes(mapping: url)
        // A TensorFlow Lite file says what it is; an ONNX file is a protocol buffer like any other. The name only helps to
        // say of a damaged file what is wrong with it.
        if TFLiteImporter.recognises(bytes) || url.pathExtension.lowercased() == "tflite" {
            return try TFLiteImporter.graph(bytes)
        }
        return try ONNXImporter.graph(contentsOf: url)
    }
}
