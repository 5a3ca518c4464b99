import BarcodeTestSupport
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// Aztec codes of all sizes and with any message, module by module and in images.
final class AztecReadingTests: XCTestCase {
    private let layers: [(count: Int, isCompact: Bool)] =
        (1...4).map { ($0, true) } + (1...32).map { ($0, false) }

    /// Codewords of capital letters.
    private func letters(_ text: String) -> AztecBits {
        var bits = AztecBits()
        for letter in text.utf8 { bits.append(Int(letter) - 63) }
        return bits
    }

    private func modules(_ code: DrawnCode) -> [UInt8] { code.modules.map { $0 ? 0 : 255 } }

    private func read(_ code: DrawnCode) throws -> FoundBarcode? {
        try BarcodeReader.aztecCode(of: modules(code), side: code.width)
    }

    private func read(_ bits: AztecBits) throws -> FoundBarcode? {
        try read(DrawnCode(aztec: bits, layers: 4, isCompact: false))
    }

    private func image(of code: DrawnCode, module: Int = 3, margin: Int = 4) throws -> Raster {
        let side = (code.width + 2 * margin) * module
        return try Raster(width: side, height: side, format: .grey8) { address, rowBytes in
            for y in 0..<side {
                for x in 0..<side {
                    let (u, v) = (Double(x / module - margin), Double(y / module - margin))
                    address.storeBytes(of: code.isDark(u, v) ? 30 : 220, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    func testCodesOfAllSizesAreRead() throws {
        for (count, isCompact) in layers {
            // About half of the words are data.
            let length = ((isCompact ? 88 : 112) + 16 * count) * count / 11
            let text = String((0..<max(4, length)).map { "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[$0 * 7 % 26] })
            let code = DrawnCode(aztec: letters(text), layers: count, isCompact: isCompact)
            let size = "\(count) layers, compact: \(isCompact)"
            XCTAssertEqual(try read(code)?.text, text, size)
            let reach = code.width / 2 - 7
            let core = (0..<15).flatMap { y in
                (0..<15).map { x in modules(code)[(y + reach) * code.width + x + reach] }
            }
            XCTAssertTrue(try BarcodeReader.aztecSides(around: core, side: 15).contains(code.width), size)
        }
    }

    func testTheGridReachesAsFarAsTheCodeSays() throws {
        for (count, isCompact) in layers where isCompact || count % 4 == 3 {
            let length = ((isCompact ? 88 : 112) + 16 * count) * count / 11
            let text = String((0..<max(4, length)).map { "QRSTUVWXYZABCDEFGHIJKLMNOP"[$0 * 5 % 26] })
            let code = DrawnCode(aztec: letters(text), layers: count, isCompact: isCompact)
            let found = try BullsEyeReader(image: image(of: code), formats: .aztec, scales: .asIs).read().codes
            XCTAssertEqual(found.map(\.text), [text], "\(count) layers, compact: \(isCompact)")
            // The outer edges of the code are twelve pixels from those of the image.
            for (corner, wanted) in zip(found.first?.corners ?? [], [(0, 0), (1, 0), (1, 1), (0, 1)]) {
                let side = Double(3 * code.width)
                XCTAssertEqual(corner.x, 12 + side * Double(wanted.0), accuracy: 1.5)
                XCTAssertEqual(corner.y, 12 + side * Double(wanted.1), accuracy: 1.5)
            }
        }
    }

    /// The ones that fill up the last word look like a shift to binary.
    func testBitsBehindTheMessageAreNoCharacters() throws {
        for length in 900...911 {
            var bits = AztecBits()
            bits.appendBinary([UInt8](repeating: 0, count: length))
            let code = DrawnCode(aztec: bits, layers: 24, isCompact: false)
            XCTAssertEqual(try read(code)?.bytes.count, length)
            let found = try BarcodeScanner(image: image(of: code), formats: .aztec, threads: 1).codes()
            XCTAssertEqual(found.map(\.bytes), [[UInt8](repeating: 0, count: length)], "\(length)")
        }
        // Bytes of ones, whose counts are ones as well.
        for length in [30, 31, 32, 62, 63] {
            var bits = letters("A")
            bits.appendBinary([UInt8](repeating: 0xff, count: length))
            let found = try read(DrawnCode(aztec: bits, layers: 8, isCompact: false))
            XCTAssertEqual(found?.bytes.count, length + 1, "\(length)")
        }
        for length in 1...24 {
            let text = String(repeating: "A", count: length)
            XCTAssertEqual(try read(letters(text))?.text, text)
        }
    }

    func testModesAndShifts() throws {
        var bits = letters("A")
        // Small letters with a shift to a capital one and to punctuation, then mixed characters, then punctuation.
        for code in [28, 2, 28, 3, 27, 0, 6, 29, 20, 30, 2, 31] { bits.append(code) }
        XCTAssertEqual(try read(bits)?.text, "AaBz!@\r\n")

        bits = letters("A")
        bits.append(30)  // digits have four bits
        for code in [2, 11, 12, 13, 15] { bits.append(code, bits: 4) }
        bits.append(3)
        bits.append(5, bits: 4)
        XCTAssertEqual(try read(bits)?.text, "A09,.B3")

        // A shift to binary within a shift to capital letters ends with them.
        bits = letters("A")
        bits.append(30)
        bits.append(5, bits: 4)
        bits.append(15, bits: 4)
        bits.appendBinary(Array("ij".utf8))
        for letter in [10, 21] { bits.append(letter) }
        XCTAssertEqual(try read(bits)?.text, "A3ijIT")
    }

    func testWhatMessagesAreIsReported() throws {
        func flag(_ count: Int) -> [(Int, Int)] { [(0, 5), (0, 5), (count, 3)] }
        func bits(_ parts: [(Int, Int)]) -> AztecBits {
            var bits = AztecBits()
            for (value, count) in parts { bits.append(value, bits: count) }
            return bits
        }
        let digits = [(30, 5)] + [0, 1, 1, 2].map { ($0 + 2, 4) }
        let gs1 = try XCTUnwrap(read(bits(flag(0) + digits)))
        XCTAssertEqual([gs1.text, gs1.identifier], ["0112", "]z1"])
        XCTAssertEqual(gs1.content, .gs1)
        let application = try XCTUnwrap(read(bits([(2, 5)] + flag(0) + digits)))
        XCTAssertEqual([application.text, application.identifier], ["A0112", "]z2"])
        // ECI 26 is UTF-8.
        var unicode = bits(flag(2) + [(4, 4), (8, 4)])
        unicode.appendBinary(Array("Größe".utf8))
        XCTAssertEqual(try read(unicode)?.text, "Größe")
        // The second of three codes with the name "X".
        let part = try XCTUnwrap(read(bits([(29, 5), (29, 5), (1, 5), (25, 5), (1, 5), (3, 5), (4, 5), (9, 5)])))
        XCTAssertEqual([part.text, part.identifier], ["H", "]z6"])
    }

    /// Character sets that are named where nothing follows, or within what is no text.
    func testCharacterSetsWithoutTextAreHarmless() throws {
        func bits(_ parts: [(Int, Int)]) -> AztecBits {
            var bits = AztecBits()
            for (value, count) in parts { bits.append(value, bits: count) }
            return bits
        }
        let function = [(0, 5), (0, 5), (0, 3)]
        let latin = [(0, 5), (0, 5), (1, 3), (11, 4)]
        let letters = [(2, 5), (3, 5)]
        XCTAssertEqual(try read(bits(function + letters + latin))?.text, "AB")
        XCTAssertEqual(try read(bits([letters[0]] + function + letters + latin + latin))?.text, "AAB")
        XCTAssertEqual(try read(bits([(29, 5), (29, 5)] + latin + letters + latin + letters + latin))?.text, "AB")
        XCTAssertEqual(try read(bits([(29, 5), (29, 5)] + latin + letters + latin))?.text, "")
    }

    func testMalformedMessagesAreRefused() throws {
        var reserved = letters("ABC")
        for value in [0, 0] { reserved.append(value) }
        reserved.append(7, bits: 3)
        XCTAssertNil(try read(reserved))
        var short = letters("ABC")
        short.append(31)
        short.append(30)
        for _ in 0..<4 { short.append(0x55, bits: 8) }
        XCTAssertNil(try read(short))
        XCTAssertNil(try read(AztecBits()))
    }

    func testErrorsAreCorrectedAndTooManyRefused() throws {
        let text = "ERRORSINHALFOFTHECHECKWORDS"
        let code = DrawnCode(aztec: letters(text), layers: 3, isCompact: false)
        // 160 bits a layer: 60 words of eight bits, 17 of data.
        var dark = modules(code)
        for y in 0..<code.width {
            for x in 0..<2 { dark[y * code.width + x] ^= 255 }
        }
        XCTAssertEqual(try BarcodeReader.aztecCode(of: dark, side: code.width)?.text, text)
        for y in 0..<8 {
            for x in 0..<code.width { dark[y * code.width + x] = UInt8(truncatingIfNeeded: x * x * 37 + y * 91) & 128 }
        }
        XCTAssertNil(try BarcodeReader.aztecCode(of: dark, side: code.width))
    }

    func testTurnedAndMirroredCodesAreRead() throws {
        for isCompact in [true, false] {
            let code = DrawnCode(aztec: letters("TURNED"), layers: 2, isCompact: isCompact)
            let side = code.width
            for turns in 0..<4 {
                for isMirrored in [false, true] {
                    var dark = modules(code)
                    func map(_ position: (Int, Int) -> (Int, Int)) {
                        let old = dark
                        for y in 0..<side {
                            for x in 0..<side {
                                let (u, v) = position(x, y)
                                dark[v * side + u] = old[y * side + x]
                            }
                        }
                    }
                    if isMirrored { map { ($1, $0) } }
                    for _ in 0..<turns { map { (side - 1 - $1, $0) } }
                    let found = try XCTUnwrap(BarcodeReader.aztecCode(of: dark, side: side))
                    XCTAssertEqual(found.text, "TURNED")
                    XCTAssertEqual(found.isMirrored, isMirrored)
                    let end = Double(side)
                    let corners = [SIMD2(0, 0), SIMD2(end, 0), SIMD2(end, end), SIMD2(0, end)]
                    XCTAssertEqual(found.corners.first, corners[turns])
                    XCTAssertEqual(found.corners[1], corners[(turns + (isMirrored ? 3 : 1)) % 4])
                }
            }
        }
    }

    func testModulesWithoutACodeSayNothing() throws {
        var state: UInt64 = 9
        for side in [1, 3, 15, 19, 41, 151] {
            for _ in 0..<50 {
                let modules = (0..<side * side).map { _ -> UInt8 in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return state >> 63 == 0 ? 0 : 255
                }
                XCTAssertNil(try BarcodeReader.aztecCode(of: modules, side: side))
            }
        }
    }
}

extension String {
    fileprivate subscript(_ index: Int) -> Character { self[self.index(startIndex, offsetBy: index)] }
}
