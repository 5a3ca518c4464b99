import VisionModels
import XCTest

final class SHA256Tests: XCTestCase {
    /// The examples of FIPS 180-4 and of NIST's example pages.
    func testPublishedMessagesGiveThePublishedDigests() {
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
            XCTAssertEqual(SHA256.hex(of: Array(message.utf8)), digest)
        }
    }

    func testPiecesOfAnySizeGiveTheDigestOfTheWhole() {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = SHA256.hex(of: message)
        for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999] {
            var hash = SHA256()
            for start in stride(from: 0, to: message.count, by: size) {
                message[start..<min(message.count, start + size)].withUnsafeBytes { hash.update($0) }
            }
            XCTAssertEqual(hash.finish(), whole, "pieces of \(size)")
        }
    }
}
