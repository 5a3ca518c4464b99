/// A field of a table, or an element of it, before it is written.
package indirect enum FlatValue {
    case int8(Int8), uint8(UInt8), int32(Int32), uint32(UInt32), uint64(UInt64), float(Float)
    case string(String)
    case bytes([UInt8]), uint16s([UInt16]), int32s([Int32]), int64s([Int64]), floats([Float])
    case table([Int: FlatValue])
    case tables([[Int: FlatValue]])
}

/// Writes FlatBuffers front to back: each table before what it refers to, since offsets only lead forward.
package struct FlatBufferWriter {
    private var bytes: [UInt8]
    /// References not yet resolved: where the offset stands, and what it must lead to.
    private var pending: [(place: Int, value: FlatValue)] = []

    /// A file with a root table.
    package static func file(identifier: String, root: [Int: FlatValue]) -> [UInt8] {
        var writer = FlatBufferWriter(bytes: [0, 0, 0, 0] + Array(identifier.utf8))
        writer.pending.append((0, .table(root)))
        var next = 0
        while next < writer.pending.count {
            let (place, value) = writer.pending[next]
            writer.resolve(place, value)
            next += 1
        }
        return writer.bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func resolve(_ place: Int, _ value: FlatValue) {
        switch value {
        case .table(let fields): point(place, to: write(table: fields))
        case .tables(let tables):
            startVector(of: 4, count: tables.count, place)
            for table in tables {
                pending.append((bytes.count, .table(table)))
                append(UInt32(0))
            }
        case .string(let text):
            startVector(of: 1, count: text.utf8.count, place)
            bytes += Array(text.utf8) + [0]
        case .bytes(let elements):
            // Data of tensors is read as floats too, and wide loads like it aligned.
            startVector(of: 1, count: elements.count, place, alignment: 16)
            bytes += elements
        case .uint16s(let elements):
            startVector(of: 2, count: elements.count, place)
            for element in elements { append(element) }
        case .int32s(let elements):
            startVector(of: 4, count: elements.count, place)
            for element in elements { append(element) }
        case .int64s(let elements):
            startVector(of: 8, count: elements.count, place)
            for element in elements { append(element) }
        case .floats(let elements):
            startVector(of: 4, count: elements.count, place)
            for element in elements { append(element.bitPattern) }
        case .int8, .uint8, .int32, .uint32, .uint64, .float: preconditionFailure("a scalar is not referred to")
        }
    }

    private mutating func write(table fields: [Int: FlatValue]) -> Int {
        // Wide fields first, so that each is aligned behind the table's own four bytes and a gap.
        let order = fields.keys.sorted { (Self.size(fields[$0]), -$0) > (Self.size(fields[$1]), -$1) }
        let hasWide = fields.values.contains { Self.size($0) == 8 }
        var offsets = [UInt16](repeating: 0, count: (fields.keys.max() ?? -1) + 1)
        var size = hasWide ? 8 : 4
        for field in order {
            offsets[field] = UInt16(size)
            size += Self.size(fields[field])
        }
        align(2)
        let offsetTable = bytes.count
        append(UInt16(4 + 2 * offsets.count))
        append(UInt16(size))
        for offset in offsets { append(offset) }
        align(8)
        let start = bytes.count
        append(Int32(start - offsetTable))
        if hasWide { append(UInt32(0)) }
        for field in order {
            switch fields[field] {
            case .int8(let value): append(value)
            case .uint8(let value): append(value)
            case .int32(let value): append(value)
            case .uint32(let value): append(value)
            case .uint64(let value): append(value)
            case .float(let value): append(value.bitPattern)
            case .some(let reference):
                pending.append((bytes.count, reference))
                append(UInt32(0))
            case nil: break
            }
        }
        return start
    }

    private static func size(_ value: FlatValue?) -> Int {
        switch value {
        case .int8, .uint8: 1
        case .uint64: 8
        default: 4
        }
    }

    private mutating func startVector(of size: Int, count: Int, _ place: Int, alignment: Int = 4) {
        while bytes.count % 4 != 0 || (bytes.count + 4) % max(size, alignment) != 0 { bytes.append(0) }
        point(place, to: bytes.count)
        append(UInt32(count))
    }

    private mutating func point(_ place: Int, to target: Int) {
        let offset = UInt32(target - place)
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: offset >> (8 * index)) }
    }

    private mutating func align(_ alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    private mutating func append<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes += Array($0) }
    }
}
