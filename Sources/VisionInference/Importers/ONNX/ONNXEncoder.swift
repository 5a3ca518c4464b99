package import Foundation

extension ONNXModel {
    /// The file's bytes. Attributes and types of a kind that is not read are not written either.
    package func serialised() -> Data {
        var writer = ProtobufWriter()
        writer.int(1, irVersion)
        writer.optionalString(2, producerName)
        writer.optionalString(3, producerVersion)
        writer.optionalString(4, domain)
        if modelVersion != 0 { writer.int(5, modelVersion) }
        writer.optionalString(6, documentation)
        writer.message(7) { graph.write(to: &$0) }
        writer.opsets(8, opsets)
        writer.entries(14, metadata)
        for function in functions { writer.message(25) { function.write(to: &$0) } }
        return writer.data
    }
}

extension ONNXTensor {
    /// A file with this tensor alone.
    package func serialised() -> Data {
        var writer = ProtobufWriter()
        write(to: &writer)
        return writer.data
    }

    func write(to writer: inout ProtobufWriter) {
        for size in shape { writer.int(1, Int64(size)) }
        writer.int(2, Int64(type.rawValue))
        writer.optionalString(8, name)
        if type == .string {
            for string in strings { writer.string(6, string) }
        } else {
            data.withBytes { writer.bytes(9, $0) }
        }
    }
}

extension ProtobufWriter {
    /// In the order of their names, so that the same model gives the same bytes.
    fileprivate mutating func entries(_ field: Int, _ entries: [String: String]) {
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            message(field) { writer in
                writer.string(1, key)
                writer.string(2, value)
            }
        }
    }

    fileprivate mutating func opsets(_ field: Int, _ opsets: [String: Int]) {
        for (domain, version) in opsets.sorted(by: { $0.key < $1.key }) {
            message(field) { writer in
                writer.optionalString(1, domain)
                writer.int(2, Int64(version))
            }
        }
    }
}

extension ONNXGraph {
    func write(to writer: inout ProtobufWriter) {
        for node in nodes { writer.message(1) { node.write(to: &$0) } }
        writer.optionalString(2, name)
        for tensor in initialisers { writer.message(5) { tensor.write(to: &$0) } }
        writer.optionalString(10, documentation)
        for input in inputs { writer.message(11) { input.write(to: &$0) } }
        for output in outputs { writer.message(12) { output.write(to: &$0) } }
        for value in valueInfo { writer.message(13) { value.write(to: &$0) } }
        writer.entries(16, metadata)
    }
}

extension ONNXFunction {
    fileprivate func write(to writer: inout ProtobufWriter) {
        writer.string(1, name)
        for input in inputs { writer.string(4, input) }
        for output in outputs { writer.string(5, output) }
        for attribute in attributes { writer.string(6, attribute) }
        for node in nodes { writer.message(7) { node.write(to: &$0) } }
        writer.opsets(9, opsets)
        writer.optionalString(10, domain)
        for attribute in defaults { writer.message(11) { attribute.write(to: &$0) } }
        writer.optionalString(13, overload)
    }
}

extension ONNXNode {
    fileprivate func write(to writer: inout ProtobufWriter) {
        for input in inputs { writer.string(1, input) }
        for output in outputs { writer.string(2, output) }
        writer.optionalString(3, name)
        writer.string(4, operatorType)
        for attribute in attributes { writer.message(5) { attribute.write(to: &$0) } }
        writer.optionalString(7, domain)
        writer.optionalString(8, overload)
    }
}

extension ONNXAttribute {
    fileprivate func write(to writer: inout ProtobufWriter) {
        writer.string(1, name)
        var type: Int64 = 0
        switch value {
        case .float(let value):
            writer.float(2, value)
            type = 1
        case .int(let value):
            writer.int(3, value)
            type = 2
        case .string(let value):
            writer.string(4, value)
            type = 3
        case .bytes(let value):
            value.withUnsafeBytes { writer.bytes(4, $0) }
            type = 3
        case .tensor(let value):
            writer.message(5) { value.write(to: &$0) }
            type = 4
        case .graph(let value):
            writer.message(6) { value.write(to: &$0) }
            type = 5
        case .floats(let values):
            writer.packedFloats(7, values)
            type = 6
        case .ints(let values):
            writer.packedInts(8, values)
            type = 7
        case .strings(let values):
            for value in values { writer.string(9, value) }
            type = 8
        case .tensors(let values):
            for value in values { writer.message(10) { value.write(to: &$0) } }
            type = 9
        case .graphs(let values):
            for value in values { writer.message(11) { value.write(to: &$0) } }
            type = 10
        case .reference(let name, let kind):
            writer.string(21, name)
            type = kind
        case .other: break
        }
        if type != 0 { writer.int(20, type) }
    }
}

extension ONNXValueInfo {
    fileprivate func write(to writer: inout ProtobufWriter) {
        writer.string(1, name)
        guard case .tensor(let element, let shape) = type else { return }
        writer.message(2) { writer in
            writer.message(1) { writer in
                writer.int(1, Int64(element.rawValue))
                guard let shape else { return }
                writer.message(2) { writer in
                    for dimension in shape { writer.message(1) { dimension.write(to: &$0) } }
                }
            }
        }
    }
}

extension ONNXDimension {
    fileprivate func write(to writer: inout ProtobufWriter) {
        switch self {
        case .fixed(let size): writer.int(1, Int64(size))
        case .symbol(let name): writer.string(2, name)
        case .unknown: break
        }
    }
}
