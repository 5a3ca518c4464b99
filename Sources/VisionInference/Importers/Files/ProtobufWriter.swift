import Foundation

/// Writes the wire form of Protocol Buffers.
struct ProtobufWriter {
    private(set) var data = Data()

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    private mutating func tag(_ field: Int, _ type: ProtobufReader.WireType) {
        varint(UInt64(field) << 3 | UInt64(type.rawValue))
    }

    mutating func int(_ field: Int, _ value: Int64) {
        tag(field, .varint)
        varint(UInt64(bitPattern: value))
    }

    mutating func float(_ field: Int, _ value: Float) {
        tag(field, .fixed32)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }

    mutating func bytes(_ field: Int, _ bytes: UnsafeRawBufferPointer) {
        tag(field, .bytes)
        varint(UInt64(bytes.count))
        data.append(contentsOf: bytes)
    }

    mutating func string(_ field: Int, _ value: String) {
        var copy = value
        copy.withUTF8 { bytes(field, UnsafeRawBufferPointer($0)) }
    }

    /// Leaves empty strings out, as the format's own writers do.
    mutating func optionalString(_ field: Int, _ value: String) {
        if !value.isEmpty { string(field, value) }
    }

    mutating func message(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
        var inner = ProtobufWriter()
        write(&inner)
        inner.data.withUnsafeBytes { bytes(field, $0) }
    }

    /// A message that is written already.
    mutating func append(_ field: Int, _ message: ProtobufWriter) {
        message.data.withUnsafeBytes { bytes(field, $0) }
    }

    mutating func packedInts(_ field: Int, _ values: [Int64]) {
        message(field) { writer in
            for value in values { writer.varint(UInt64(bitPattern: value)) }
        }
    }

    mutating func packedFloats(_ field: Int, _ values: [Float]) {
        var inner = Data(capacity: values.count * 4)
        for value in values { withUnsafeBytes(of: value.bitPattern.littleEndian) { inner.append(contentsOf: $0) } }
        inner.withUnsafeBytes { bytes(field, $0) }
    }
}
