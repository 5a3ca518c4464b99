/// An ONNX file as it is written: the messages of `onnx.proto`, without what only training and sharding use.
/// https://github.com/onnx/onnx/blob/main/docs/IR.md
package struct ONNXModel: Sendable {
    package var irVersion: Int64 = 8
    /// The operator set's version for each domain; the default domain's name is "".
    package var opsets: [String: Int] = [:]
    package var producerName = ""
    package var producerVersion = ""
    package var domain = ""
    package var modelVersion: Int64 = 0
    package var documentation = ""
    package var graph = ONNXGraph()
    package var metadata: [String: String] = [:]
    package var functions: [ONNXFunction] = []

    package init() {}

    /// The default domain has two names.
    package static func canonicalDomain(_ name: String) -> String { name == "ai.onnx" ? "" : name }
}

package struct ONNXGraph: Sendable {
    package var name = ""
    package var documentation = ""
    package var nodes: [ONNXNode] = []
    package var initialisers: [ONNXTensor] = []
    /// Sparse initialisers are named, and not read.
    package var sparseInitialisers: [String] = []
    package var inputs: [ONNXValueInfo] = []
    package var outputs: [ONNXValueInfo] = []
    package var valueInfo: [ONNXValueInfo] = []
    package var metadata: [String: String] = [:]
}

package struct ONNXNode: Sendable {
    package var name = ""
    package var operatorType = ""
    package var domain = ""
    package var overload = ""
    /// Names of values; "" for an optional one that is left out.
    package var inputs: [String] = []
    package var outputs: [String] = []
    package var attributes: [ONNXAttribute] = []

    package init() {}

    package func attribute(_ name: String) -> ONNXAttribute.Value? { attributes.first { $0.name == name }?.value }
}

package struct ONNXAttribute: Sendable {
    package indirect enum Value: Sendable {
        case float(Float)
        case int(Int64)
        case string(String)
        /// A string that is no UTF-8.
        case bytes([UInt8])
        case tensor(ONNXTensor)
        case graph(ONNXGraph)
        case floats([Float])
        case ints([Int64])
        case strings([String])
        case tensors([ONNXTensor])
        case graphs([ONNXGraph])
        /// Within a function: the value of the calling node's attribute of this name; `kind` is its `AttributeType`.
        case reference(String, kind: Int64)
        /// A kind that is not read, by its name.
        case other(String)
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}

/// A node's definition in terms of other nodes.
package struct ONNXFunction: Sendable {
    package var name = ""
    package var domain = ""
    package var overload = ""
    package var inputs: [String] = []
    package var outputs: [String] = []
    /// Names of attributes without a default.
    package var attributes: [String] = []
    package var defaults: [ONNXAttribute] = []
    package var nodes: [ONNXNode] = []
    package var opsets: [String: Int] = [:]
}

package struct ONNXValueInfo: Sendable {
    package var name: String
    package var type: ONNXType?

    package init(_ name: String, _ type: ONNXType? = nil) {
        self.name = name
        self.type = type
    }
}

package enum ONNXType: Sendable, Equatable {
    /// `shape` is nil where not even the rank is known.
    case tensor(ONNXDataType, shape: [ONNXDimension]?)
    /// Sequences, maps, optionals and sparse tensors, by name.
    case other(String)
}

package enum ONNXDimension: Sendable, Equatable {
    case fixed(Int)
    case symbol(String)
    case unknown
}

/// `TensorProto.DataType`
package enum ONNXDataType: Int32, Sendable, CaseIterable {
    case undefined = 0
    case float = 1
    case uint8, int8, uint16, int16, int32, int64, string, bool, float16, double, uint32, uint64
    case complex64, complex128, bfloat16
    case float8E4M3FN, float8E4M3FNUZ, float8E5M2, float8E5M2FNUZ
    case uint4, int4, float4E2M1, float8E8M0, uint2, int2

    /// Bits of an element; nil for strings, which have no fixed size. Elements of fewer than eight bits are packed,
    /// the first lowest.
    package var bitWidth: Int? {
        switch self {
        case .undefined, .string: return nil
        case .uint2, .int2: return 2
        case .uint4, .int4, .float4E2M1: return 4
        case .uint8, .int8, .bool, .float8E4M3FN, .float8E4M3FNUZ, .float8E5M2, .float8E5M2FNUZ, .float8E8M0: return 8
        case .uint16, .int16, .float16, .bfloat16: return 16
        case .float, .int32, .uint32: return 32
        case .double, .int64, .uint64, .complex64: return 64
        case .complex128: return 128
        }
    }

    /// The bytes that `count` elements take; nil where they have no fixed size or are more than can be counted.
    package func byteCount(of count: Int) -> Int? {
        guard let bitWidth else { return nil }
        let (bits, overflow) = count.multipliedReportingOverflow(by: bitWidth)
        return overflow || bits > Int.max - 7 ? nil : (bits + 7) / 8
    }
}
