import Foundation
import XCTest

@testable import Vision
@testable import VisionAlgorithms

/// How a decoded barcode becomes an observation.
final class BarcodeConventionsTests: XCTestCase {
    private func code(_ format: BarcodeFormats, _ text: String, content: FoundBarcode.Content) -> FoundBarcode {
        FoundBarcode(
            format: format, corners: [SIMD2(0, 0), SIMD2(9, 0), SIMD2(9, 9), SIMD2(0, 9)], text: text,
            bytes: Array(text.utf8), codewords: [], errorCorrection: "", identifier: "", content: content,
            isMirrored: false, isInverted: false, lineCount: 0)
    }

    private func payload(_ code: FoundBarcode) -> String? {
        BarcodeConventions.reading(of: code, among: [.maxiCodeSymbology, .dataMatrix, .qr])?.payload
    }

    func testMessagesWithSeparatorsAreText() {
        // The header of a structured carrier message, which the library reports as binary data.
        let message = "[)>\u{1E}01\u{1D}96123450000\u{1D}222\u{1D}111\u{1D}MODE2"
        XCTAssertEqual(payload(code(.maxiCode, message, content: .binary)), message)
        XCTAssertEqual(payload(code(.dataMatrix, message + "\u{1E}\u{04}", content: .binary)), message + "\u{1E}\u{04}")
    }

    func testBinaryContentHasNoText() {
        XCTAssertNil(payload(code(.qr, "a\u{0}b", content: .binary)))
        XCTAssertNil(payload(code(.maxiCode, "", content: .binary)))
        XCTAssertEqual(payload(code(.qr, "a\u{1B}b", content: .text)), "a\u{1B}b")
    }
}
