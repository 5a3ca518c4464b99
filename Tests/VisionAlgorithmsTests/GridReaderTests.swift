import BarcodeTestSupport
import Foundation
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// QR codes and Data Matrix symbols at an angle and on bent surfaces.
final class GridReaderTests: XCTestCase {
    /// How a code is seen: `scale` pixels a module in its middle, turned, `tilt` nearer or farther per module along its
    /// axes, and its columns `bend` modules lower at the sides than in the middle.
    private struct Pose {
        var scale: Double
        var turn = 0.0
        var tilt = SIMD2(0.0, 0.0)
        var bend = 0.0
    }

    private let size = (width: 480, height: 400)

    private func image(of code: DrawnCode, _ pose: Pose, isInverted: Bool = false) throws -> Raster {
        let (c, s) = (cos(pose.turn * .pi / 180), sin(pose.turn * .pi / 180))
        let (width, height) = (Double(code.width), Double(code.height))
        return try Raster(width: size.width, height: size.height, format: .grey8) { address, rowBytes in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    var sum = 0.0
                    for sample in 0..<9 {
                        let px = Double(x) + (Double(sample % 3) + 0.5) / 3 - Double(size.width) / 2
                        let py = Double(y) + (Double(sample / 3) + 0.5) / 3 - Double(size.height) / 2
                        let (a, b) = ((c * px + s * py) / pose.scale, (c * py - s * px) / pose.scale)
                        let w = 1 - pose.tilt.x * a - pose.tilt.y * b
                        let u = a / w
                        let v = b / w - pose.bend * (2 * u / width) * (2 * u / width)
                        sum += code.isDark(u + width / 2, v + height / 2) != isInverted ? 40 : 200
                    }
                    address.storeBytes(of: UInt8(sum / 9), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    private func texts(_ image: Raster, _ formats: BarcodeFormats) throws -> [String] {
        try GridReader(image: image, map: .identity, formats: formats).read().codes.map(\.text)
    }

    /// What the views that are no grid show.
    private func textsOfLibrary(_ image: Raster, _ formats: BarcodeFormats) throws -> [String] {
        try BarcodeReader.codes(in: image, .init(formats: formats)).map(\.text)
    }

    private let poses = [
        Pose(scale: 6), Pose(scale: 6, turn: 20, tilt: SIMD2(0.007, 0)),
        Pose(scale: 6, turn: -35, tilt: SIMD2(0, 0.008)),
        Pose(scale: 5.5, turn: 75, tilt: SIMD2(0.006, -0.006)), Pose(scale: 6, turn: 160, tilt: SIMD2(-0.007, 0.004)),
    ]

    func testQRCodesInPerspectiveAreRead() throws {
        for text in ["a short one", "Longer codes have more modules, and patterns that align them: 0123456789 ABC"] {
            let code = try DrawnCode(.qr, text)
            for pose in poses {
                XCTAssertEqual(try texts(image(of: code, pose), .qr), [text], "\(pose)")
            }
        }
    }

    func testDataMatrixSymbolsInPerspectiveAreRead() throws {
        // Symbols of few modules are left to the library.
        for text in ["Larger symbols have four regions of modules with borders between them: 0123456789"] {
            let code = try DrawnCode(.dataMatrix, text)
            for pose in poses {
                XCTAssertEqual(try texts(image(of: code, pose), .dataMatrix), [text], "\(pose)")
            }
        }
    }

    func testSymbolsOnBentSurfacesAreRead() throws {
        let text = "on a bottle, a can or a pipe, which bends the rows of modules"
        let code = try DrawnCode(.dataMatrix, text)
        XCTAssertEqual(try texts(image(of: code, Pose(scale: 7, turn: 5, bend: 0.6)), .dataMatrix), [text])
    }

    /// Columns that become narrower from left to right, as on paper that did not move steadily.
    func testDataMatrixSymbolsOfUnevenColumnsAreRead() throws {
        for (text, narrowing) in [("X12X12X12X12", 0.3), ("1234567890 and 1234567890 and 1234567890", 0.25)] {
            let code = try DrawnCode(.dataMatrix, text)
            let (columns, module) = (Double(code.width), 6.0)
            let side = Int(module * (columns + 12))
            let image = try Raster(width: side, height: side, format: .grey8) { address, rowBytes in
                for y in 0..<side {
                    for x in 0..<side {
                        let share = (Double(x) + 0.5 - 6 * module) / (module * columns)
                        let u = columns * (share + narrowing * share * (share - 1))
                        let v = (Double(y) + 0.5) / module - 6
                        let isDark = share >= 0 && share < 1 && code.isDark(u, v)
                        address.storeBytes(of: isDark ? 40 : 200, toByteOffset: y * rowBytes + x, as: UInt8.self)
                    }
                }
            }
            XCTAssertEqual(try textsOfLibrary(image, .dataMatrix), [], text)
            XCTAssertEqual(try texts(image, .dataMatrix), [text])
            XCTAssertEqual(try BarcodeScanner(image: image, formats: .all, threads: 1).codes().map(\.text), [text])
        }
    }

    /// A dark stroke through the middles of the alternating modules at the top; nearer to the edge they are seen.
    func testDataMatrixSymbolsWithJoinedModulesAreRead() throws {
        let text = "joined by ink: 0123456789"
        let code = try DrawnCode(.dataMatrix, text)
        let module = 8.0
        let side = Int(module * Double(code.width + 12))
        let image = try Raster(width: side, height: side, format: .grey8) { address, rowBytes in
            for y in 0..<side {
                for x in 0..<side {
                    let (u, v) = ((Double(x) + 0.5) / module - 6, (Double(y) + 0.5) / module - 6)
                    let isStroke = v > 0.4 && v < 1 && u > 0 && u < Double(code.width)
                    let isDark = isStroke || code.isDark(u, v)
                    address.storeBytes(of: isDark ? 40 : 200, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
        XCTAssertEqual(try texts(image, .dataMatrix), [text])
    }

    func testTheScannerReadsWhatTheLibraryDoesNot() throws {
        var gained = 0
        let code = try DrawnCode(.qr, "Seen along the wall that it is fixed to, by a camera that is close: 0123456789")
        for tilt in [0.010, 0.012, 0.014, 0.016] {
            let image = try image(of: code, Pose(scale: 6, turn: 12, tilt: SIMD2(tilt, tilt / 2)))
            guard try textsOfLibrary(image, .qr).isEmpty, try !texts(image, .qr).isEmpty else { continue }
            gained += 1
            XCTAssertEqual(try BarcodeScanner(image: image, formats: .qr, threads: 1).codes().count, 1)
        }
        XCTAssertGreaterThan(gained, 0)
    }

    func testLightQRCodesAreReadWithTheirCorners() throws {
        let code = try DrawnCode(.qr, "light on dark")
        let image = try image(of: code, Pose(scale: 7, turn: 15, tilt: SIMD2(0.006, 0)), isInverted: true)
        let found = try XCTUnwrap(GridReader(image: image, map: .identity, formats: .qr).read().codes.first)
        XCTAssertEqual(found.text, "light on dark")
        XCTAssertTrue(found.isInverted)
        let half = Double(code.width) / 2
        let (c, s) = (cos(15 * Double.pi / 180), sin(15 * Double.pi / 180))
        let wanted = [(-half, -half), (half, -half), (half, half), (-half, half)].map { u, v in
            let w = 1 + 0.006 * u
            return SIMD2(240 + 7 * (c * u - s * v) / w, 200 + 7 * (s * u + c * v) / w)
        }
        for (corner, other) in zip(found.corners, wanted) {
            XCTAssertLessThan(((corner - other) * (corner - other)).sum().squareRoot(), 5)
        }
    }

    /// Finder patterns of different codes are farther apart than those of the largest one.
    func testPatternsFarApartAreNoCode() throws {
        for (module, far) in [(2, 300), (2, 190), (3, 240), (2, 90)] {
            let side = (far + 20) * module
            let image = try Raster(width: side, height: side, format: .grey8) { address, rowBytes in
                for y in 0..<side {
                    for x in 0..<side {
                        let (u, v) = (x / module - 6, y / module - 6)
                        let isDark = [(3, 3), (far + 3, 3), (3, far + 3)].contains { cx, cy in
                            let ring = max(abs(u - cx), abs(v - cy))
                            return ring <= 1 || ring == 3
                        }
                        address.storeBytes(of: isDark ? 30 : 220, toByteOffset: y * rowBytes + x, as: UInt8.self)
                    }
                }
            }
            XCTAssertEqual(try texts(image, .qr), [], "\(far) modules of \(module) pixels")
        }
    }

    func testNothingIsReadInPatternsWithoutACode() throws {
        // Three finder patterns and nothing between them; a frame with teeth on two sides.
        let squares = try Raster(width: 300, height: 300, format: .grey8) { address, rowBytes in
            for y in 0..<300 {
                for x in 0..<300 {
                    let (u, v) = (x / 6 - 5, y / 6 - 5)
                    let isDark = [(3, 3), (33, 3), (3, 33)].contains { cx, cy in
                        let ring = max(abs(u - cx), abs(v - cy))
                        return ring <= 1 || ring == 3
                    }
                    address.storeBytes(of: isDark ? 30 : 220, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
        let frame = try Raster(width: 300, height: 300, format: .grey8) { address, rowBytes in
            for y in 0..<300 {
                for x in 0..<300 {
                    let (u, v) = (x / 8 - 6, y / 8 - 6)
                    let isInside = (0..<24).contains(u) && (0..<24).contains(v)
                    let isDark = isInside && (u == 0 || v == 23 || (v == 0 && u % 2 == 0) || (u == 23 && v % 2 == 1))
                    address.storeBytes(of: isDark ? 30 : 220, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
        for image in [squares, frame] { XCTAssertEqual(try texts(image, [.qr, .dataMatrix]), []) }
    }
}
