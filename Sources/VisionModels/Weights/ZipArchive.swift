/// Reads files out of a zip archive (a Python wheel, a torch checkpoint), by way of its central directory.
///
/// Stored and deflated entries, ZIP64 sizes; no encryption, no archives in several volumes. Nothing is unpacked to disk
/// here, but names that would leave a folder are refused all the same, and two entries of one name too.
package struct ZipArchive: Sendable {
    package struct Entry: Equatable, Sendable {
        package let name: String
        /// Bytes when unpacked.
        package let size: Int
        fileprivate let isDeflated: Bool
        fileprivate let packedSize: Int
        fileprivate let crc: UInt32
        fileprivate let headerOffset: Int
    }

    private let bytes: [UInt8]
    /// In the order of the directory.
    package let entries: [Entry]
    private let indexOfName: [String: Int]

    /// - Throws: `WeightFileError` when the bytes are no archive or the directory is damaged.
    package init(_ bytes: [UInt8]) throws {
        let directory = try ZipDirectory.find(in: bytes)
        var cursor = ByteCursor(bytes[directory.offset..<(directory.offset + directory.size)], name: "the archive")
        var entries: [Entry] = []
        var indexOfName: [String: Int] = [:]
        for _ in 0..<directory.count {
            let entry = try Self.entry(&cursor)
            guard indexOfName.updateValue(entries.count, forKey: entry.name) == nil else {
                throw WeightFileError(.damaged, "the archive holds \(entry.name) twice")
            }
            entries.append(entry)
        }
        self.bytes = bytes
        self.entries = entries
        self.indexOfName = indexOfName
    }

    package subscript(name: String) -> Entry? { indexOfName[name].map { entries[$0] } }

    /// The bytes of a file in the archive, with its checksum checked.
    ///
    /// - Parameter limit: the most bytes that it may have unpacked.
    /// - Throws: `WeightFileError` when there is no such file or it is too large or damaged.
    package func contents(of name: String, limit: Int) throws -> [UInt8] {
        guard let entry = self[name] else {
            throw WeightFileError(.damaged, "the archive has no file \(name)")
        }
        guard entry.size <= limit else {
            throw WeightFileError(.damaged, "\(name) is larger than the \(limit) bytes that it may have")
        }
        var cursor = ByteCursor(bytes[...], name: "the archive")
        try cursor.skip(entry.headerOffset)
        guard try cursor.unsigned(UInt32.self) == 0x0403_4b50 else {
            throw WeightFileError(.damaged, "\(name) is not where the archive says")
        }
        try cursor.skip(22)
        let (nameLength, extraLength) = (try cursor.length(UInt16.self), try cursor.length(UInt16.self))
        guard try cursor.take(nameLength).elementsEqual(name.utf8) else {
            throw WeightFileError(.damaged, "\(name) has another name inside the archive")
        }
        try cursor.skip(extraLength)
        let packed = try cursor.take(entry.packedSize)
        let contents = entry.isDeflated ? try Inflate.bytes(of: packed, count: entry.size) : Array(packed)
        guard contents.count == entry.size, Inflate.crc32(of: contents[...]) == entry.crc else {
            throw WeightFileError(.damaged, "\(name) is damaged in the archive")
        }
        return contents
    }

    private static func entry(_ cursor: inout ByteCursor) throws -> Entry {
        guard try cursor.unsigned(UInt32.self) == 0x0201_4b50 else {
            throw WeightFileError(.damaged, "the directory of the archive is damaged")
        }
        try cursor.skip(4)
        let flags = try cursor.unsigned(UInt16.self)
        let method = try cursor.unsigned(UInt16.self)
        try cursor.skip(4)
        let crc = try cursor.unsigned(UInt32.self)
        var sizes = [try cursor.length(UInt32.self), try cursor.length(UInt32.self)]
        let lengths = [try cursor.length(UInt16.self), try cursor.length(UInt16.self), try cursor.length(UInt16.self)]
        try cursor.skip(8)
        sizes.append(try cursor.length(UInt32.self))
        let name = try cursor.text(lengths[0])
        try ZipDirectory.widen(&sizes, extra: try cursor.take(lengths[1]))
        try cursor.skip(lengths[2])

        guard isSafe(name) else { throw WeightFileError(.damaged, "the archive holds a file of unsafe name") }
        guard flags & 1 == 0 else { throw WeightFileError(.unsupported, "\(name) is encrypted") }
        guard method == 0 || method == 8 else {
            throw WeightFileError(.unsupported, "\(name) is compressed by method \(method)")
        }
        return Entry(
            name: name, size: sizes[1], isDeflated: method == 8, packedSize: sizes[0], crc: crc, headerOffset: sizes[2])
    }

    /// Whether a name stays below the folder that it would be unpacked to.
    private static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("/") && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\\") }
            && !name.split(separator: "/").contains("..")
    }
}
