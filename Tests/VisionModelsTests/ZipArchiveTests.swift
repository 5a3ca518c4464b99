import VisionImage
import VisionModels
import XCTest

final class ZipArchiveTests: XCTestCase {
    private let text = Array("What a wheel holds.".utf8)

    private func archive(_ change: (inout TestArchive) -> Void = { _ in }) -> TestArchive {
        var archive = TestArchive()
        archive.add("folder/stored.txt", text)
        archive.addDeflated("folder/packed.txt", text)
        archive.add("empty", [])
        change(&archive)
        return archive
    }

    private func assertRefused(
        _ kind: WeightFileError.Kind, line: UInt = #line, _ body: () throws -> Void
    ) {
        XCTAssertThrowsError(try body(), line: line) { error in
            XCTAssertEqual((error as? WeightFileError)?.kind, kind, "\(error)", line: line)
        }
    }

    func testStoredAndDeflatedFilesComeOutWhole() throws {
        let archive = try ZipArchive(archive().bytes)
        XCTAssertEqual(archive.entries.map(\.name), ["folder/stored.txt", "folder/packed.txt", "empty"])
        XCTAssertEqual(try archive.contents(of: "folder/stored.txt", limit: 100), text)
        XCTAssertEqual(try archive.contents(of: "folder/packed.txt", limit: 100), text)
        XCTAssertEqual(try archive.contents(of: "empty", limit: 100), [])
    }

    func testMissingAndOversizedFilesAreRefused() throws {
        let archive = try ZipArchive(archive().bytes)
        assertRefused(.damaged) { _ = try archive.contents(of: "other", limit: 100) }
        assertRefused(.damaged) { _ = try archive.contents(of: "folder/packed.txt", limit: text.count - 1) }
    }

    func testNamesThatLeaveTheFolderAreRefused() {
        for name in ["../up", "a/../../up", "/etc/passwd", "a\\b", ""] {
            assertRefused(.damaged) { _ = try ZipArchive(archive { $0.add(name, []) }.bytes) }
        }
        assertRefused(.damaged) { _ = try ZipArchive(archive { $0.add("empty", []) }.bytes) }
    }

    func testWrongChecksumsSizesAndMethodsAreRefused() throws {
        assertRefused(.damaged) {
            let archive = try ZipArchive(archive { $0.entries[0].crc ^= 1 }.bytes)
            _ = try archive.contents(of: "folder/stored.txt", limit: 100)
        }
        for size in [0, 18, 20, 5000, 0x7FFF_FFFF] {
            assertRefused(.damaged) {
                let archive = try ZipArchive(archive { $0.entries[1].size = size }.bytes)
                _ = try archive.contents(of: "folder/packed.txt", limit: .max)
            }
        }
        assertRefused(.unsupported) { _ = try ZipArchive(archive { $0.entries[0].flags = 1 }.bytes) }
        assertRefused(.unsupported) { _ = try ZipArchive(archive { $0.entries[0].method = 12 }.bytes) }
    }

    func testArchivesThatAreCutOffAreRefused() {
        let bytes = archive().bytes
        for length in 0..<bytes.count {
            assertRefused(.damaged) { _ = try ZipArchive(Array(bytes[..<length])) }
        }
    }

    func testChangedBytesGiveErrorsOrTheSameFilesNeverOthers() {
        let bytes = archive().bytes
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let archive = try? ZipArchive(changed) else { continue }
            for name in ["folder/stored.txt", "folder/packed.txt"] {
                if let contents = try? archive.contents(of: name, limit: 1000) { XCTAssertEqual(contents, text) }
            }
        }
    }
}
