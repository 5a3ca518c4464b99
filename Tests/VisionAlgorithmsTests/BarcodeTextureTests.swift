import BarcodeTestSupport
import Foundation
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// What is seen of codes without reading them.
final class BarcodeTextureTests: XCTestCase {
    private func raster(_ width: Int = 480, _ height: Int = 320, _ pixel: (Int, Int) -> Double) throws -> Raster {
        try Raster(width: width, height: height, format: .grey8) { address, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    address.storeBytes(
                        of: UInt8(min(255, max(0, pixel(x, y)))), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    /// A code in the middle, turned, its edges blurred over `blur` pixels, its light and dark `contrast` apart.
    private func image(
        of code: DrawnCode, scale: Double, turn: Double = 0, blur: Double = 1, contrast: Double = 150
    ) throws -> Raster {
        let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        return try raster { x, y in
            var dark = 0.0
            for sample in 0..<16 {
                let dx = Double(x) - 240 + blur * (Double(sample % 4) / 4 - 0.375)
                let dy = Double(y) - 160 + blur * (Double(sample / 4) / 4 - 0.375)
                let (u, v) = ((c * dx + s * dy) / scale, (c * dy - s * dx) / scale)
                dark += code.isDark(u + Double(code.width) / 2, v + Double(code.height) / 2) ? 1.0 / 16 : 0
            }
            return 200 - contrast * dark
        }
    }

    func testLinearBarcodesAreBandsOfBars() throws {
        for (kind, text) in [
            (DrawnCode.Kind.ean13, "5901234123457"), (.upce, "01234565"), (.code128, "OpenVision"),
            (.itf, "30712345000010"),
        ] {
            let code = try DrawnCode(kind, text)
            for turn in [0.0, 20, 45, 90, 130] {
                XCTAssertTrue(
                    try BarcodeTexture(of: image(of: code, scale: 2, turn: turn)).hasBars, "\(kind) turned by \(turn)"
                )
            }
            XCTAssertTrue(try BarcodeTexture(of: image(of: code, scale: 2, blur: 3, contrast: 60)).hasBars, "\(kind)")
        }
    }

    func testCodesOfSquaresAreAreasOfSquares() throws {
        for (kind, text) in [
            (DrawnCode.Kind.qr, "https://example.org/part/1234"), (.dataMatrix, "Part 1234"), (.aztec, "Part 1234"),
        ] {
            let code = try DrawnCode(kind, text)
            for turn in [0.0, 15, 45, 70] {
                let texture = try BarcodeTexture(of: image(of: code, scale: 6, turn: turn, blur: 2))
                XCTAssertEqual(texture.squares, .much, "\(kind) turned by \(turn)")
            }
            // Pale, blurred and small.
            let texture = try BarcodeTexture(of: image(of: code, scale: 3, turn: 30, blur: 3, contrast: 60))
            XCTAssertGreaterThanOrEqual(texture.squares, .some, "\(kind)")
        }
    }

    func testPlainPicturesAreNeither() throws {
        let patterns: [(Int, Int) -> Double] = [
            { _, _ in 128 }, { x, y in Double(x + y) / 4 }, { x, _ in x < 240 ? 40 : 210 },
            { x, y in 2 * x + y < 700 ? 40 : 210 },
        ]
        for (number, pixel) in patterns.enumerated() {
            let texture = try BarcodeTexture(of: raster(480, 320, pixel))
            XCTAssertFalse(texture.hasBars, "pattern \(number)")
            XCTAssertEqual(texture.squares, .none, "pattern \(number)")
        }
    }

    func testASingleEdgeIsNoBandOfBarsAndACheckerboardIsNone() throws {
        XCTAssertFalse(try BarcodeTexture(of: raster { x, y in 3 * x + y < 900 ? 30 : 220 }).hasBars)
        let board = try BarcodeTexture(of: raster { x, y in (x / 8 + y / 8) % 2 == 0 ? 30 : 220 })
        XCTAssertFalse(board.hasBars)
        XCTAssertEqual(board.squares, .much)
    }

    func testSmallPicturesCountAsBoth() throws {
        for (width, height) in [(1, 1), (120, 90), (2000, 20)] {
            let texture = try BarcodeTexture(of: raster(width, height) { _, _ in 128 })
            XCTAssertTrue(texture.hasBars)
            XCTAssertEqual(texture.squares, .much)
        }
    }
}
