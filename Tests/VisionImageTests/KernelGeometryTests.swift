import XCTest

@testable import VisionImage

final class KernelGeometryTests: XCTestCase {
    // MARK: Orientation

    /// Returns the stored position of pixel (x, y) of the upright image, by the definition of the EXIF values.
    private func stored(_ o: CGImagePropertyOrientation, _ x: Int, _ y: Int, _ w: Int, _ h: Int) -> (Int, Int) {
        switch o {
        case .up: (x, y)
        case .upMirrored: (w - 1 - x, y)
        case .down: (w - 1 - x, h - 1 - y)
        case .downMirrored: (x, h - 1 - y)
        case .leftMirrored: (y, x)
        case .right: (y, h - 1 - x)
        case .rightMirrored: (w - 1 - y, h - 1 - x)
        case .left: (w - 1 - y, x)
        }
    }

    func testAllOrientationsOfAllPixelSizes() throws {
        for format in [Raster.Format.grey8, .rgb8, .bgra8] {
            for (w, h) in [(1, 1), (5, 3), (67, 41), (16, 64)] {
                let raster = try Raster.noise(w, h, format, seed: UInt64(w))
                for orientation in CGImagePropertyOrientation.allCases {
                    let upright = try raster.oriented(orientation)
                    XCTAssertEqual(upright.width, orientation.swapsAxes ? h : w)
                    XCTAssertEqual(upright.height, orientation.swapsAxes ? w : h)
                    var wrong = 0
                    for y in 0..<upright.height {
                        for x in 0..<upright.width {
                            let (sx, sy) = stored(orientation, x, y, w, h)
                            if upright.values(x, y) != raster.values(sx, sy) { wrong += 1 }
                        }
                    }
                    XCTAssertEqual(wrong, 0, "\(orientation) of \(w) × \(h) \(format)")
                }
            }
        }
    }

    func testRotationBy90DegreesClockwiseMovesTheBottomLeftToTheTopLeft() throws {
        let raster = try Raster.bytes(2, 2, .grey8) { x, y in [UInt8(10 * y + x)] }
        XCTAssertEqual(try raster.oriented(.right).allPixels, [[10], [0], [11], [1]])
    }

    // MARK: Resizing

    /// Returns the mean over the area of a new pixel.
    private func area(_ raster: Raster, _ region: PixelRegion, _ w: Int, _ h: Int, _ x: Int, _ y: Int, _ c: Int)
        -> Double
    {
        func spans(_ start: Double, _ end: Double, _ limit: Int) -> [(Int, Double)] {
            (0..<limit).map { ($0, max(0, min(end, Double($0) + 1) - max(start, Double($0)))) }.filter { $0.1 > 0 }
        }
        let (stepX, stepY) = (region.width / Double(w), region.height / Double(h))
        let columns = spans(region.x + Double(x) * stepX, region.x + Double(x + 1) * stepX, raster.width)
        let rows = spans(region.y + Double(y) * stepY, region.y + Double(y + 1) * stepY, raster.height)
        var sum = 0.0
        for (j, v) in rows { for (i, u) in columns { sum += u * v * Double(raster.values(i, j)[c]) } }
        return sum / (stepX * stepY)
    }

    func testTheAreaFilterIsTheMeanOverANewPixel() throws {
        let region = PixelRegion(x: 2.25, y: 1.5, width: 40.5, height: 20.75)
        for format in [Raster.Format.grey8, .rgb8, .bgra8] {
            let raster = try Raster.noise(47, 29, format, seed: 9)
            for (part, w, h) in [(PixelRegion(width: 47, height: 29), 11, 7), (region, 9, 6), (region, 50, 33)] {
                let small = try raster.resized(width: w, height: h, filter: .area, region: part)
                for y in 0..<h {
                    for x in 0..<w {
                        for c in 0..<format.bytesPerPixel {
                            XCTAssertEqual(
                                Double(small.values(x, y)[c]), area(raster, part, w, h, x, y, c), accuracy: 0.56)
                        }
                    }
                }
            }
        }
    }

    func testHalvesAreExactMeansRoundedUp() throws {
        for format in [Raster.Format.grey8, .rgb8, .rgba8] {
            let raster = try Raster.noise(134, 22, format, seed: 2)
            let half = try raster.resized(width: 67, height: 11, filter: .area)
            for y in 0..<11 {
                for x in 0..<67 {
                    for c in 0..<format.bytesPerPixel {
                        let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(2) {
                            $0 + Int(raster.values(2 * x + $1.0, 2 * y + $1.1)[c])
                        }
                        XCTAssertEqual(Int(half.values(x, y)[c]), sum / 4)
                    }
                }
            }
        }
    }

    func testBilinearReproducesARampAndReplicatesTheBorder() throws {
        let ramp = try Raster.bytes(64, 4, .grey8) { x, _ in [UInt8(4 * x)] }
        let wide = try ramp.resized(width: 128, height: 4, filter: .bilinear)
        for x in 0..<128 {
            let position = min(max((Double(x) + 0.5) / 2 - 0.5, 0), 63)
            XCTAssertEqual(Double(wide.values(x, 2)[0]), 4 * position, accuracy: 0.51)
        }
        let small = try ramp.resized(width: 16, height: 2, filter: .bilinear)
        XCTAssertEqual((0..<16).map { Int(small.values($0, 0)[0]) }, (0..<16).map { 16 * $0 + 6 })
    }

    func testOnlyBilinearHasAliasing() throws {
        let stripes = try Raster.bytes(96, 96, .grey8) { x, _ in [x % 3 == 1 ? 255 : 0] }
        let aliased = try stripes.resized(width: 32, height: 32, filter: .bilinear)
        let smooth = try stripes.resized(width: 32, height: 32, filter: .antialiasedBilinear)
        let area = try stripes.resized(width: 32, height: 32, filter: .area)
        XCTAssertEqual(aliased.values(16, 16), [255])
        // A triangle of half-width 3 on every third pixel: (1 + 0 + 0) / 3; the area mean is the same.
        XCTAssertEqual(smooth.values(16, 16), [85])
        XCTAssertEqual(area.values(16, 16), [85])
    }

    func testARegionIsTheSameAsCropThenResizeForArea() throws {
        let raster = try Raster.noise(90, 60, .rgb8, seed: 4)
        let region = PixelRegion(x: 12, y: 6, width: 50, height: 41)
        XCTAssertEqual(
            try raster.resized(width: 17, height: 9, filter: .area, region: region).allPixels,
            try raster.cropped(x: 12, y: 6, width: 50, height: 41).resized(width: 17, height: 9, filter: .area)
                .allPixels)
    }

    func testFloatsAreResized() throws {
        let raster = try Raster.floats(30, 20) { x, y in Float(x) * 0.5 - Float(y) }
        let small = try raster.resized(width: 10, height: 5, filter: .area)
        for (x, y) in [(0, 0), (9, 4), (4, 2)] {
            XCTAssertEqual(small.float(x, y), (3 * Float(x) + 1) * 0.5 - (4 * Float(y) + 1.5), accuracy: 1e-4)
        }
    }

    func testExtremeScalesKeepAFlatImageFlat() throws {
        let flat = try Raster.bytes(3001, 2, .rgb8) { _, _ in [255, 128, 1] }
        for filter in [ResizeFilter.area, .antialiasedBilinear, .bilinear] {
            XCTAssertEqual(
                try flat.resized(width: 1, height: 5, filter: filter).allPixels,
                Array(repeating: [255, 128, 1], count: 5))
            XCTAssertEqual(
                try flat.cropped(x: 0, y: 0, width: 1, height: 1).resized(width: 70, height: 1, filter: filter)
                    .allPixels,
                Array(repeating: [255, 128, 1], count: 70))
        }
    }

    func testInvalidRegionsAndSizesThrow() throws {
        let raster = try Raster.noise(10, 10, .grey8)
        let bad = [
            PixelRegion(x: 0, y: 0, width: 0, height: 5), PixelRegion(x: 5, y: 0, width: 5.1, height: 5),
            PixelRegion(x: -0.1, y: 0, width: 5, height: 5), PixelRegion(x: .nan, y: 0, width: 5, height: 5),
            PixelRegion(x: 0, y: 0, width: .infinity, height: 5),
        ]
        for region in bad {
            XCTAssertThrowsError(try raster.resized(width: 4, height: 4, filter: .area, region: region)) {
                guard case ImageError.invalidArgument = $0 else { return XCTFail("\($0)") }
            }
        }
        XCTAssertThrowsError(try raster.resized(width: 0, height: 4, filter: .area))
        XCTAssertThrowsError(try raster.resized(width: 4, height: 65537, filter: .area))
    }

    // MARK: Warping

    func testAnIntegerShiftIsExactAndTheBorderIsAsRequested() throws {
        for format in [Raster.Format.grey8, .rgb8, .bgra8] {
            let raster = try Raster.noise(40, 30, format, seed: 6)
            let map = CGAffineTransform(translationX: 7, y: -4)
            let black = try raster.warped(by: map, width: 40, height: 30, border: .black)
            let held = try raster.warped(by: map, width: 40, height: 30, border: .replicate)
            for y in 0..<30 {
                for x in 0..<40 {
                    let inside = x + 7 < 40 && y - 4 >= 0
                    let nearest = raster.values(min(x + 7, 39), max(y - 4, 0))
                    XCTAssertEqual(held.values(x, y), nearest)
                    XCTAssertEqual(
                        black.values(x, y), inside ? nearest : [UInt8](repeating: 0, count: format.bytesPerPixel))
                }
            }
        }
    }

    func testARotatedPlaneStaysAPlane() throws {
        let plane = try Raster.bytes(120, 120, .grey8) { x, y in [UInt8(x + y)] }
        let angle = 0.3
        let map = CGAffineTransform(translationX: 60, y: 50)
            .concatenating(CGAffineTransform(rotationAngle: 0))
        let turn = CGAffineTransform(rotationAngle: angle)
        let warped = try plane.warped(by: turn.concatenating(map), width: 40, height: 40, border: .black)
        for (x, y) in [(0, 0), (39, 39), (20, 3), (5, 31)] {
            let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
            let sx = cos(angle) * u - sin(angle) * v + 60 - 0.5, sy = sin(angle) * u + cos(angle) * v + 50 - 0.5
            XCTAssertEqual(Double(warped.values(x, y)[0]), sx + sy, accuracy: 0.53)
        }
    }

    func testMapsThatAreNotFiniteOrTooLargeThrow() throws {
        let raster = try Raster.noise(8, 8, .grey8)
        for map in [
            CGAffineTransform(scaleX: .nan, y: 1), CGAffineTransform(scaleX: 1, y: .nan),
            CGAffineTransform(translationX: 0, y: .nan), CGAffineTransform(scaleX: 1e9, y: 1),
        ] {
            XCTAssertThrowsError(try raster.warped(by: map, width: 4, height: 4, border: .black))
        }
    }
}
