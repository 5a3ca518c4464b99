/// Reads the FlatBuffers encoding from bytes that nobody vouches for.
///
/// Everything is found through offsets, so a small file can refer to the same bytes many times over. What is copied out
/// of the file is therefore charged to an allowance in proportion to the size of the file.
///
/// The bytes must outlive the buffer: use it inside one `withUnsafeBytes` closure.
final class FlatBuffer {
    let bytes: UnsafeRawBufferPointer
    private var allowance: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        let (product, overflows) = bytes.count.multipliedReportingOverflow(by: 32)
        allowance = overflows ? .max : max(product, 1 << 20)
    }

    /// The table that the file begins with.
    ///
    /// - Parameter identifier: The four characters behind the root's offset that tell the kind of file.
    func root(identifier: String) throws -> FlatTable {
        guard bytes.count >= 8, bytes[4..<8].elementsEqual(identifier.utf8) else {
            throw ModelError.damaged("it does not have the identifier \(identifier)", at: 4)
        }
        return try FlatTable(self, at: target(of: 0))
    }

    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at position: Int) throws -> Value {
        guard position >= 0, position <= bytes.count - MemoryLayout<Value>.size else {
            throw ModelError.damaged("an offset leads beyond its end", at: position)
        }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
    }

    /// What the offset at a position leads to; offsets count from where they stand.
    func target(of position: Int) throws -> Int {
        let offset = Int(try load(UInt32.self, at: position))
        guard offset > 0, offset < bytes.count - position else {
            throw ModelError.damaged("an offset leads beyond its end", at: position)
        }
        return position + offset
    }

    /// Pays for `count` things of `size` bytes that are about to be copied out of the file.
    func charge(_ count: Int, size: Int) throws {
        let (cost, overflows) = count.multipliedReportingOverflow(by: size)
        guard !overflows, cost <= allowance else {
            throw ModelError.damaged("it says more than its size can hold")
        }
        allowance -= cost
    }
}

/// A table: fields by number, each of which may be absent.
struct FlatTable {
    let buffer: FlatBuffer
    let position: Int
    private let offsets: Int
    private let fieldCount: Int
    private let size: Int

    init(_ buffer: FlatBuffer, at position: Int) throws {
        self.buffer = buffer
        self.position = position
        offsets = position - Int(try buffer.load(Int32.self, at: position))
        let offsetsSize = Int(try buffer.load(UInt16.self, at: offsets))
        size = Int(try buffer.load(UInt16.self, at: offsets + 2))
        guard offsetsSize >= 4, offsetsSize <= buffer.bytes.count - offsets, size >= 4,
            size <= buffer.bytes.count - position
        else { throw ModelError.damaged("a table leads beyond its end", at: position) }
        fieldCount = (offsetsSize - 4) / 2
    }

    /// Where a field stands; nil when the table does not have it.
    private func slot(_ field: Int, size fieldSize: Int) throws -> Int? {
        guard field < fieldCount else { return nil }
        let offset = Int(try buffer.load(UInt16.self, at: offsets + 4 + 2 * field))
        guard offset > 0 else { return nil }
        guard offset >= 4, offset <= size - fieldSize else {
            throw ModelError.damaged("field \(field) lies outside of its table", at: position)
        }
        return position + offset
    }

    func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _ field: Int, _ type: Value.Type, default value: Value = 0
    ) throws -> Value {
        guard let slot = try slot(field, size: MemoryLayout<Value>.size) else { return value }
        return try buffer.load(type, at: slot)
    }

    func float(_ field: Int) throws -> Float {
        Float(bitPattern: try integer(field, UInt32.self))
    }

    func flag(_ field: Int) throws -> Bool {
        try integer(field, UInt8.self) != 0
    }

    func table(_ field: Int) throws -> FlatTable? {
        guard let slot = try slot(field, size: 4) else { return nil }
        return try FlatTable(buffer, at: buffer.target(of: slot))
    }

    func tables(_ field: Int) throws -> [FlatTable] {
        guard let elements = try elements(field, size: 4) else { return [] }
        try buffer.charge(elements.count, size: MemoryLayout<FlatTable>.stride)
        return try (0..<elements.count).map { index in
            try FlatTable(buffer, at: buffer.target(of: elements.start + 4 * index))
        }
    }

    /// Text; bytes that are not UTF-8 are replaced.
    func string(_ field: Int) throws -> String? {
        guard let range = try range(field) else { return nil }
        try buffer.charge(range.count, size: 1)
        return String(decoding: buffer.bytes[range], as: UTF8.self)
    }

    /// Where in the file the elements of a vector of bytes lie.
    func range(_ field: Int) throws -> Range<Int>? {
        guard let elements = try elements(field, size: 1) else { return nil }
        return elements.start..<elements.start + elements.count
    }

    func integers<Value: FixedWidthInteger & BitwiseCopyable>(_ field: Int, _ type: Value.Type) throws -> [Int]? {
        guard let elements = try elements(field, size: MemoryLayout<Value>.size) else { return nil }
        try buffer.charge(elements.count, size: MemoryLayout<Int>.stride)
        return try (0..<elements.count).map { index in
            // Unsigned 64-bit vectors do not occur; clamping keeps the conversion from trapping if one is asked for.
            Int(clamping: try buffer.load(type, at: elements.start + MemoryLayout<Value>.size * index))
        }
    }

    func floats(_ field: Int) throws -> [Float]? {
        guard let elements = try elements(field, size: 4) else { return nil }
        try buffer.charge(elements.count, size: MemoryLayout<Float>.stride)
        return try (0..<elements.count).map { index in
            Float(bitPattern: try buffer.load(UInt32.self, at: elements.start + 4 * index))
        }
    }

    private func elements(_ field: Int, size elementSize: Int) throws -> (start: Int, count: Int)? {
        guard let slot = try slot(field, size: 4) else { return nil }
        let vector = try buffer.target(of: slot)
        let count = Int(try buffer.load(UInt32.self, at: vector))
        let start = vector + 4
        guard count <= (buffer.bytes.count - start) / elementSize else {
            throw ModelError.damaged("a vector of \(count) elements leads beyond its end", at: vector)
        }
        return (start, count)
    }
}

extension ModelError {
    /// - Parameter position: The offset in the file.
    static func damaged(_ what: String, at position: Int) -> ModelError {
        .damaged("\(what) (at byte \(position))")
    }
}
