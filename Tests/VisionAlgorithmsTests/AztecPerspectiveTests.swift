import BarcodeTestSupport
import Foundation
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// Aztec codes that are seen at an angle and beside the middle of the image.
final class AztecPerspectiveTests: XCTestCase {
    /// A code as a camera sees it: its modules are `scale` pixels in its middle, turned by `turn` degrees, and `tilt`
    /// nearer or farther per module along its axes.
    private func image(
        of code: DrawnCode, at centre: (Double, Double), scale: Double, turn: Double, tilt: (Double, Double),
        isInverted: Bool = false
    ) throws -> Raster {
        let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        // From modules (u, v) about the middle to pixels: scale · R · (u, v) / (1 + tilt · (u, v)); inverted here.
        return try Raster(width: 480, height: 360, format: .grey8) { address, rowBytes in
            for y in 0..<360 {
                for x in 0..<480 {
                    var sum = 0.0
                    for sample in 0..<9 {
                        let px = Double(x) + (Double(sample % 3) + 0.5) / 3 - centre.0
                        let py = Double(y) + (Double(sample / 3) + 0.5) / 3 - centre.1
                        let (a, b) = ((c * px + s * py) / scale, (c * py - s * px) / scale)
                        let w = 1 - tilt.0 * a - tilt.1 * b
                        let (u, v) = (a / w + Double(code.width) / 2, b / w + Double(code.height) / 2)
                        sum += code.isDark(u, v) != isInverted ? 40 : 200
                    }
                    address.storeBytes(of: UInt8(sum / 9), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    private func texts(_ image: Raster) throws -> [String] {
        try BarcodeScanner(image: image, formats: .aztec, threads: 1).codes().map(\.text)
    }

    func testCodesInPerspectiveAreRead() throws {
        let long =
            "Codes are printed on parcels, tickets and walls, and are seldom seen from the front: 0123456789 ABCDEF"
        for (text, scale) in [("compact", 7.0), (long, 4.5)] {
            let code = try DrawnCode(.aztec, text)
            for (turn, tilt) in [
                (0.0, (0.0, 0.0)), (12, (0.008, 0)), (-25, (0, -0.008)), (40, (0.006, 0.006)), (100, (-0.007, 0.004)),
            ] {
                let seen = try texts(image(of: code, at: (200, 190), scale: scale, turn: turn, tilt: tilt))
                XCTAssertEqual(seen, [text], "\(turn)°, \(tilt)")
            }
        }
    }

    func testLightCodesInPerspectiveAreRead() throws {
        let code = try DrawnCode(.aztec, "light on dark")
        let image = try image(of: code, at: (280, 160), scale: 6, turn: 20, tilt: (0.007, 0.003), isInverted: true)
        let found = try BarcodeScanner(image: image, formats: .aztec, threads: 1).codes()
        XCTAssertEqual(found.map(\.text), ["light on dark"])
        XCTAssertEqual(found.first?.isInverted, true)
    }

    func testCornersAreInTheImage() throws {
        let code = try DrawnCode(.aztec, "corners of a code")
        let image = try image(of: code, at: (150, 200), scale: 6, turn: 30, tilt: (0.006, 0))
        let found = try XCTUnwrap(try BarcodeScanner(image: image, formats: .aztec, threads: 1).codes().first)
        let half = Double(code.width) / 2
        let (c, s) = (cos(30 * Double.pi / 180), sin(30 * Double.pi / 180))
        let wanted = [(-half, -half), (half, -half), (half, half), (-half, half)].map { u, v in
            let w = 1 + 0.006 * u
            return SIMD2(150 + 6 * (c * u - s * v) / w, 200 + 6 * (s * u + c * v) / w)
        }
        // The library does not say which corner is the first one of an Aztec code that is turned.
        for corner in wanted {
            let nearest = found.corners.map { (($0 - corner) * ($0 - corner)).sum().squareRoot() }.min() ?? .infinity
            XCTAssertLessThan(nearest, 8)
        }
    }

    func testNothingIsReadWhereThereIsNoCode() throws {
        let rings = try Raster(width: 480, height: 360, format: .grey8) { address, rowBytes in
            for y in 0..<360 {
                for x in 0..<480 {
                    let ring = max(abs(x - 240), abs(y - 180)) / 8
                    address.storeBytes(of: ring % 2 == 0 ? 30 : 220, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
        XCTAssertEqual(try texts(rings), [])
    }
}
