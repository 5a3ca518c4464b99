import BarcodeTestSupport
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// The threshold, and what has to show in black and white before the library is called. Neither loses a code.
final class BarcodeEvidenceTests: XCTestCase {
    private func raster(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt8) throws -> Raster {
        try Raster(width: width, height: height, format: .grey8) { address, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    address.storeBytes(of: pixel(x, y), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    private func noise(_ x: Int, _ y: Int) -> Int {
        var state = UInt64(truncatingIfNeeded: x &* 0x9E37_79B9 &+ y &* 0x85EB_CA6B) &+ 1
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(truncatingIfNeeded: (state &* 0x2545_F491_4F6C_DD1D) >> 33 & 255)
    }

    /// A code on uneven light with noise: `module` pixels a module, its corner at (left, top).
    private func image(
        of code: DrawnCode, _ width: Int, _ height: Int, module: Int, left: Int, top: Int, noise amplitude: Int = 0
    ) throws -> Raster {
        try raster(width, height) { x, y in
            let (u, v) = (Double(x - left) / Double(module), Double(y - top) / Double(module))
            let light = (code.isDark(u, v) ? 50 : 180) + 50 * x / width - 40 * y / height
            return UInt8(clamping: light + (noise(x, y) - 128) * amplitude / 128)
        }
    }

    func testTwoDimensionalCodesAreThoseOfTheLibrary() throws {
        try XCTSkipUnless(BarcodeReader.givesCodewords, "what is read apart from the library is its version 1.4")
        for kind in [DrawnCode.Kind.qr, .aztec, .dataMatrix, .pdf417] {
            let code = try DrawnCode(kind, "the same as the library")
            for (module, left, top, amplitude) in [(3, 40, 45, 0), (4, 21, 30, 25), (2, 60, 50, 10), (5, 33, 27, 40)] {
                let (width, height) = (code.width * module + 2 * left + 3, code.height * module + 2 * top + 5)
                let image = try image(
                    of: code, width, height, module: module, left: left, top: top, noise: amplitude)
                let wanted = try BarcodeReader.libraryCodes(in: image, formats: .matrix)
                let found = try BarcodeReader.codes(in: image, .init(formats: .matrix))
                XCTAssertEqual(found.map(\.text), wanted.map(\.text), "\(kind), \(module)")
                XCTAssertEqual(found.map(\.corners), wanted.map(\.corners), "\(kind), \(module)")
                if amplitude == 0 { XCTAssertEqual(found.map(\.text), ["the same as the library"], "\(kind)") }
            }
        }
    }

    /// Copies at a third of the size are read as well; their corners are those in the image.
    func testLargeModulesAreReadInSmallerCopies() throws {
        let code = try DrawnCode(.qr, "large")
        let image = try image(of: code, 1500, 1300, module: 31, left: 300, top: 250, noise: 90)
        let found = try BarcodeReader.codes(in: image, .init(formats: .qr))
        let corner = try XCTUnwrap(found.first?.corners.first)
        XCTAssertEqual(corner.x, 300, accuracy: 12)
        XCTAssertEqual(corner.y, 250, accuracy: 12)
    }

    /// PDF417 at the edge of the image, and in all four directions.
    func testStartPatternsAreFoundInAllDirections() throws {
        let code = try DrawnCode(.pdf417, "turned by quarters")
        let (width, height) = (code.width * 3, code.height * 3 + 20)
        let upright = try image(of: code, width, height, module: 3, left: 0, top: 10)
        for orientation in [CGImagePropertyOrientation.up, .right, .down, .left] {
            let found = try BarcodeReader.codes(in: upright.oriented(orientation), .init(formats: .pdf417))
            XCTAssertEqual(found.map(\.text), ["turned by quarters"], "\(orientation)")
        }
    }

    /// One finder pattern: a Micro QR code, read in its part of the image.
    func testMicroQRCodesAreReadInLargeImages() throws {
        let modules = [
            "#######.#.#.#", "#.....#.##...", "#.###.#.###.#", "#.###.#..##.#", "#.###.#..#...", "#.....#.#...#",
            "#######.....#", "..........###", "###..####....", ".###.........", "###..#....###", ".#.#.##..##..",
            "##..##.#.#..#",
        ].map(Array.init)
        for module in [3, 8, 20] {
            let image = try raster(1280, 720) { x, y in
                let (column, row) = ((x - 900) / module, (y - 400) / module)
                let isInside = x >= 900 && y >= 400 && row < modules.count && column < modules.count
                return isInside && modules[row][column] == "#" ? 40 : 210
            }
            let found = try BarcodeReader.codes(in: image, .init(formats: .matrix))
            XCTAssertEqual(found.map(\.text), ["12345678"], "\(module)")
            guard let corner = found.first?.corners.first else { continue }
            XCTAssertEqual(corner.x, 900, accuracy: 3 + Double(module) / 3)
            XCTAssertEqual(corner.y, 400, accuracy: 3 + Double(module) / 3)
        }
    }

    /// The codes with the fewest bars of each symbology, in a long row with nothing else.
    func testTheShortestLinearCodesHaveRoom() throws {
        let shortest: [(DrawnCode.Kind, String)] = [
            (.codabar, "A1234B"), (.code39, "A"), (.code93, "A"), (.code128, "A"), (.itf, "123456"),
            (.ean8, "96385074"),
            (.upce, "01234565"),
        ]
        for (kind, text) in shortest {
            let code = try DrawnCode(kind, text, barHeight: 12)
            for module in [1, 2, 3] {
                let image = try image(of: code, 700, 12, module: module, left: 150, top: 0)
                let found = try BarcodeReader.codesAlongRows(of: image, .init(formats: .linear))
                XCTAssertTrue(found.contains { $0.text.contains(text) }, "\(kind), \(module)")
            }
        }
    }

    /// In noise a code is read where it shows in a quarter of the rows, with the row of each reading.
    func testLinearCodesAreReadInBusyImages() throws {
        let code = try DrawnCode(.ean13, "5901234123457", barHeight: 40)
        let image = try raster(1600, 900) { x, y in
            let (u, v) = (Double(x - 700) / 3, Double(y - 300) / 3)
            let isQuiet = u > -12 && u < Double(code.width) + 12 && v >= 0 && v < Double(code.height)
            return isQuiet ? (code.isDark(u, v) ? 40 : 210) : UInt8(noise(x / 3, y / 3))
        }
        let found = try BarcodeReader.codesAlongRows(of: image, .init(formats: .linear))
            .filter { $0.text == "5901234123457" }
        XCTAssertGreaterThan(found.count, 60)
        let rows = found.map { $0.corners[0].y }
        XCTAssertEqual(rows, rows.sorted())
        XCTAssertTrue(rows.allSatisfy { $0 >= 300 && $0 < 420 })
    }
}
