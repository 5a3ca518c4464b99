package import Foundation

/// Reads the files of all the formats that the engine knows.
package enum NetworkFile {
    /// - Throws: `ModelError` for a file that cannot be read, is damaged, or needs what the engine does not have.
    package static func graph(contentsOf url: URL) throws -> Graph {
        switch try contents(of: url) {
        case .onnx(let model): try ONNXImporter.graph(model)
        case .graph(let graph): graph
        }
    }

    /// A network whose file is in memory, and complete.
    ///
    /// - Throws: `ModelError`.
    package static func graph(_ data: Data) throws -> Graph {
        let bytes = ModelBytes(data)
        return TFLiteImporter.recognises(bytes) ? try TFLiteImporter.graph(bytes) : try ONNXImporter.graph(data)
    }

    /// What a file holds, as far as it has to be read to know.
    package enum Contents {
        /// A model of ONNX, not yet imported: it may need more than the engine alone has.
        case onnx(ONNXModel)
        case graph(Graph)
    }

    /// - Throws: `ModelError` for a file that cannot be read or is damaged.
    package static func contents(of url: URL) throws -> Contents {
        let bytes = try ModelBytes(contentsOf: url)
        // A TensorFlow Lite file says what it is; an ONNX file is a protocol buffer like any other. The name only helps to
        // say of a damaged file what is wrong with it.
        if TFLiteImporter.recognises(bytes) || url.pathExtension.lowercased() == "tflite" {
            return .graph(try TFLiteImporter.graph(bytes))
        }
        return .onnx(try ONNXModel(bytes, folder: url.deletingLastPathComponent()))
    }
}
