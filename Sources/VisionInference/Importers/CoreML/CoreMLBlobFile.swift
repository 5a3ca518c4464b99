import Foundation

/// The file with the weights of an ML program (`weights/weight.bin`): a header of 64 bytes, and for each tensor 64
/// bytes that say what it is, and where.
final class CoreMLBlobFile: Sendable {
    /// The elements of a tensor, as the file has them.
    enum DataType: UInt32 {
        case float16 = 1, float32 = 2, uint8 = 3, int8 = 4, bfloat16 = 5, int16 = 6, uint16 = 7
        case int4 = 8, uint1 = 9, uint2 = 10, uint4 = 11, uint3 = 12, uint6 = 13, int32 = 14, uint32 = 15

        var bits: Int {
            switch self {
            case .float16, .bfloat16, .int16, .uint16: 16
            case .float32, .int32, .uint32: 32
            case .uint8, .int8: 8
            case .int4, .uint4: 4
            case .uint1: 1
            case .uint2: 2
            case .uint3: 3
            case .uint6: 6
            }
        }
    }

    struct Blob {
        var type: DataType
        var elements: ModelSlice
    }

    private static let headerSize = 64
    private static let sentinel: UInt32 = 0xdead_beef

    private let bytes: ModelBytes

    /// - Throws: `ModelError` when it is no regular file, or has another header.
    init(contentsOf url: URL) throws {
        bytes = try ModelBytes(contentsOf: url)
        let version = bytes.withBytes { raw in
            raw.count < Self.headerSize
                ? nil : UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        }
        guard let version else { throw ModelError.damaged("\(url.path) has no header") }
        guard version == 2 else {
            throw ModelError.unsupported("\(url.path) is a file of weights of version \(version); version 2 is read")
        }
    }

    /// The tensor whose description lies at an offset.
    func blob(at offset: Int) throws -> Blob {
        guard offset >= Self.headerSize, offset % 64 == 0, offset <= bytes.count - Self.headerSize else {
            throw ModelError.damaged("weights at byte \(offset) of a file of \(bytes.count) bytes")
        }
        let (sentinel, type, size, start) = bytes.withBytes { raw in
            func word(_ at: Int) -> UInt32 {
                UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset + at, as: UInt32.self))
            }
            func long(_ at: Int) -> UInt64 {
                UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset + at, as: UInt64.self))
            }
            return (word(0), word(4), long(8), long(16))
        }
        guard sentinel == Self.sentinel else { throw ModelError.damaged("there are no weights at byte \(offset)") }
        guard let type = DataType(rawValue: type) else {
            throw ModelError.unsupported("weights of type \(type), which is not known here")
        }
        guard start <= UInt64(bytes.count), size <= UInt64(bytes.count) - start,
            let slice = ModelSlice(bytes, Int(start)..<Int(start) + Int(size))
        else {
            throw ModelError.damaged("weights of \(size) bytes at byte \(start) of a file of \(bytes.count) bytes")
        }
        return Blob(type: type, elements: slice)
    }
}
