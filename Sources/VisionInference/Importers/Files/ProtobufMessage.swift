/// The fields of one message of Protocol Buffers: found once, read on demand.
///
/// For formats with many kinds of messages, of which each is read in one function only. Fields go by the numbers of the
/// format's `.proto` files. Of a field that occurs more than once the last counts, as the encoding has it; numbers that
/// are left out are 0. Every length is checked before a message exists (`ProtobufReader`).
package struct ProtobufMessage: Sendable {
    private struct Entry: Sendable {
        var number: Int32
        var type: ProtobufReader.WireType
        /// Where the value lies: for bytes without their length.
        var start: Int
        var end: Int
    }

    /// What one message may have: more than any model does, and few enough to keep a list of them.
    private static let largestCount = 1 << 24

    /// For errors.
    package let format: String
    package let bytes: ModelBytes
    package let range: Range<Int>
    private let entries: [Entry]

    /// The message that fills the bytes.
    package init(_ bytes: ModelBytes, format: String) throws(ModelError) {
        try self.init(ProtobufReader(bytes, format: format))
    }

    init(_ reader: ProtobufReader) throws(ModelError) {
        var reader = reader
        format = reader.format
        bytes = reader.bytes
        range = reader.position..<reader.end
        var entries: [Entry] = []
        while let field = try reader.next() {
            guard entries.count < Self.largestCount else {
                throw .tooLarge("a message with over \(entries.count) fields")
            }
            var range = reader.position..<reader.position
            if field.type == .bytes {
                range = try reader.range()
            } else {
                try reader.skip(field)
                range = range.lowerBound..<reader.position
            }
            entries.append(
                Entry(number: Int32(field.number), type: field.type, start: range.lowerBound, end: range.upperBound))
        }
        self.entries = entries
    }

    // MARK: Presence

    package func has(_ number: Int) -> Bool { last(number) != nil }

    /// The number of the first field in a range of numbers: which case of a `oneof` a message has.
    package func first(in numbers: ClosedRange<Int>, except others: Set<Int> = []) -> Int? {
        entries.first { numbers.contains(Int($0.number)) && !others.contains(Int($0.number)) }.map { Int($0.number) }
    }

    private func last(_ number: Int) -> Entry? { entries.last { $0.number == Int32(truncatingIfNeeded: number) } }

    private func all(_ number: Int) -> [Entry] { entries.filter { $0.number == Int32(truncatingIfNeeded: number) } }

    private func damaged(_ number: Int, _ what: String) -> ModelError {
        .damaged("field \(number) is not \(what) (\(format), in the message at byte \(range.lowerBound))")
    }

    private func reader(_ entry: Entry, _ number: Int) throws(ModelError) -> ProtobufReader {
        guard let reader = ProtobufReader(bytes, entry.start..<entry.end, format: format) else {
            throw damaged(number, "within the file")
        }
        return reader
    }

    private func reader(
        _ entry: Entry, _ number: Int, _ type: ProtobufReader.WireType, _ what: String
    ) throws(ModelError) -> ProtobufReader {
        guard entry.type == type else { throw damaged(number, what) }
        return try reader(entry, number)
    }

    // MARK: Numbers and text

    package func int(_ number: Int) throws(ModelError) -> Int {
        guard let entry = last(number) else { return 0 }
        var reader = try reader(entry, number, .varint, "a whole number")
        return Int(truncatingIfNeeded: try reader.varint())
    }

    package func bool(_ number: Int) throws(ModelError) -> Bool { try int(number) != 0 }

    package func float(_ number: Int) throws(ModelError) -> Float {
        guard let entry = last(number) else { return 0 }
        var reader = try reader(entry, number, .fixed32, "a float")
        return Float(bitPattern: try reader.fixed32())
    }

    package func double(_ number: Int) throws(ModelError) -> Double {
        guard let entry = last(number) else { return 0 }
        var reader = try reader(entry, number, .fixed64, "a double")
        return Double(bitPattern: try reader.fixed64())
    }

    package func string(_ number: Int) throws(ModelError) -> String {
        guard let entry = last(number) else { return "" }
        return try string(entry, number)
    }

    private func string(_ entry: Entry, _ number: Int) throws(ModelError) -> String {
        guard entry.type == .bytes else { throw damaged(number, "text") }
        return bytes.withBytes { String(decoding: $0[entry.start..<entry.end], as: UTF8.self) }
    }

    package func strings(_ number: Int) throws(ModelError) -> [String] {
        try all(number).map { entry throws(ModelError) in try string(entry, number) }
    }

    /// The bytes of a field; nil where it is left out.
    package func slice(_ number: Int) throws(ModelError) -> ModelSlice? {
        guard let entry = last(number) else { return nil }
        guard entry.type == .bytes, let slice = ModelSlice(bytes, entry.start..<entry.end) else {
            throw damaged(number, "a run of bytes")
        }
        return slice
    }

    // MARK: Repeated numbers, packed or not

    package func ints(_ number: Int) throws(ModelError) -> [Int] {
        var result: [Int] = []
        for entry in all(number) {
            var reader = try reader(entry, number)
            guard entry.type == .bytes || entry.type == .varint else {
                throw damaged(number, "a list of whole numbers")
            }
            while reader.position < reader.end { result.append(Int(truncatingIfNeeded: try reader.varint())) }
        }
        return result
    }

    package func floats(_ number: Int) throws(ModelError) -> [Float] {
        var result: [Float] = []
        for entry in all(number) {
            var reader = try reader(entry, number)
            guard entry.type == .bytes || entry.type == .fixed32 else { throw damaged(number, "a list of floats") }
            result.reserveCapacity(result.count + (entry.end - entry.start) / 4)
            while reader.position < reader.end { result.append(Float(bitPattern: try reader.fixed32())) }
        }
        return result
    }

    package func doubles(_ number: Int) throws(ModelError) -> [Double] {
        var result: [Double] = []
        for entry in all(number) {
            var reader = try reader(entry, number)
            guard entry.type == .bytes || entry.type == .fixed64 else { throw damaged(number, "a list of doubles") }
            while reader.position < reader.end { result.append(Double(bitPattern: try reader.fixed64())) }
        }
        return result
    }

    // MARK: Messages

    /// nil where the field is left out.
    package func message(_ number: Int) throws(ModelError) -> ProtobufMessage? {
        guard let entry = last(number) else { return nil }
        return try ProtobufMessage(reader(entry, number, .bytes, "a message"))
    }

    package func messages(_ number: Int) throws(ModelError) -> [ProtobufMessage] {
        try all(number).map { entry throws(ModelError) in
            try ProtobufMessage(reader(entry, number, .bytes, "a message"))
        }
    }

    /// The entries of a map from text to messages.
    package func map(_ number: Int) throws(ModelError) -> [(key: String, value: ProtobufMessage)] {
        var result: [(key: String, value: ProtobufMessage)] = []
        for entry in try messages(number) {
            guard let value = try entry.message(2) else { continue }
            result.append((try entry.string(1), value))
        }
        return result
    }
}
