/// The position of the central directory of a zip archive.
struct ZipDirectory {
    let offset: Int
    let size: Int
    let count: Int

    private static let recordSize = 22
    private static let longestComment = 65_535
    private static let smallestEntry = 46
    private static let damaged = WeightFileError(.damaged, "the directory of the archive is damaged")

    static func find(in bytes: [UInt8]) throws -> ZipDirectory {
        guard let record = endRecord(of: bytes) else {
            throw WeightFileError(.damaged, "this is no zip archive, or it is cut off")
        }
        var cursor = ByteCursor(bytes[(record + 4)...], name: "the archive")
        let disks = (try cursor.unsigned(UInt16.self), try cursor.unsigned(UInt16.self))
        try cursor.skip(2)
        var (count, size) = (try cursor.length(UInt16.self), try cursor.length(UInt32.self))
        var offset = try cursor.length(UInt32.self)
        guard disks == (0, 0) else {
            throw WeightFileError(.unsupported, "the archive is one of several volumes")
        }
        if count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF, let wide = try wideRecord(bytes, record) {
            (count, size, offset) = wide
        }
        guard size <= record, offset <= record - size, count <= size / smallestEntry else { throw damaged }
        return ZipDirectory(offset: offset, size: size, count: count)
    }

    /// The last end record whose comment reaches to the end of the file.
    private static func endRecord(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= recordSize else { return nil }
        var start = bytes.count - recordSize
        let lowest = max(0, start - longestComment)
        while start >= lowest {
            if bytes[start] == 0x50, bytes[start + 1] == 0x4b, bytes[start + 2] == 5, bytes[start + 3] == 6,
                Int(bytes[start + 20]) | Int(bytes[start + 21]) << 8 == bytes.count - start - recordSize
            {
                return start
            }
            start -= 1
        }
        return nil
    }

    /// The counts of the ZIP64 end record; nil without one.
    private static func wideRecord(_ bytes: [UInt8], _ record: Int) throws -> (count: Int, size: Int, offset: Int)? {
        guard record >= 20 else { return nil }
        var locator = ByteCursor(bytes[(record - 20)..<record], name: "the archive")
        guard try locator.unsigned(UInt32.self) == 0x0706_4b50 else { return nil }
        try locator.skip(4)
        let start = try locator.length(UInt64.self)
        guard start <= record - 20 else { throw damaged }
        var cursor = ByteCursor(bytes[start..<(record - 20)], name: "the archive")
        guard try cursor.unsigned(UInt32.self) == 0x0606_4b50 else { throw damaged }
        try cursor.skip(28)
        return (
            count: try cursor.length(UInt64.self), size: try cursor.length(UInt64.self),
            offset: try cursor.length(UInt64.self)
        )
    }

    /// Replaces sizes that did not fit 32 bits – in the order packed, unpacked, offset – by those of the extra field.
    static func widen(_ sizes: inout [Int], extra: ArraySlice<UInt8>) throws {
        // The extra field lists unpacked before packed, and only those that did not fit.
        let order = [1, 0, 2].filter { sizes[$0] == 0xFFFF_FFFF }
        guard !order.isEmpty else { return }
        var cursor = ByteCursor(extra, name: "the directory of the archive")
        while cursor.remaining >= 4 {
            let (tag, length) = (try cursor.unsigned(UInt16.self), try cursor.length(UInt16.self))
            var field = ByteCursor(try cursor.take(length), name: "the directory of the archive")
            guard tag == 1 else { continue }
            for index in order { sizes[index] = try field.length(UInt64.self) }
            return
        }
    }
}
