import Foundation

/// Builds zip archives with stored entries, and lets tests put in what a proper writer would not.
struct TestArchive {
    struct Entry {
        var name: String
        var packed: [UInt8]
        var size: Int
        var method: UInt16 = 0
        var flags: UInt16 = 0
        var crc: UInt32
    }

    var entries: [Entry] = []

    mutating func add(_ name: String, _ contents: [UInt8]) {
        entries.append(Entry(name: name, packed: contents, size: contents.count, crc: Self.crc32(contents)))
    }

    /// One block of deflate that holds the bytes as they are.
    mutating func addDeflated(_ name: String, _ contents: [UInt8]) {
        let length = UInt16(contents.count)
        let packed = [1] + Self.little(length) + Self.little(~length) + contents
        entries.append(
            Entry(name: name, packed: packed, size: contents.count, method: 8, crc: Self.crc32(contents)))
    }

    var bytes: [UInt8] {
        var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
        for entry in entries {
            var common = Self.little(UInt16(20)) + Self.little(entry.flags) + Self.little(entry.method)
            common += [0, 0, 0, 0] + Self.little(entry.crc)
            common += Self.little(UInt32(entry.packed.count)) + Self.little(UInt32(entry.size))
            common += Self.little(UInt16(entry.name.utf8.count)) + [0, 0]
            directory += [0x50, 0x4b, 1, 2, 20, 0] + common + [UInt8](repeating: 0, count: 10)
            directory += Self.little(UInt32(bytes.count)) + Array(entry.name.utf8)
            bytes += [0x50, 0x4b, 3, 4] + common + Array(entry.name.utf8) + entry.packed
        }
        let offset = bytes.count
        bytes += directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0]
        bytes += Self.little(UInt16(entries.count)) + Self.little(UInt16(entries.count))
        return bytes + Self.little(UInt32(directory.count)) + Self.little(UInt32(offset)) + [0, 0]
    }

    static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// Bit by bit: slow, and nothing of zlib's in it.
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
