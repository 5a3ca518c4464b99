import Foundation
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// MaxiCodes anywhere in an image, turned and seen at an angle.
final class MaxiCodeTests: XCTestCase {
    private static let text = "OpenVision reads a MaxiCode of 93 digits and letters at any angle, seen from the side."
    /// Its modules, as `zint` 2.11 draws them: 33 rows of 30 bits.
    private static let rows = [
        0x006024d3, 0x1fc88c4c, 0x2dda3e0a, 0x37040322, 0x13beb152, 0x237e3f88, 0x3700a407, 0x03998cee, 0x332e3e4c,
        0x289fc482, 0x02bf64af, 0x36380420, 0x12aa2741, 0x328992cc, 0x383a2be6, 0x004da21a, 0x3b294a36, 0x0d4da2ba,
        0x0d4a2b81, 0x23699728, 0x235a27ea, 0x10999910, 0x3f3870be, 0x3b5f1776, 0x20603770, 0x26c68390, 0x02f8a913,
        0x39e8de0a, 0x257afac9, 0x21f7c85e, 0x0032aadb, 0x293d9756, 0x20988708,
    ]

    /// The inner and outer radii of the rings, and of a round module, in widths of modules.
    private struct Ink {
        var rings: [ClosedRange<Double>] = [0.58...1.35, 2.12...2.89, 3.65...4.41]
        var module = 0.42

        /// Whether a position relative to the middle of the bull's-eye is dark.
        func isDark(_ x: Double, _ y: Double) -> Bool {
            let radius = (x * x + y * y).squareRoot()
            if radius < 4.6 { return rings.contains { $0.contains(radius) } }
            let row = Int((y / 0.75.squareRoot()).rounded()) + 16
            guard (0..<33).contains(row) else { return false }
            return [row - 1, row, row + 1].contains { row in
                guard (0..<33).contains(row) else { return false }
                let column = Int((x - (row % 2 == 0 ? 0 : 0.5)).rounded()) + 14
                guard (0..<30).contains(column), MaxiCodeTests.rows[row] >> (29 - column) & 1 == 1 else { return false }
                let offset = SIMD2(x, y) - HexagonPlane.position(row: row, column: column)
                return (offset * offset).sum() < module * module
            }
        }
    }

    /// A code as a camera sees it: modules of `scale` pixels in its middle, turned by `turn` degrees, and `tilt` nearer
    /// or farther per module along its axes.
    private func image(
        _ width: Int, _ height: Int, at centre: (Double, Double), scale: Double, turn: Double,
        tilt: (Double, Double) = (0, 0), ink: Ink = Ink(), isInverted: Bool = false
    ) throws -> Raster {
        let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        return try Raster(width: width, height: height, format: .grey8) { address, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    var sum = 0.0
                    let reach = 30 * scale
                    if abs(Double(x) - centre.0) > reach || abs(Double(y) - centre.1) > reach {
                        sum = isInverted ? 4 * 50 : 4 * 210
                    } else {
                        for sample in 0..<4 {
                            let px = Double(x) + (Double(sample % 2) + 0.5) / 2 - centre.0
                            let py = Double(y) + (Double(sample / 2) + 0.5) / 2 - centre.1
                            let (a, b) = ((c * px + s * py) / scale, (c * py - s * px) / scale)
                            let w = 1 - tilt.0 * a - tilt.1 * b
                            sum += ink.isDark(a / w, b / w) != isInverted ? 50 : 210
                        }
                    }
                    address.storeBytes(of: UInt8(sum / 4), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    private func codes(_ image: Raster) throws -> [FoundBarcode] {
        try BarcodeScanner(image: image, formats: .maxiCode, threads: 1).codes()
    }

    func testCodesAreReadInEveryDirection() throws {
        for turn in stride(from: 0.0, to: 360, by: 24) {
            let seen = try codes(image(420, 420, at: (200, 215), scale: 7, turn: turn))
            XCTAssertEqual(seen.map(\.text), [Self.text], "\(turn)°")
        }
    }

    func testCodesInPerspectiveAreRead() throws {
        for (turn, tilt) in [
            (0.0, (0.01, 0.0)), (30, (0, -0.012)), (-70, (0.008, 0.008)), (140, (-0.01, 0.005)), (200, (0.005, -0.009)),
        ] {
            let seen = try codes(image(480, 480, at: (240, 230), scale: 8, turn: turn, tilt: tilt))
            XCTAssertEqual(seen.map(\.text), [Self.text], "\(turn)°, \(tilt)")
        }
    }

    /// Images of each size are searched in another way.
    func testCodesAreReadInImagesOfEverySize() throws {
        for (width, height, scale) in [(260, 260, 5.0), (640, 480, 6), (1920, 1080, 12), (3000, 2000, 16)] {
            let seen = try codes(
                image(width, height, at: (Double(width) * 0.55, Double(height) * 0.5), scale: scale, turn: 25))
            XCTAssertEqual(seen.map(\.text), [Self.text], "\(width) × \(height)")
        }
    }

    func testLightCodesAreRead() throws {
        let found = try codes(image(420, 420, at: (210, 210), scale: 7, turn: 50, isInverted: true))
        XCTAssertEqual(found.map(\.text), [Self.text])
        XCTAssertEqual(found.first?.isInverted, true)
    }

    /// Printers leave more or less room between modules, and in the middle.
    func testCodesOfEveryInkAreRead() throws {
        for (module, rings) in [
            (0.35, [0.9...1.3, 2.2...2.8, 3.75...4.35]), (0.48, [0.5...1.4, 2.05...2.95, 3.55...4.45]),
        ] {
            let ink = Ink(rings: rings, module: module)
            let seen = try codes(image(420, 420, at: (210, 205), scale: 7, turn: 15, tilt: (0.005, 0.005), ink: ink))
            XCTAssertEqual(seen.map(\.text), [Self.text], "\(module)")
        }
    }

    func testCornersAreInTheImage() throws {
        let image = try image(480, 480, at: (230, 240), scale: 8, turn: 30, tilt: (0.008, 0))
        let found = try XCTUnwrap(try codes(image).first)
        let (c, s) = (cos(30 * Double.pi / 180), sin(30 * Double.pi / 180))
        // From the left of column 0 to the right of column 29 in the rows that are shifted.
        let (left, right, half) = (-14.5, 16.0, 16 * 0.75.squareRoot() + 1 / 3.0.squareRoot())
        let wanted = [(left, -half), (right, -half), (right, half), (left, half)].map { u, v in
            let w = 1 + 0.008 * u
            return SIMD2(230 + 8 * (c * u - s * v) / w, 240 + 8 * (s * u + c * v) / w)
        }
        for (corner, wanted) in zip(found.corners, wanted) {
            XCTAssertLessThan(((corner - wanted) * (corner - wanted)).sum().squareRoot(), 8)
        }
    }

    func testRingsWithoutACodeAreNone() throws {
        var ink = Ink()
        ink.module = 0
        XCTAssertEqual(try codes(image(420, 420, at: (210, 210), scale: 7, turn: 0, ink: ink)).count, 0)
    }
}
