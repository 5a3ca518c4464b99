import BarcodeTestSupport
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// Data Matrix symbols of several regions, on bent surfaces, and those whose alternating sides are damaged.
final class DataMatrixGridTests: XCTestCase {
    /// An image of a symbol: `position` is the position in modules that a pixel shows.
    private func image(
        of code: DrawnCode, module: Double = 4, margin: Double = 6, without: (Int, Int) -> Bool = { _, _ in false },
        _ position: (SIMD2<Double>) -> SIMD2<Double>
    ) throws -> Raster {
        let (width, height) = (
            Int((Double(code.width) + 2 * margin) * module), Int((Double(code.height) + 2 * margin) * module)
        )
        return try Raster(width: width, height: height, format: .grey8) { address, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    var sum = 0.0
                    for sample in 0..<4 {
                        let (dx, dy) = (Double(sample % 2) / 2 + 0.25, Double(sample / 2) / 2 + 0.25)
                        let seen = position(
                            SIMD2((Double(x) + dx) / module - margin, (Double(y) + dy) / module - margin))
                        let (u, v) = (seen.x.rounded(.down), seen.y.rounded(.down))
                        sum += code.isDark(seen.x, seen.y) || without(Int(u), Int(v)) ? 40 : 200
                    }
                    address.storeBytes(of: UInt8(sum / 4), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    private func texts(_ image: Raster) throws -> [String] {
        try GridReader(image: image, map: .identity, formats: .dataMatrix, scales: .asIs).read().codes.map(\.text)
    }

    private func symbols() throws -> [(code: DrawnCode, text: String)] {
        var symbols: [(DrawnCode, String)] = []
        for length in [60, 80, 110, 140, 170, 200, 275, 360, 450, 560, 690, 800, 1040, 1290, 1540] {
            let letters: [UInt8] = (0..<length).map { 65 + UInt8($0 * 7 % 26) + UInt8($0 / 26 % 6) }
            let text = String(decoding: letters, as: UTF8.self)
            symbols.append((try DrawnCode(.dataMatrix, text), text))
        }
        return symbols
    }

    /// Ink fills every third light module of the alternating sides, which cannot be followed then.
    func testSymbolsOfSeveralRegionsWithDirtySidesAreRead() throws {
        var sizes = Set<Int>()
        for (code, text) in try symbols() where code.width >= 32 {
            sizes.insert(code.width)
            let last = code.width - 1
            func isFilled(_ x: Int, _ y: Int) -> Bool {
                (y == 0 && (0...last).contains(x) && x % 6 == 3) || (x == last && (0...last).contains(y) && y % 6 == 2)
            }
            let width = Double(code.width)
            let image = try image(of: code, margin: 6 + width / 8, without: isFilled) { p in
                p / (1 - 0.1 / width * (p.x - p.y))
            }
            XCTAssertEqual(try texts(image), [text], "\(code.width) modules")
        }
        XCTAssertEqual(sizes, [32, 36, 40, 44, 48, 52, 64, 72, 80, 88, 96, 104, 120, 132])
    }

    func testTheFourthCornerOfBentSymbolsIsFound() throws {
        for (code, _) in try symbols() where code.width >= 26 && code.width <= 80 {
            for bend in [0.5, 0.8, 1.1] {
                let image = try image(of: code) { p in
                    let along = 2 * p.x / Double(code.width) - 1
                    return SIMD2(p.x, p.y + bend * (1 - along * along))
                }
                let found = DataMatrixGrid.find(in: try ContrastField(of: image), most: 4)
                XCTAssertTrue(
                    found.contains { $0.grid.columns == code.width && $0.grid.rows == code.width },
                    "\(code.width) modules, \(bend)")
            }
        }
    }

    /// Ink fills light modules of the alternating sides; columns become wider from left to right.
    func testFilledModulesOfAlternatingSidesAreKnown() throws {
        for text in ["joined by ink: 0123456789", "1234567890 and 1234567890 and 1234567890"] {
            let code = try DrawnCode(.dataMatrix, text)
            let columns = Double(code.width)
            let filled = [(1, 0), (9, 0), (code.width - 1, 4)]
            let image = try image(of: code, without: { x, y in filled.contains { $0 == (x, y) } }) { p in
                let share = min(1, max(0, p.x / columns))
                return SIMD2(p.x + 0.25 * columns * share * (1 - share), p.y)
            }
            XCTAssertEqual(try texts(image), [text], text)
        }
    }

    /// Frames with alternating sides around noise: each one has to be tried, but only a few at most.
    func testFramesAroundNoiseCostLittle() throws {
        var state: UInt64 = 1
        let noise = (0..<40_000).map { _ -> Bool in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 63 == 1
        }
        for (size, module) in [(16, 3), (24, 4), (48, 2), (96, 2)] {
            let (width, height) = (900, 700)
            let image = try Raster(width: width, height: height, format: .grey8) { address, rowBytes in
                for y in 0..<height {
                    for x in 0..<width {
                        let (u, v) = (x / module, y / module)
                        let (column, row) = (u % (size + 4) - 2, v % (size + 4) - 2)
                        let isInside = (0..<size).contains(column) && (0..<size).contains(row)
                        let isBorder =
                            column == 0 || row == size - 1 || (row == 0 && column % 2 == 0)
                            || (column == size - 1 && row % 2 == 1)
                        let isData =
                            row > 0 && column > 0 && row < size - 1 && column < size - 1
                            && noise[(u * 131 + v * 197) % noise.count]
                        address.storeBytes(
                            of: isInside && (isBorder || isData) ? 30 : 220, toByteOffset: y * rowBytes + x,
                            as: UInt8.self)
                    }
                }
            }
            let finding = try GridReader(image: image, map: .identity, formats: .dataMatrix).read()
            XCTAssertEqual(finding.codes.map(\.text), [], "\(size) modules")
            // Two scales, at most seven symbols, five grids each.
            XCTAssertLessThanOrEqual(finding.views, 70, "\(size) modules")
        }
    }
}
