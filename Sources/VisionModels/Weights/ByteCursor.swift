/// Reads little-endian numbers from untrusted bytes: every read is checked.
struct ByteCursor {
    private let bytes: ArraySlice<UInt8>
    private let name: String
    private(set) var position: Int

    /// - Parameter name: The kind of the bytes, for error texts.
    init(_ bytes: ArraySlice<UInt8>, name: String) {
        self.bytes = bytes
        self.name = name
        position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }

    /// Returns the next `count` bytes.
    mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw WeightFileError(.damaged, "\(name) ends in the middle of something")
        }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    mutating func skip(_ count: Int) throws { _ = try take(count) }

    mutating func byte() throws -> UInt8 {
        guard position < bytes.endIndex else {
            throw WeightFileError(.damaged, "\(name) ends in the middle of something")
        }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func unsigned<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) throws -> Number {
        try take(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    /// Returns an unsigned number that must be a valid length.
    mutating func length<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type) throws -> Int {
        let number = try unsigned(type)
        guard let length = Int(exactly: number) else {
            throw WeightFileError(.damaged, "\(name) states a length of \(number)")
        }
        return length
    }

    /// Returns the bytes up to a line feed, which is consumed too.
    mutating func line(limit: Int = 4096) throws -> ArraySlice<UInt8> {
        guard let end = bytes[position...].prefix(limit).firstIndex(of: 10) else {
            throw WeightFileError(.damaged, "\(name) has a line without an end")
        }
        defer { position = end + 1 }
        return bytes[position..<end]
    }

    mutating func text(_ count: Int) throws -> String {
        guard let text = String(validating: try take(count), as: UTF8.self) else {
            throw WeightFileError(.damaged, "\(name) holds text that is not UTF-8")
        }
        return text
    }
}
