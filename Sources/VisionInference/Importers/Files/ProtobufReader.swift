/// Reads the wire form of Protocol Buffers in place: https://protobuf.dev/programming-guides/encoding
///
/// A reader walks over the fields of one message; a message in a field gets a reader of its own. Every length is
/// checked against the message that it lies in, so that no reader ever leaves its bytes.
struct ProtobufReader {
    enum WireType: UInt8, Sendable {
        case varint = 0
        case fixed64 = 1
        case bytes = 2
        case groupStart = 3
        case groupEnd = 4
        case fixed32 = 5
    }

    struct Field {
        let number: Int
        let type: WireType
    }

    let format: String
    let bytes: ModelBytes
    private(set) var position: Int
    let end: Int

    init(_ bytes: ModelBytes, format: String) {
        self.format = format
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    /// `range` comes from `range()` of another reader of the same bytes.
    private init(_ parent: ProtobufReader, _ range: Range<Int>) {
        format = parent.format
        bytes = parent.bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// A message that lies in a part of the bytes; nil where that leaves them.
    init?(_ bytes: ModelBytes, _ range: Range<Int>, format: String) {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        self.format = format
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    func damaged(_ what: String) -> ModelError { .damaged("\(what) (\(format), at byte \(position))") }

    /// The next field's number and type, nil at the end of the message.
    mutating func next() throws(ModelError) -> Field? {
        guard position < end else { return nil }
        let tag = try varint()
        guard let type = WireType(rawValue: UInt8(tag & 7)), tag >> 3 > 0, tag >> 3 < 1 << 29 else {
            throw damaged("a field has the tag \(tag)")
        }
        return Field(number: Int(tag >> 3), type: type)
    }

    mutating func varint() throws(ModelError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        let limit = min(end, position + 10)
        var index = position
        let stop = bytes.withBytes { all -> Bool in
            while index < limit {
                let byte = all[index]
                index += 1
                value |= UInt64(byte & 0x7f) << shift
                if byte < 0x80 { return true }
                shift += 7
            }
            return false
        }
        guard stop else { throw damaged(limit == end ? "a number is cut off" : "a number has more than ten bytes") }
        position = index
        return value
    }

    mutating func fixed32() throws(ModelError) -> UInt32 {
        guard end - position >= 4 else { throw damaged("a number is cut off") }
        let value = bytes.withBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt32.self) }
        position += 4
        return UInt32(littleEndian: value)
    }

    mutating func fixed64() throws(ModelError) -> UInt64 {
        guard end - position >= 8 else { throw damaged("a number is cut off") }
        let value = bytes.withBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
        position += 8
        return UInt64(littleEndian: value)
    }

    /// Where the bytes of a field of type `bytes` lie.
    mutating func range() throws(ModelError) -> Range<Int> {
        let length = try varint()
        guard length <= UInt64(end - position) else {
            throw damaged("a field of \(length) bytes lies in a message with \(end - position) left")
        }
        let range = position..<position + Int(length)
        position = range.upperBound
        return range
    }

    mutating func message() throws(ModelError) -> ProtobufReader { ProtobufReader(self, try range()) }

    mutating func slice() throws(ModelError) -> ModelSlice {
        let range = try range()
        guard let slice = ModelSlice(bytes, range) else { throw damaged("a field leaves the file") }
        return slice
    }

    /// Bytes that are no UTF-8 are repaired: names are compared only with names of the same file, read in the same way.
    mutating func string() throws(ModelError) -> String {
        let range = try range()
        return bytes.withBytes { String(decoding: $0[range], as: UTF8.self) }
    }

    mutating func skip(_ field: Field) throws(ModelError) {
        switch field.type {
        case .varint: _ = try varint()
        case .fixed64: _ = try fixed64()
        case .fixed32: _ = try fixed32()
        case .bytes: _ = try range()
        case .groupStart, .groupEnd: throw damaged("a field is a group, which no model has")
        }
    }

    /// A field that is to have this wire type.
    func expect(_ type: WireType, _ field: Field) throws(ModelError) {
        guard field.type == type else { throw damaged("field \(field.number) has the wire type \(field.type)") }
    }

    /// A varint in a field of that type.
    mutating func int(_ field: Field) throws(ModelError) -> Int64 {
        try expect(.varint, field)
        return Int64(bitPattern: try varint())
    }

    mutating func string(_ field: Field) throws(ModelError) -> String {
        try expect(.bytes, field)
        return try string()
    }

    mutating func message(_ field: Field) throws(ModelError) -> ProtobufReader {
        try expect(.bytes, field)
        return try message()
    }

    mutating func float(_ field: Field) throws(ModelError) -> Float {
        try expect(.fixed32, field)
        return Float(bitPattern: try fixed32())
    }

    /// Appends one number of a repeated field, or a packed run of them: writers may use either.
    mutating func ints(_ field: Field, into numbers: inout [Int64]) throws(ModelError) {
        guard field.type == .bytes else { return numbers.append(try int(field)) }
        var packed = try message()
        while packed.position < packed.end { numbers.append(Int64(bitPattern: try packed.varint())) }
    }

    mutating func floats(_ field: Field, into numbers: inout [Float]) throws(ModelError) {
        guard field.type == .bytes else { return numbers.append(try float(field)) }
        var packed = try message()
        while packed.position < packed.end { numbers.append(Float(bitPattern: try packed.fixed32())) }
    }
}
