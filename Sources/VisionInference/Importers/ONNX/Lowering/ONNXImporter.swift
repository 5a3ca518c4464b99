package import Foundation

/// Turns an ONNX model into a graph.
///
/// Every node becomes an `ONNXOperator`, which is replaced by the engine's own operators when the shapes of a run are
/// known; constants and nodes of local functions are dealt with here. Operators that the engine does not have are
/// refused here, by name and node.
package enum ONNXImporter {
    /// The newest version of the default operator set whose changes are known.
    package static let latestOpset = 26

    package static func graph(_ data: Data, folder: URL? = nil) throws -> Graph {
        try graph(ONNXModel(data, folder: folder))
    }

    package static func graph(_ model: ONNXModel) throws -> Graph {
        try ONNXNames.check(model)
        let file = try ONNXModelContext(model)
        var builder = ONNXScope(Graph(), context: file)
        builder.sink.metadata = model.metadata
        guard model.graph.sparseInitialisers.isEmpty else {
            throw ModelError.invalid("its constants are sparse, which is not supported")
        }
        for tensor in model.graph.initialisers { try builder.define(tensor) }
        for input in model.graph.inputs where builder.scope[input.name] == nil {
            let port = try ONNXPort(input)
            builder.scope[input.name] = builder.sink.addInput(
                input.name, port.type, port.shape, symbols: port.symbols)
        }
        try builder.append(model.graph.nodes, opsets: model.opsets)
        for output in model.graph.outputs {
            guard let value = builder.scope[output.name] else {
                throw ModelError.invalid("no node makes the output “\(output.name)”")
            }
            let port = try ONNXPort(output)
            builder.sink.addOutput(value, name: output.name, port.type, port.shape)
        }
        return builder.sink
    }
}

/// What the nodes of a model share: its functions.
final class ONNXModelContext: Sendable {
    let functions: [String: ONNXFunction]

    init(_ model: ONNXModel) throws {
        if let version = model.opsets[""], version > ONNXImporter.latestOpset {
            throw ModelError.invalid(
                "it uses operator set \(version), and the newest that is known is \(ONNXImporter.latestOpset)")
        }
        var functions: [String: ONNXFunction] = [:]
        for function in model.functions {
            functions[Self.key(function.domain, function.name, function.overload)] = function
        }
        self.functions = functions
    }

    private static func key(_ domain: String, _ name: String, _ overload: String) -> String {
        "\(domain)\n\(name)\n\(overload)"
    }

    func function(of node: ONNXNode) -> ONNXFunction? {
        functions.isEmpty ? nil : functions[Self.key(node.domain, node.operatorType, node.overload)]
    }
}

/// An input or output as the engine describes it.
struct ONNXPort {
    var type: ElementType
    var shape: [Int?]?
    var symbols: [String?] = []

    init(_ info: ONNXValueInfo) throws {
        switch info.type {
        case .tensor(let element, let dimensions)?:
            type = try ElementType(element, of: info.name)
            shape = dimensions?.map { if case .fixed(let size) = $0 { size } else { nil } }
            symbols = dimensions?.map { if case .symbol(let name) = $0 { name } else { nil } } ?? []
        case .other(let kind)?:
            throw ModelError.unsupported("“\(info.name)” is a \(kind), not a tensor")
        case nil: type = .float32
        }
    }
}

extension ElementType {
    /// - Parameter value: what has this type, for the error.
    init(_ type: ONNXDataType, of value: String) throws {
        switch type {
        case .float: self = .float32
        case .double: self = .float64
        case .float16: self = .float16
        case .bfloat16: self = .bfloat16
        case .int8: self = .int8
        case .uint8: self = .uint8
        case .int16: self = .int16
        case .uint16: self = .uint16
        case .int32: self = .int32
        case .uint32: self = .uint32
        case .int64: self = .int64
        case .uint64: self = .uint64
        case .bool: self = .bool
        default:
            throw ModelError.unsupported("“\(value)” has elements of type \(type)")
        }
    }
}

extension Tensor {
    /// The elements stay where they are if they lie where elements of their type may; otherwise they are copied.
    package init(_ tensor: ONNXTensor) throws {
        let type = try ElementType(tensor.type, of: tensor.name)
        let count = try tensor.shape.checkedElementCount(type)
        let storage = tensor.data.withBytes { bytes in
            if Int(bitPattern: bytes.baseAddress) % type.size == 0, bytes.count >= count * type.size {
                return TensorStorage(borrowing: bytes, from: tensor.data.bytes)
            }
            let copy = TensorStorage(byteCount: count * type.size)
            copyBytes(
                min(bytes.count, copy.byteCount), from: bytes.baseAddress ?? UnsafeRawPointer(copy.base), to: copy.base)
            return copy
        }
        try self.init(type, shape: tensor.shape, storage: storage)
    }
}
