/// What the elements of a value of an ML program are, as MIL.proto numbers it.
enum MILElement: Int64, Hashable {
    case bool = 1, string = 2, float16 = 10, float32 = 11, float64 = 12, int32 = 23, int64 = 24

    /// As the operation `cast` names it.
    var name: String {
        switch self {
        case .bool: "bool"
        case .string: "string"
        case .float16: "fp16"
        case .float32: "fp32"
        case .float64: "fp64"
        case .int32: "int32"
        case .int64: "int64"
        }
    }
}

/// The type of a value of an ML program: a tensor.
struct MILType: Hashable {
    var element: MILElement
    var shape: Shape

    init(_ element: MILElement, _ shape: Shape) {
        self.element = element
        self.shape = shape
    }

    /// Writes a `ValueType`.
    func write(_ field: Int, to writer: inout ProtobufWriter) {
        writer.message(field) { writer in
            writer.message(1) { writer in
                writer.int(1, element.rawValue)
                if !shape.isEmpty { writer.int(2, Int64(shape.count)) }
                for size in shape { Self.dimension(3, size, &writer) }
            }
        }
    }

    static func dimension(_ field: Int, _ size: Int, _ writer: inout ProtobufWriter) {
        writer.message(field) { writer in writer.message(1) { writer in writer.int(1, Int64(size)) } }
    }
}

/// A value of an ML program: its name and type.
struct MILReference: Hashable {
    var name: String
    var type: MILType

    var shape: Shape { type.shape }
    var element: MILElement { type.element }
}

/// A value that a program states.
enum MILValue: Hashable {
    case floats([Float])
    /// The bits of half floats.
    case halves([UInt16])
    case ints([Int32])
    case longs([Int64])
    case bools([Bool])
    case text(String)
    /// Elements in the file of weights.
    case blob(offset: Int)
    /// The labels of a classifier.
    case labels([String])
    case integerLabels([Int])

    static let weightFile = "@model_path/weights/weight.bin"

    /// Writes a `Value`.
    func write(_ field: Int, _ type: MILType, to writer: inout ProtobufWriter) {
        writer.message(field) { writer in
            switch self {
            case .labels(let labels):
                Self.write(list: labels.map { .text($0) }, MILType(.string, []), to: &writer)
            case .integerLabels(let labels):
                Self.write(list: labels.map { .longs([Int64($0)]) }, MILType(.int64, []), to: &writer)
            case .blob(let offset):
                type.write(2, to: &writer)
                writer.message(5) { writer in
                    writer.string(1, Self.weightFile)
                    writer.int(2, Int64(offset))
                }
            default:
                type.write(2, to: &writer)
                writer.message(3) { writer in writer.message(1) { writer in writeElements(type, to: &writer) } }
            }
        }
    }

    /// The elements of a `TensorValue`.
    private func writeElements(_ type: MILType, to writer: inout ProtobufWriter) {
        switch self {
        case .floats(let values): writer.message(1) { $0.packedFloats(1, values) }
        case .halves(let bits):
            writer.message(7) { writer in
                bits.map(\.littleEndian).withUnsafeBytes { writer.bytes(1, $0) }
            }
        case .ints(let values): writer.message(2) { $0.packedInts(1, values.map { Int64($0) }) }
        case .longs(let values): writer.message(5) { $0.packedInts(1, values) }
        case .bools(let values): writer.message(3) { $0.packedInts(1, values.map { $0 ? 1 : 0 }) }
        case .text(let text): writer.message(4) { $0.string(1, text) }
        case .blob, .labels, .integerLabels: break
        }
    }

    private static func write(list values: [MILValue], _ type: MILType, to writer: inout ProtobufWriter) {
        writer.message(2) { writer in
            writer.message(2) { writer in
                type.write(1, to: &writer)
                MILType.dimension(2, values.count, &writer)
            }
        }
        writer.message(3) { writer in
            writer.message(3) { writer in
                for value in values { value.write(1, type, to: &writer) }
            }
        }
    }
}
