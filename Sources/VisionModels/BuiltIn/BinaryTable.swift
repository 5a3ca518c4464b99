package import Foundation

/// Named arrays of numbers and text in one file: the built-in data other than networks.
///
/// `Documentation/BuiltInFiles.md` describes the format; `Training/Shared/tables.py` writes it.
package struct BinaryTable: Sendable {
    /// An array's element type, by its number in the file.
    private enum Kind: UInt8 {
        case int8 = 1
        case uint8, int16, uint16, int32, float16, float32, text

        var size: Int {
            switch self {
            case .int8, .uint8, .text: 1
            case .int16, .uint16, .float16: 2
            case .int32, .float32: 4
            }
        }
    }

    private struct Entry {
        let kind: Kind
        let bytes: Range<Int>
        var count: Int { bytes.count / kind.size }
    }

    private static let magic = Array("OVTABLE1".utf8)
    private let data: Data
    private let entries: [String: Entry]

    /// - Throws: `WeightFileError` for bytes that are not a table.
    package init(_ data: Data) throws(WeightFileError) {
        // Indices start at 0 even if the data is a slice.
        let data = data.startIndex == 0 ? data : Data(data)
        var reader = Reader(data: data)
        guard data.prefix(Self.magic.count).elementsEqual(Self.magic) else {
            throw WeightFileError(.damaged, "The table does not begin with OVTABLE1. Write it anew.")
        }
        reader.position = Self.magic.count
        var entries: [String: Entry] = [:]
        for _ in 0..<(try reader.integer(4)) {
            let kind = Kind(rawValue: UInt8(try reader.integer(1)))
            let length = try reader.integer(1)
            _ = try reader.integer(2)
            let (count, start) = (try reader.integer(4), try reader.integer(4))
            let name = try reader.text(length)
            guard let kind else {
                throw WeightFileError(.damaged, "The array '\(name)' of a table has an unknown type.")
            }
            let end = start + count * kind.size
            guard end <= data.count else {
                throw WeightFileError(
                    .damaged,
                    "The array '\(name)' of a table ends at byte \(end) of \(data.count): the file is cut off.")
            }
            entries[name] = Entry(kind: kind, bytes: start..<end)
        }
        self.data = data
        self.entries = entries
    }

    /// Reads a table that is built into the library.
    ///
    /// - Throws: `WeightFileError`.
    init(builtIn name: String) throws(WeightFileError) {
        guard let data = BuiltInFile.data(named: name) else {
            throw WeightFileError(.damaged, "The table '\(name)' is not built into this library.")
        }
        try self.init(data)
    }

    /// Integers of any stored type.
    package func integers(_ name: String) throws(WeightFileError) -> [Int] {
        let entry = try entry(name)
        return switch entry.kind {
        case .int8: elements(entry, as: Int8.self) { Int($0) }
        case .uint8: elements(entry, as: UInt8.self) { Int($0) }
        case .int16: elements(entry, as: Int16.self) { Int(Int16(littleEndian: $0)) }
        case .uint16: elements(entry, as: UInt16.self) { Int(UInt16(littleEndian: $0)) }
        case .int32: elements(entry, as: Int32.self) { Int(Int32(littleEndian: $0)) }
        case .float16, .float32, .text: throw Self.wrong(name, "integers")
        }
    }

    /// Numbers of any stored type as floats; those of 32 bits and fewer are exact but for large 32-bit integers.
    ///
    /// - Parameter count: The required number of elements; nil for any number.
    package func floats(_ name: String, count: Int? = nil) throws(WeightFileError) -> [Float] {
        let entry = try entry(name)
        if let count, entry.count != count {
            throw WeightFileError(
                .mismatch, "The array '\(name)' of a table has \(entry.count) elements, not \(count).")
        }
        return switch entry.kind {
        case .int8: elements(entry, as: Int8.self) { Float($0) }
        case .uint8: elements(entry, as: UInt8.self) { Float($0) }
        case .int16: elements(entry, as: Int16.self) { Float(Int16(littleEndian: $0)) }
        case .uint16: elements(entry, as: UInt16.self) { Float(UInt16(littleEndian: $0)) }
        case .int32: elements(entry, as: Int32.self) { Float(Int32(littleEndian: $0)) }
        case .float16: elements(entry, as: UInt16.self) { Float(Float16(bitPattern: UInt16(littleEndian: $0))) }
        case .float32: elements(entry, as: UInt32.self) { Float(bitPattern: UInt32(littleEndian: $0)) }
        case .text: throw Self.wrong(name, "numbers")
        }
    }

    /// The lines of a text.
    package func lines(_ name: String) throws(WeightFileError) -> [String] {
        let entry = try entry(name)
        guard entry.kind == .text else { throw Self.wrong(name, "text") }
        var lines = data[entry.bytes].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Each line ends with a break, so the part after the last one is empty.
        _ = lines.popLast()
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    private func entry(_ name: String) throws(WeightFileError) -> Entry {
        guard let entry = entries[name] else {
            throw WeightFileError(
                .mismatch, "The table has no array '\(name)', only \(entries.keys.sorted().joined(separator: ", ")).")
        }
        return entry
    }

    private static func wrong(_ name: String, _ wanted: String) -> WeightFileError {
        WeightFileError(.mismatch, "The array '\(name)' of a table does not hold \(wanted).")
    }

    private func elements<Stored: BitwiseCopyable, Value>(
        _ entry: Entry, as type: Stored.Type, _ value: (Stored) -> Value
    ) -> [Value] {
        data.withUnsafeBytes { bytes in
            (0..<entry.count).map {
                value(
                    bytes.loadUnaligned(
                        fromByteOffset: entry.bytes.lowerBound + $0 * MemoryLayout<Stored>.size, as: type))
            }
        }
    }

    /// Reads the table of contents.
    private struct Reader {
        let data: Data
        var position = 0

        mutating func integer(_ size: Int) throws(WeightFileError) -> Int {
            var value = 0
            for (index, byte) in try bytes(size).enumerated() { value |= Int(byte) << (8 * index) }
            return value
        }

        mutating func text(_ length: Int) throws(WeightFileError) -> String {
            String(decoding: try bytes(length), as: UTF8.self)
        }

        private mutating func bytes(_ count: Int) throws(WeightFileError) -> Data {
            guard position + count <= data.count else {
                throw WeightFileError(.damaged, "The table is cut off after \(data.count) bytes.")
            }
            defer { position += count }
            return data[position..<position + count]
        }
    }
}
