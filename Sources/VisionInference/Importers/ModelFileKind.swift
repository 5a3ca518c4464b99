/// Which format a file has, told by its content alone: names may say anything.
package enum ModelFileKind: Equatable, Sendable {
    case onnx, tflite
    /// A specification of Apple's Core ML.
    case coreML(CoreMLContent)
    case unknown

    package enum CoreMLContent: Sendable {
        /// Made by Create ML on top of Apple's own scene print, which is not in the file.
        case visionFeaturePrint
        case other
    }

    package var isCoreML: Bool { if case .coreML = self { true } else { false } }

    package init(_ bytes: ModelBytes) {
        if TFLiteImporter.recognises(bytes) {
            self = .tflite
        } else {
            // A file that is neither ends in an error of the reader.
            self = (try? Self.protocolBuffer(bytes)) ?? .unknown
        }
    }

    /// Field numbers of the two formats: onnx.proto, and Model.proto of Core ML's specification.
    private enum Field {
        static let onnxVersion = 1
        static let onnxGraph = 7
        static let coreMLTypes = 200...2999
        static let pipelineClassifier = 200
        static let pipelineRegressor = 201
        static let pipeline = 202
        static let visionFeaturePrint = 2002
    }

    private static func protocolBuffer(_ bytes: ModelBytes) throws(ModelError) -> Self {
        var reader = ProtobufReader(bytes, format: "model")
        var (hasVersion, hasGraph) = (false, false)
        while let field = try reader.next() {
            if Field.coreMLTypes.contains(field.number), field.type == .bytes {
                let inner = try reader.message()
                return .coreML(try hasPrint(field.number, inner, depth: 0) ? .visionFeaturePrint : .other)
            }
            hasVersion = hasVersion || field.number == Field.onnxVersion && field.type == .varint
            hasGraph = hasGraph || field.number == Field.onnxGraph && field.type == .bytes
            try reader.skip(field)
        }
        return hasVersion && hasGraph ? .onnx : .unknown
    }

    /// Whether a model of this type is the scene print, or a pipeline with one in it.
    private static func hasPrint(_ type: Int, _ content: ProtobufReader, depth: Int) throws(ModelError) -> Bool {
        var content = content
        switch type {
        case Field.visionFeaturePrint: return true
        case Field.pipelineClassifier, Field.pipelineRegressor:
            while let field = try content.next() {
                if field.number == 1, field.type == .bytes {
                    if try hasPrint(Field.pipeline, try content.message(), depth: depth) { return true }
                } else {
                    try content.skip(field)
                }
            }
        case Field.pipeline where depth < 8:
            while let field = try content.next() {
                guard field.number == 1, field.type == .bytes else {
                    try content.skip(field)
                    continue
                }
                var model = try content.message()
                while let part = try model.next() {
                    if Field.coreMLTypes.contains(part.number), part.type == .bytes {
                        if try hasPrint(part.number, try model.message(), depth: depth + 1) { return true }
                    } else {
                        try model.skip(part)
                    }
                }
            }
        default: break
        }
        return false
    }
}
