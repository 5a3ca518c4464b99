import CZlib
import XCTest

@testable import VisionModels

final class TarArchiveTests: XCTestCase {
    /// A header and the contents, filled up to blocks of 512 bytes.
    private func entry(
        _ name: String, _ contents: [UInt8], prefix: String = "", type: UInt8 = UInt8(ascii: "0"), size: Int? = nil,
        changing change: (inout [UInt8]) -> Void = { _ in }
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put(name, at: 0)
        put(String(repeating: "0", count: 11 - String(size ?? contents.count, radix: 8).count), at: 124)
        put(String(size ?? contents.count, radix: 8), at: 135 - String(size ?? contents.count, radix: 8).count)
        header[156] = type
        put("ustar\u{0}00", at: 257)
        put(prefix, at: 345)
        put("        ", at: 148)
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        put(String(repeating: "0", count: 6 - sum.count) + sum + "\u{0} ", at: 148)
        change(&header)
        return header + contents + [UInt8](repeating: 0, count: (512 - contents.count % 512) % 512)
    }

    private func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        XCTAssertEqual(
            deflateInit2_(
                &stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
                Int32(MemoryLayout<z_stream>.size)), Z_OK)
        defer { deflateEnd(&stream) }
        var input = bytes
        return [UInt8](unsafeUninitializedCapacity: bytes.count + 1024) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                XCTAssertEqual(deflate(&stream, Z_FINISH), Z_STREAM_END)
                count = output.count - Int(stream.avail_out)
            }
        }
    }

    private let large = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

    private func archive() throws -> [UInt8] {
        try packed(
            entry("p/", [], type: UInt8(ascii: "5")) + entry("p/a", [1, 2, 3]) + entry("p/b", large)
                + entry("c", Array("long".utf8), prefix: "folder/of") + entry("p/empty", [])
                + entry("p/link", [], type: UInt8(ascii: "2")) + [UInt8](repeating: 0, count: 1024))
    }

    func testFilesAreFoundByTheirNames() throws {
        let archive = try TarArchive(archive())
        XCTAssertEqual(try archive.contents(of: "p/a", limit: 3), [1, 2, 3])
        XCTAssertEqual(try archive.contents(of: "p/b", limit: 1 << 20), large)
        XCTAssertEqual(try archive.contents(of: "folder/of/c", limit: 100), Array("long".utf8))
        XCTAssertEqual(try archive.contents(of: "p/empty", limit: 0), [])
    }

    func testLongNamesOfBothForms() throws {
        let name = "folder/" + String(repeating: "long", count: 40)
        let record = Array("path=\(name)\n".utf8)
        let archive = try TarArchive(
            packed(
                entry("././@LongLink", Array(name.utf8) + [0], type: UInt8(ascii: "L")) + entry("folder/lon", [1])
                    + entry(
                        "x", Array("11 mtime=1\n".utf8) + Array("\(record.count + 4) ".utf8) + record,
                        type: UInt8(ascii: "x"))
                    + entry("b", [2]) + entry("folder/lon", [3]) + [UInt8](repeating: 0, count: 1024)))
        XCTAssertEqual(try archive.contents(of: name, limit: 10), [1])
        XCTAssertEqual(try archive.contents(of: "folder/lon", limit: 10), [3])
        // The second name is the same: without the first file it is the other form's.
        let other = try TarArchive(
            packed(
                entry("x", Array("\(record.count + 4) ".utf8) + record, type: UInt8(ascii: "x")) + entry("b", [2])
                    + [UInt8](repeating: 0, count: 1024)))
        XCTAssertEqual(try other.contents(of: name, limit: 10), [2])
        XCTAssertThrowsError(try other.contents(of: "b", limit: 10))
        // Records that state lengths of their own.
        for text in ["0 path=a\n", "-5 path=a\n", "999 path=a\n", "3 p", " ", "path=a"] {
            XCTAssertThrowsError(
                try TarArchive(
                    packed(entry("x", Array(text.utf8), type: UInt8(ascii: "x")) + entry("b", [2]))
                ).contents(of: "a", limit: 10))
        }
    }

    func testWhatIsMissingOrTooLargeIsAnError() throws {
        let archive = try TarArchive(archive())
        for (name, limit, part) in [
            ("p/none", 10, "no file"), ("p/link", 10, "no file"), ("p/", 10, "no file"), ("p/a", 2, "larger"),
        ] {
            XCTAssertThrowsError(try archive.contents(of: name, limit: limit), name) { error in
                XCTAssertTrue((error as? WeightFileError)?.reason.contains(part) == true, "\(error)")
            }
        }
    }

    func testDamagedArchivesAreErrors() throws {
        let whole = try archive()
        for count in stride(from: 0, to: whole.count - 8, by: 97) {
            XCTAssertThrowsError(
                try TarArchive(Array(whole.prefix(count))).contents(of: "none", limit: 10), "\(count)"
            ) { XCTAssertTrue($0 is WeightFileError) }
        }
        // A header whose sum is wrong, one that states an endless file, and one whose size is no number.
        for bytes in [
            entry("a", [1], changing: { $0[3] = 65 }), entry("a", [1], size: 0o7_7777_7777),
            entry("a", [1], changing: { $0[124] = 0x80 }),
        ] {
            XCTAssertThrowsError(try TarArchive(packed(bytes)).contents(of: "b", limit: 10)) {
                XCTAssertTrue($0 is WeightFileError)
            }
        }
        XCTAssertThrowsError(try TarArchive([0x50, 0x4b, 3, 4]))
    }
}
