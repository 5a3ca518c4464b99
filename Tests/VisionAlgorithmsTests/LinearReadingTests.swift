import BarcodeTestSupport
import Foundation
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// What is read along rows here and not by the library: DataBar Expanded, four digits in Interleaved 2 of 5, and rows
/// whose threshold lies between neighbouring extremes.
final class LinearReadingTests: XCTestCase {
    private func raster(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt8) throws -> Raster {
        try Raster(width: width, height: height, format: .grey8) { address, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    address.storeBytes(of: pixel(x, y), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    /// Draws rows of modules above each other, `growth` pixels being added to both sides of each bar.
    private func image(of rows: [[Bool]], module: Int = 4, height: Int = 24, growth: Int = 0) throws -> Raster {
        let margin = 10 * module
        let width = (rows.map(\.count).max() ?? 0) * module + 2 * margin
        func isDark(_ row: [Bool], _ x: Int) -> Bool {
            let column = x - margin
            return column >= 0 && column / module < row.count && row[column / module]
        }
        return try raster(width, rows.count * height) { x, y in
            let row = rows[y / height]
            return ((x - growth)...(x + growth)).contains { isDark(row, $0) } ? 30 : 220
        }
    }

    /// A value too long for its identifier, and one that is no identifier's.
    private let unusual = [
        "01900123456789083922" + String(repeating: "79", count: 25), "01900123456789080512345678",
    ]

    private func texts(_ image: Raster) throws -> Set<String> {
        Set(try BarcodeReader.codesAlongRows(of: image, .init(formats: .dataBarExpanded)).map(\.text))
    }

    func testElementStringsOfAnyIdentifiersAreRead() throws {
        for text in unusual {
            let image = try image(of: DrawnExpandedCode(digits: text, isGTIN: false).rows)
            XCTAssertEqual(try texts(image), [text])
            // From right to left.
            let turned = try image.oriented(.down)
            let found = try BarcodeReader.codesAlongRows(of: turned, .init(formats: .dataBarExpanded))
            XCTAssertEqual(Set(found.map(\.text)), [text])
            let code = try XCTUnwrap(found.first)
            XCTAssertGreaterThan(code.corners[0].x, code.corners[1].x)
        }
    }

    func testANumberWithNothingBehindItIsRead() throws {
        let code = DrawnExpandedCode(digits: "0000000000000", isGTIN: true)
        XCTAssertEqual(try texts(image(of: code.rows)), ["0100000000000000"])
        let other = DrawnExpandedCode(digits: "9501234567890", isGTIN: true)
        XCTAssertEqual(try texts(image(of: other.rows)), ["0195012345678903"])
    }

    func testRowsOfStackedCodesAreJoined() throws {
        for text in unusual {
            let code = DrawnExpandedCode(digits: text, isGTIN: false, pairsInRow: 2)
            let image = try image(of: code.rows)
            let found = try BarcodeScanner(image: image, formats: .dataBarExpanded, threads: 1).codes()
            XCTAssertEqual(found.map(\.text), [text])
            let box = try XCTUnwrap(found.first?.box)
            XCTAssertGreaterThan(box.height, Double(image.height) * 0.7)
        }
    }

    /// Bars that are half a module wider and spaces that are narrower keep the distances between edges of a kind.
    func testInkThatSpreadsDoesNotMatter() throws {
        let code = DrawnExpandedCode(digits: unusual[1], isGTIN: false)
        XCTAssertEqual(try texts(image(of: code.rows, module: 8, growth: 2)), [unusual[1]])
    }

    func testAnotherCheckCharacterIsRefused() throws {
        for offset in [1, 100, 210] {
            let code = DrawnExpandedCode(digits: unusual[1], isGTIN: false, checkOffset: offset)
            XCTAssertEqual(try texts(image(of: code.rows)), [])
        }
    }

    func testFourDigitsAreReadWhereARowHasNothingElse() throws {
        for text in ["1515", "0093"] {
            let code = try DrawnCode(.itf, text, barHeight: 1)
            for scale in [2, 3] {
                let image = try image(of: [code.modules], module: scale)
                for image in [image, try image.oriented(.down)] {
                    let found = try BarcodeScanner(image: image, formats: .linear, threads: 1).codes()
                    XCTAssertEqual(found.map(\.text), [text])
                }
            }
            // A bar beside it could be that of a longer code.
            let longer = code.modules + [Bool](repeating: false, count: 12) + [true]
            let found = try BarcodeReader.codesAlongRows(of: image(of: [longer], module: 3), .init(formats: .itf))
            // ZXing-C++ 2.3 reads four digits there.
            if BarcodeReader.givesCodewords { XCTAssertEqual(found.map(\.text), []) }
        }
    }

    /// The blur is half as wide as a narrow bar: narrow ones are grey, and a threshold for the whole row misses them.
    func testBarsAsNarrowAsTheBlurAreRead() throws {
        let code = try DrawnCode(.code128, "2-146-11 ABCDEF", barHeight: 1)
        for module in [2.5, 3] {
            let sigma = 0.5 * module
            let (margin, width) = (12 * module, Int(Double(code.width) * module + 24 * module))
            // The edges of bars, blurred: sums of error functions.
            let edges = (0...code.width).filter {
                code.isDark(Double($0), 0) != code.isDark(Double($0) - 1, 0)
            }.map { margin + Double($0) * module }
            let image = try raster(width, 8) { x, _ in
                var darkness = 0.0
                for (index, edge) in edges.enumerated() {
                    darkness += erf((Double(x) + 0.5 - edge) / (sigma * 2.0.squareRoot())) / (index % 2 == 0 ? 2 : -2)
                }
                return UInt8((120 - 100 * darkness).rounded())
            }
            var options = BarcodeReader.Options(formats: .linear)
            // ZXing-C++ 2.3 reads them at a threshold for the whole row as well.
            if BarcodeReader.givesCodewords {
                XCTAssertEqual(try BarcodeReader.codesAlongRows(of: image, options).map(\.text), [])
            }
            options.rowThreshold = .betweenExtremes
            let found = try BarcodeReader.codesAlongRows(of: image, options)
            XCTAssertEqual(found.map(\.text), [String](repeating: "2-146-11 ABCDEF", count: 8))
            let corners = try XCTUnwrap(found.first?.corners)
            XCTAssertEqual(corners[0].x, margin, accuracy: 1.5)
            XCTAssertEqual(corners[1].x, Double(width) - margin, accuracy: 1.5)
        }
    }
}
