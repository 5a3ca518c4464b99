package import Foundation

/// A file with a network, read once. What it holds is told by its content, here and nowhere else; names may say
/// anything.
package struct NetworkFile: Sendable {
    /// Where it was read from; nil for one in memory.
    package let url: URL?
    package let bytes: ModelBytes
    package let kind: ModelFileKind

    /// - Throws: `ModelError` when it cannot be read.
    package init(contentsOf url: URL) throws(ModelError) {
        self.init(try ModelBytes(contentsOf: url), url: url)
    }

    /// - Parameter url: where the bytes come from, for errors and for weights in files beside it.
    package init(_ bytes: ModelBytes, url: URL? = nil) {
        self.url = url
        self.bytes = bytes
        kind = ModelFileKind(bytes)
    }

    /// What a file holds, as far as it has to be read to know.
    package enum Contents {
        /// A model of ONNX, not yet imported: it may need more than the engine alone has.
        case onnx(ONNXModel)
        case graph(Graph)
        /// A model of Core ML, read as far as its description.
        case coreML(CoreMLModel)
    }

    /// - Throws: `ModelError`, which names the file, when it is damaged or of a kind that is not imported.
    package func contents() throws -> Contents {
        try naming {
            switch kind {
            case .tflite: return .graph(try TFLiteImporter.graph(bytes))
            // Told by the file's structure alone, so that the reason is named whatever else is wrong.
            case .coreML(.visionFeaturePrint):
                let kind = CoreMLKind.visionFeaturePrint
                throw ModelError.unsupported("\(kind) \(kind.refusal ?? "")")
            case .coreML: return .coreML(try coreML())
            // Of damaged files their names say what they should have been.
            case .unknown where url?.pathExtension.lowercased() == "tflite":
                return .graph(try TFLiteImporter.graph(bytes))
            case .unknown where url?.pathExtension.lowercased() == "mlmodel": return .coreML(try coreML())
            case .onnx, .unknown: return .onnx(try ONNXModel(bytes, folder: url?.deletingLastPathComponent()))
            }
        }
    }

    /// - Throws: `ModelError`, which names the file, when it is damaged, or needs what the engine does not have.
    package func graph() throws -> Graph {
        switch try contents() {
        case .onnx(let model): try naming { try ONNXImporter.graph(model) }
        case .graph(let graph): graph
        case .coreML(let model): try naming { try model.network().graph }
        }
    }

    private func coreML() throws -> CoreMLModel {
        try CoreMLModel(bytes, folder: url?.resolvingSymlinksInPath().deletingLastPathComponent())
    }

    /// Runs `body`, whose errors then name the file.
    package func naming<Result>(_ body: () throws -> Result) throws -> Result {
        try ModelError.adding(.init(file: url?.path), body)
    }

    /// The network in a file. See `graph()`.
    package static func graph(contentsOf url: URL) throws -> Graph { try NetworkFile(contentsOf: url).graph() }

    /// A network whose file is in memory, and complete. See `graph()`.
    package static func graph(_ data: Data) throws -> Graph { try NetworkFile(ModelBytes(data)).graph() }
}
