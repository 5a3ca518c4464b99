import VisionAlgorithms
import XCTest

final class BarcodeTextTests: XCTestCase {
    func testCheckDigitsOfGS1() {
        for text in ["5901234123457", "96385074", "30712345000010", "012345678905"] {
            XCTAssertTrue(BarcodeText.hasValidCheckDigit(text), text)
        }
        for text in ["5901234123458", "96385704", "", "7", "12A4"] {
            XCTAssertFalse(BarcodeText.hasValidCheckDigit(text), text)
        }
    }

    func testTheCheckCharacterOfCode39() {
        // C 12, O 24, D 13, E 14, space 38, 3, 9: 113, modulo 43 that is 27, an R.
        XCTAssertTrue(BarcodeText.hasValidCode39Check("CODE 39R"))
        XCTAssertFalse(BarcodeText.hasValidCode39Check("CODE 39Q"))
        XCTAssertFalse(BarcodeText.hasValidCode39Check("code 39R"))
        XCTAssertFalse(BarcodeText.hasValidCode39Check("R"))
    }

    func testFullASCIIOfCode39() {
        XCTAssertEqual(BarcodeText.fullASCII(ofCode39: "E+X+T+E+N+D+E+D /A%J/J/C"), "Extended !?*#")
        XCTAssertEqual(BarcodeText.fullASCII(ofCode39: "12+A+B"), "12ab")
        XCTAssertEqual(
            BarcodeText.fullASCII(ofCode39: "$A$Z%A%E%F%J%K%O%P%T%U%V%W%X/Z"),
            "\u{1}\u{1A}\u{1B}\u{1F};?[_{\u{7F}\u{0}@`\u{7F}:")
        XCTAssertNil(BarcodeText.fullASCII(ofCode39: "A+"))
        XCTAssertNil(BarcodeText.fullASCII(ofCode39: "A+1"))
        XCTAssertNil(BarcodeText.fullASCII(ofCode39: "/P"))
        XCTAssertTrue(BarcodeText.hasSmallLetters("12+A"))
        XCTAssertFalse(BarcodeText.hasSmallLetters("PART/ABC"))
    }

    func testAUPCEStandsForAGTIN() {
        XCTAssertEqual(BarcodeText.expandedUPCE("01234565"), "0012345000065")
        XCTAssertEqual(BarcodeText.expandedUPCE("01234505"), "0012000003455")
        XCTAssertEqual(BarcodeText.expandedUPCE("01234535"), "0012300000455")
        XCTAssertEqual(BarcodeText.expandedUPCE("01234545"), "0012340000055")
        XCTAssertNil(BarcodeText.expandedUPCE("0123456"))
        XCTAssertNil(BarcodeText.expandedUPCE("0123456A"))
    }

    func testElementStringsHaveSeparatorsAfterValuesOfVariableLength() {
        XCTAssertEqual(BarcodeText.elementString(of: "(01)98898765432106(15)991231"), "019889876543210615991231")
        XCTAssertEqual(BarcodeText.elementString(of: "(10)12A(422)123(21)1"), "1012A\u{1D}422123\u{1D}211")
        XCTAssertEqual(BarcodeText.elementString(of: "(01)90012345678908(3103)001750"), "01900123456789083103001750")
        // A bracket of the data stays.
        XCTAssertEqual(BarcodeText.elementString(of: "(10)1098(1234"), "101098(1234")
        XCTAssertEqual(BarcodeText.elementString(of: "no elements"), "no elements")
    }

    func testVersionsOfQRCodesByTheirCodewords() {
        // ISO/IEC 18004, table 7.
        for (count, level, version) in [
            (19, "L", 1), (9, "H", 1), (64, "M", 4), (62, "Q", 5), (2956, "L", 40), (1276, "H", 40), (154, "M", 8),
        ] {
            XCTAssertEqual(QRFormat.version(dataCodewords: count, level: level), version, "\(count) \(level)")
        }
        XCTAssertNil(QRFormat.version(dataCodewords: 20, level: "L"))
        XCTAssertNil(QRFormat.version(dataCodewords: 19, level: ""))
    }

    func testSizesOfDataMatrices() {
        XCTAssertEqual(DataMatrixSize.size(dataCodewords: 5, aspect: 1)?.rows, 12)
        let wide = DataMatrixSize.size(dataCodewords: 5, aspect: 2.2)
        XCTAssertEqual(wide?.rows, 8)
        XCTAssertEqual(wide?.columns, 18)
        XCTAssertNil(DataMatrixSize.size(dataCodewords: 4, aspect: 1))
    }

    func testTheSeparatorsOfMessagesAreText() {
        XCTAssertTrue(
            BarcodeText.isText(Array("[)>\u{1E}01\u{1D}96123450000\u{1D}222\u{1D}111\u{1E}\u{04}".utf8), latin1: false))
        XCTAssertTrue(BarcodeText.isText(Array("a\u{1C}b\u{1F}c\r\n\t".utf8), latin1: false))
        XCTAssertFalse(BarcodeText.isText([0x41, 0x00], latin1: true))
        XCTAssertFalse(BarcodeText.isText([0x41, 0x1B], latin1: true))
        XCTAssertFalse(BarcodeText.isText([0xC4], latin1: false))
        XCTAssertTrue(BarcodeText.isText([0xC4], latin1: true))
        XCTAssertFalse(BarcodeText.isText([0x85], latin1: true))
    }
}
