import Foundation
import VisionFiles
import XCTest

final class ContentDigestTests: XCTestCase {
    /// The examples of FIPS 180-4 and of NIST's example pages.
    func testPublishedMessagesGiveThePublishedDigests() throws {
        for (message, digest) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ] {
            XCTAssertEqual(try ContentDigest(of: Array(message.utf8)).hexadecimal, digest)
        }
    }

    func testPiecesOfAnySizeGiveTheDigestOfTheWhole() throws {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = try ContentDigest(of: message)
        for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999] {
            let hash = try SHA256()
            for start in stride(from: 0, to: message.count, by: size) {
                try message[start..<min(message.count, start + size)].withUnsafeBytes { try hash.update($0) }
            }
            XCTAssertEqual(try hash.finish(), whole, "pieces of \(size)")
        }
        XCTAssertEqual(try ContentDigest(of: (Data([1, 2]) + message).dropFirst(2)), whole, "a slice")
    }

    func testAFileIsReadInPieces() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        for count in [0, 1, 1 << 20, 1 << 20 + 1, 3 << 20] {
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) })
            try data.write(to: url)
            XCTAssertEqual(
                try ContentDigest(readingAll: RegularFile(url)), try ContentDigest(of: data), "\(count) bytes")
        }
    }

    func testOnlyWholeDigestsAreMadeOfBytes() throws {
        let digest = try ContentDigest(of: Data([1]))
        XCTAssertEqual(ContentDigest(bytes: digest.bytes), digest)
        XCTAssertNil(ContentDigest(bytes: Array(digest.bytes.dropLast())))
        XCTAssertNil(ContentDigest(bytes: []))
        XCTAssertEqual(String(digest.word, radix: 16), String(digest.hexadecimal.prefix(16)).trimmingZeros)
    }
}

extension String {
    fileprivate var trimmingZeros: String { String(drop { $0 == "0" }) }
}
