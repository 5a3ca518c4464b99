import Foundation
import XCTest

@testable import VisionImage

final class ImagePatchTests: XCTestCase {
    private func assertEqual(_ a: SIMD2<Double>, _ b: SIMD2<Double>, line: UInt = #line) {
        XCTAssertEqual(a.x, b.x, accuracy: 1e-9, line: line)
        XCTAssertEqual(a.y, b.y, accuracy: 1e-9, line: line)
    }

    func testPointsGoToTheImageAndBack() {
        let patch = ImagePatch(
            centre: SIMD2(30, 20), extent: SIMD2(16, 8), axis: SIMD2(0, 5), columns: 32, rows: 16)
        XCTAssertEqual(patch.step, 0.5)
        XCTAssertEqual(patch.scale, 2)
        assertEqual(patch.imagePoint(SIMD2(16, 8)), SIMD2(30, 20))
        // The patch's x axis points down the image, its y axis to the left.
        assertEqual(patch.imagePoint(.zero), SIMD2(34, 12))
        assertEqual(patch.origin, SIMD2(34, 12))
        assertEqual(patch.imagePoint(SIMD2(32, 0)), SIMD2(34, 28))
        assertEqual(patch.imagePoint(SIMD2(0, 16)), SIMD2(26, 12))
        for point in [SIMD2(0.0, 0), SIMD2(3, 9), SIMD2(-4, 40)] {
            assertEqual(patch.point(ofImage: patch.imagePoint(point)), point)
        }
    }

    func testAPatchCanBeGivenByItsCorner() {
        let axis = SIMD2(0.6, 0.8)
        let patch = ImagePatch(origin: SIMD2(10, 20), axis: axis, step: 0.25, columns: 40, rows: 8)
        let same = ImagePatch(centre: patch.centre, extent: SIMD2(10, 2), axis: axis, columns: 40, rows: 8)
        assertEqual(patch.origin, SIMD2(10, 20))
        assertEqual(same.origin, patch.origin)
        assertEqual(same.extent, patch.extent)
        assertEqual(patch.imagePoint(SIMD2(40, 8)), same.imagePoint(SIMD2(40, 8)))
    }

    func testWithoutADirectionAPatchIsUpright() {
        XCTAssertEqual(ImagePatch(centre: SIMD2(1, 1), side: 2, axis: .zero, size: 4).axis, SIMD2(1, 0))
    }

    func testPatchesAreLikeEachOtherWithinLimits() {
        let patch = ImagePatch(centre: SIMD2(50, 50), side: 20, size: 64)
        func isLike(_ x: Double, _ side: Double, _ angle: Double) -> Bool {
            ImagePatch(centre: SIMD2(50 + x, 50), side: side, axis: SIMD2(cos(angle), sin(angle)), size: 64)
                .isWithin(offset: 0.1, ratio: 1.2, angle: 0.1, of: patch)
        }
        XCTAssertTrue(isLike(1.9, 20, 0) && isLike(0, 23, 0) && isLike(0, 17, 0) && isLike(0, 20, 0.09))
        XCTAssertFalse(isLike(2.1, 20, 0) || isLike(0, 25, 0) || isLike(0, 16, 0) || isLike(0, 20, 0.11))
        XCTAssertFalse(isLike(0, 20, .pi))
    }

    /// A quarter turn of whole pixels copies them.
    func testASectionIsCutTurnedAndScaled() throws {
        let raster = try Raster(width: 8, height: 6, format: .grey8) { pixels, rowBytes in
            for y in 0..<6 {
                for x in 0..<8 {
                    pixels.storeBytes(of: UInt8(10 * y + x), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
        // The section shows 16 × 12 pixels of the image from (100, 200) on.
        let section = ImageSection(raster, of: PixelRegion(x: 100, y: 200, width: 16, height: 12))
        func values(_ patch: ImagePatch) throws -> [UInt8] {
            let cut = try section.pixels(of: patch)
            return cut.withUnsafePixels { pixels in
                (0..<patch.rows * patch.columns).map { index in
                    pixels.load(
                        fromByteOffset: index / patch.columns * cut.rowBytes + index % patch.columns, as: UInt8.self)
                }
            }
        }
        XCTAssertEqual(
            try values(ImagePatch(origin: SIMD2(104, 202), axis: SIMD2(1, 0), step: 2, columns: 3, rows: 2)),
            [12, 13, 14, 22, 23, 24])
        XCTAssertEqual(
            try values(ImagePatch(origin: SIMD2(108, 202), axis: SIMD2(0, 1), step: 2, columns: 2, rows: 2)),
            [13, 23, 12, 22])
        XCTAssertEqual(
            try values(ImagePatch(origin: SIMD2(96, 196), axis: SIMD2(1, 0), step: 2, columns: 3, rows: 3)),
            [0, 0, 0, 0, 0, 0, 0, 0, 0], "beyond the section its edge is repeated")
    }
}
