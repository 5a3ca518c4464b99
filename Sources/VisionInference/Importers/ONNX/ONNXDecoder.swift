package import Foundation

extension ONNXModel {
    /// Reads a model's file, and the external files that its tensors name.
    ///
    /// - Throws: `ModelError`.
    package init(contentsOf url: URL) throws {
        try self.init(ModelBytes(contentsOf: url), folder: url.deletingLastPathComponent())
    }

    /// The elements of tensors stay where they are in `bytes`. `folder` is where external data files are.
    ///
    /// - Throws: `ModelError`.
    package init(_ bytes: ModelBytes, folder: URL?) throws { self = try ONNXDecoder(bytes, folder: folder).model() }

    /// `folder` is where external data files are; without one a model that has any is refused.
    package init(_ data: Data, folder: URL? = nil) throws {
        self = try ONNXDecoder(ModelBytes(data), folder: folder).model()
    }
}

extension ONNXTensor {
    /// A file with a single `TensorProto`.
    package init(contentsOf url: URL) throws {
        let bytes = try ModelBytes(contentsOf: url)
        var reader = ProtobufReader(bytes, format: ONNXDecoder.format)
        self = try ONNXDecoder(bytes, folder: nil).tensor(&reader)
    }
}

/// Reads the messages of an ONNX file. What a file can make it allocate is bounded by a multiple of the file's size
/// and by `maximumItems`; how deep it can recurse, by `maximumDepth`.
final class ONNXDecoder {
    static let format = "ONNX"
    static let maximumDepth = 64
    /// Messages and strings in one file. The largest published models have some hundred thousand.
    static let maximumItems = 1 << 23

    let bytes: ModelBytes
    let externalData: ONNXExternalData
    private var items = 0
    private var depth = 0

    init(_ bytes: ModelBytes, folder: URL?) {
        self.bytes = bytes
        externalData = ONNXExternalData(folder: folder)
    }

    func count(_ reader: ProtobufReader) throws(ModelError) {
        items += 1
        guard items <= Self.maximumItems else { throw reader.damaged("it has more than \(Self.maximumItems) parts") }
    }

    /// Guards what contains itself: graphs in attributes, types of types.
    func nested<Result>(
        _ reader: ProtobufReader, _ body: () throws(ModelError) -> Result
    ) throws(ModelError) -> Result {
        guard depth < Self.maximumDepth else { throw reader.damaged("graphs or types lie too deep in each other") }
        depth += 1
        defer { depth -= 1 }
        return try body()
    }

    func string(_ reader: inout ProtobufReader, _ field: ProtobufReader.Field) throws(ModelError) -> String {
        try count(reader)
        return try reader.string(field)
    }

    /// A message in a field, counted.
    func message(
        _ reader: inout ProtobufReader, _ field: ProtobufReader.Field
    ) throws(ModelError) -> ProtobufReader {
        try count(reader)
        return try reader.message(field)
    }

    func model() throws(ModelError) -> ONNXModel {
        var reader = ProtobufReader(bytes, format: Self.format)
        var model = ONNXModel()
        var hasGraph = false
        model.irVersion = 0
        while let field = try reader.next() {
            switch field.number {
            case 1: model.irVersion = try reader.int(field)
            case 2: model.producerName = try string(&reader, field)
            case 3: model.producerVersion = try string(&reader, field)
            case 4: model.domain = try string(&reader, field)
            case 5: model.modelVersion = try reader.int(field)
            case 6: model.documentation = try string(&reader, field)
            case 7:
                var inner = try message(&reader, field)
                model.graph = try graph(&inner)
                hasGraph = true
            case 8: try opset(&reader, field, into: &model.opsets)
            case 14: try entry(&reader, field, into: &model.metadata)
            case 25:
                var inner = try message(&reader, field)
                model.functions.append(try function(&inner))
            default: try reader.skip(field)
            }
        }
        guard hasGraph else { throw reader.damaged("it has no graph") }
        return model
    }

    func opset(
        _ reader: inout ProtobufReader, _ field: ProtobufReader.Field, into opsets: inout [String: Int]
    ) throws(ModelError) {
        var inner = try message(&reader, field)
        var domain = ""
        var version: Int64 = 0
        while let field = try inner.next() {
            switch field.number {
            case 1: domain = try string(&inner, field)
            case 2: version = try inner.int(field)
            default: try inner.skip(field)
            }
        }
        opsets[ONNXModel.canonicalDomain(domain)] = Int(version)
    }

    func entry(
        _ reader: inout ProtobufReader, _ field: ProtobufReader.Field, into entries: inout [String: String]
    ) throws(ModelError) {
        var inner = try message(&reader, field)
        var key = ""
        var value = ""
        while let field = try inner.next() {
            switch field.number {
            case 1: key = try string(&inner, field)
            case 2: value = try string(&inner, field)
            default: try inner.skip(field)
            }
        }
        entries[key] = value
    }

    func function(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXFunction {
        var function = ONNXFunction()
        while let field = try reader.next() {
            switch field.number {
            case 1: function.name = try string(&reader, field)
            case 4: function.inputs.append(try string(&reader, field))
            case 5: function.outputs.append(try string(&reader, field))
            case 6: function.attributes.append(try string(&reader, field))
            case 7:
                var inner = try message(&reader, field)
                function.nodes.append(try node(&inner))
            case 9: try opset(&reader, field, into: &function.opsets)
            case 10: function.domain = ONNXModel.canonicalDomain(try string(&reader, field))
            case 11:
                var inner = try message(&reader, field)
                function.defaults.append(try attribute(&inner))
            case 13: function.overload = try string(&reader, field)
            default: try reader.skip(field)
            }
        }
        return function
    }
}
