import Foundation
import VisionImage
import XCTest

final class GeometryTests: XCTestCase {
    func testConcatenationAppliesTheReceiverFirst() {
        let t = CGAffineTransform(scaleX: 2, y: 3).concatenating(CGAffineTransform(translationX: 10, y: 20))
        XCTAssertEqual(CGPoint(x: 1, y: 1).applying(t), CGPoint(x: 12, y: 23))
        XCTAssertEqual(
            CGPoint(x: 1, y: 1).applying(CGAffineTransform(translationX: 10, y: 20).scaledBy(x: 2, y: 3)),
            CGPoint(x: 12, y: 23))
    }

    func testTheInverseOfASingularTransformIsItself() {
        let t = CGAffineTransform(a: 1, b: 2, c: -3, d: 4, tx: 5, ty: 6)
        let p = CGPoint(x: 7, y: -2).applying(t).applying(t.inverted())
        XCTAssertEqual(p.x, 7, accuracy: 1e-12)
        XCTAssertEqual(p.y, -2, accuracy: 1e-12)
        let singular = CGAffineTransform(a: 1, b: 1, c: 1, d: 1, tx: 0, ty: 0)
        XCTAssertEqual(singular.inverted(), singular)
    }

    func testATransformedRectangleBoundsItsCorners() {
        let rotated = CGRect(x: 0, y: 0, width: 4, height: 2).applying(CGAffineTransform(rotationAngle: .pi / 2))
        XCTAssertEqual(rotated.minX, -2, accuracy: 1e-12)
        XCTAssertEqual(rotated.height, 4, accuracy: 1e-12)
    }

    func testStoredRegionOfTheUprightTopLeftPixel() {
        // The stored pixel of a 4 × 3 image that appears at the top left, by the definition of the EXIF values.
        let corner: [CGImagePropertyOrientation: (Double, Double)] = [
            .up: (0, 0), .upMirrored: (3, 0), .down: (3, 2), .downMirrored: (0, 2),
            .leftMirrored: (0, 0), .right: (0, 2), .rightMirrored: (3, 2), .left: (3, 0),
        ]
        for (orientation, expected) in corner {
            let stored = orientation.storedRegion(
                of: PixelRegion(x: 0, y: 0, width: 1, height: 1), storedWidth: 4, storedHeight: 3)
            XCTAssertEqual(stored, PixelRegion(x: expected.0, y: expected.1, width: 1, height: 1), "\(orientation)")
        }
    }

    func testMatrixInverseAndProduct() {
        let m = simd_float3x3(rows: [[2, 0, 1], [0, 3, 0], [1, 0, 1]])
        XCTAssertEqual(m.determinant, 3)
        XCTAssertEqual(m * m.inverse, matrix_identity_float3x3)
        XCTAssertEqual(m * SIMD3(1, 1, 1), SIMD3(3, 3, 2))
        XCTAssertEqual(m[2, 0], 1)
        XCTAssertEqual(m.transpose[0, 2], 1)
    }

    func testTimes() {
        XCTAssertEqual(CMTimeMake(value: 3, timescale: 2).seconds, 1.5)
        XCTAssertTrue(CMTime.invalid.seconds.isNaN)
        XCTAssertEqual(CMTime(seconds: 0.5, preferredTimescale: 600).value, 300)
        XCTAssertFalse(CMTime(seconds: .infinity, preferredTimescale: 600).isValid)
        XCTAssertFalse(CMTime(value: 1, timescale: 0).isNumeric)
    }

    func testLargeTimesAreComparedExactly() {
        let large: Int64 = 1 << 53
        XCTAssertLessThan(CMTime(value: large, timescale: 600), CMTime(value: large + 1, timescale: 600))
        XCTAssertLessThan(CMTime(value: large, timescale: 1), CMTime(value: 3 * large + 1, timescale: 3))
        XCTAssertFalse(CMTime(value: 3 * large + 1, timescale: 3) < CMTime(value: large, timescale: 1))
        XCTAssertLessThan(CMTime(value: .min, timescale: .max), CMTime(value: .max, timescale: 1))
    }

    func testRectanglesWithNaNHaveNoOverlap() {
        let unit = CGRect(x: 0, y: 0, width: 1, height: 1)
        for odd in [
            CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1), CGRect(x: 0, y: 0, width: 1, height: CGFloat.nan),
            CGRect(x: -CGFloat.infinity, y: 0, width: CGFloat.infinity, height: 1), .null,
        ] {
            XCTAssertTrue(unit.overlap(with: odd).isNull)
            XCTAssertTrue(odd.overlap(with: unit).isNull)
        }
        XCTAssertEqual(CGRect.infinite.overlap(with: unit), unit)
        XCTAssertEqual(CGRect(x: 3, y: 0.5, width: -2.5, height: 2).overlap(with: unit).width, 0.5)
    }
}
