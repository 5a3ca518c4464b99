/// A parameter of a statement, or a value of a row.
package enum PostgresValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case boolean(Bool)
    case text(String)
    case bytes([UInt8])
    /// Floats of 4 bytes, the least significant byte first, as prints are stored.
    case vector([UInt8])
    case integers([Int64])
    case byteStrings([[UInt8]])
    case vectors([[UInt8]])
}

/// The numbers of PostgreSQL's types. Those of the types that it comes with never change.
struct PostgresTypes {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let name: UInt32 = 19
    static let integer: UInt32 = 20
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let byteStrings: UInt32 = 1001
    static let integers: UInt32 = 1016

    /// Of pgvector's type, which each database gives a number of its own; nil where it is not installed.
    var vector: UInt32?
    var vectors: UInt32?
}

// MARK: - Binary format

extension PostgresValue {
    /// The number of the type; nil for a type that the database does not have.
    func type(_ types: PostgresTypes) -> UInt32? {
        switch self {
        // What NULL is, the statement says.
        case .null: 0
        case .integer: PostgresTypes.integer
        case .boolean: PostgresTypes.boolean
        case .text: PostgresTypes.text
        case .bytes: PostgresTypes.bytes
        case .vector: types.vector
        case .integers: PostgresTypes.integers
        case .byteStrings: PostgresTypes.byteStrings
        case .vectors: types.vectors
        }
    }

    /// Appends the value in binary format.
    func append(to data: inout [UInt8], _ types: PostgresTypes) {
        switch self {
        case .null: break
        case .integer(let number): data.appendBigEndian(number)
        case .boolean(let value): data.append(value ? 1 : 0)
        case .text(let text): data += text.utf8
        case .bytes(let bytes): data += bytes
        case .vector(let floats): Self.append(vector: floats, to: &data)
        case .integers(let numbers):
            Self.append(array: numbers, of: PostgresTypes.integer, to: &data) { $1.appendBigEndian($0) }
        case .byteStrings(let strings):
            Self.append(array: strings, of: PostgresTypes.bytes, to: &data) { $1 += $0 }
        case .vectors(let vectors):
            Self.append(array: vectors, of: types.vector ?? 0, to: &data) { Self.append(vector: $0, to: &$1) }
        }
    }

    /// One dimension, from 1 on, without NULL.
    private static func append<Element>(
        array: [Element], of type: UInt32, to data: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
    ) {
        data.appendBigEndian(Int32(array.isEmpty ? 0 : 1))
        data.appendBigEndian(Int32(0))
        data.appendBigEndian(type)
        guard !array.isEmpty else { return }
        data.appendBigEndian(Int32(clamping: array.count))
        data.appendBigEndian(Int32(1))
        for element in array {
            let start = data.count
            data.appendBigEndian(Int32(0))
            append(element, &data)
            let count = UInt32(clamping: data.count - start - 4)
            for byte in 0..<4 { data[start + byte] = UInt8(truncatingIfNeeded: count >> UInt32(24 - 8 * byte)) }
        }
    }

    private static func append(vector floats: [UInt8], to data: inout [UInt8]) {
        data.appendBigEndian(UInt16(clamping: floats.count / 4))
        data.appendBigEndian(UInt16(0))
        data += swapped(floats[...])
    }

    /// Reads a value in binary format; nil for a type that this program does not ask for, or another length.
    init?(_ bytes: [UInt8], type: UInt32, _ types: PostgresTypes) {
        switch type {
        case PostgresTypes.integer where bytes.count == 8, PostgresTypes.oid where bytes.count == 4:
            self = .integer(bytes.reduce(0) { $0 << 8 | Int64($1) })
        case PostgresTypes.boolean where bytes.count == 1: self = .boolean(bytes[0] != 0)
        case PostgresTypes.text, PostgresTypes.name: self = .text(String(decoding: bytes, as: UTF8.self))
        case PostgresTypes.bytes: self = .bytes(bytes)
        case types.vector:
            guard bytes.count >= 4, bytes.count == 4 + 4 * (Int(bytes[0]) << 8 | Int(bytes[1])) else { return nil }
            self = .vector(Self.swapped(bytes[4...]))
        default: return nil
        }
    }

    /// The floats with their bytes in the other order.
    private static func swapped(_ floats: ArraySlice<UInt8>) -> [UInt8] {
        var swapped: [UInt8] = []
        swapped.reserveCapacity(floats.count)
        var index = floats.startIndex
        while index + 3 < floats.endIndex {
            swapped += [floats[index + 3], floats[index + 2], floats[index + 1], floats[index]]
            index += 4
        }
        return swapped
    }
}

extension [UInt8] {
    fileprivate mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
