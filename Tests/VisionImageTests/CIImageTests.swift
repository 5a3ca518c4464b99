import Foundation
import VisionImage
import XCTest

final class CIImageTests: XCTestCase {
    private func counting(_ width: Int, _ height: Int) throws -> CIImage {
        CIImage(cvPixelBuffer: try TestBuffer.grey(width: width, height: height) { x, y in UInt8(10 * y + x) })
    }

    private func greyRow(_ raster: Raster, _ y: Int) -> [UInt8] { (0..<raster.width).map { raster.bytes($0, y)[0] } }

    func testOrientedAgreesWithTheHandlersOrientation() throws {
        let buffer = try TestBuffer.grey(width: 5, height: 3) { x, y in UInt8(10 * y + x) }
        for orientation in CGImagePropertyOrientation.allCases {
            let upright = CIImage(cvPixelBuffer: buffer).oriented(orientation)
            XCTAssertEqual(upright.extent.origin, .zero)
            let rendered = try upright.rendered()
            let expected = try ImageSource(pixelBuffer: buffer, orientation: orientation).fullSizeGrey()
            XCTAssertEqual([rendered.width, rendered.height], [expected.width, expected.height])
            for y in 0..<expected.height {
                XCTAssertEqual(greyRow(rendered, y), greyRow(expected, y), "\(orientation)")
            }
        }
    }

    func testCroppingUsesALowerLeftOrigin() throws {
        let part = try counting(6, 4).cropped(to: CGRect(x: 1, y: 0, width: 3, height: 2))
        XCTAssertEqual(part.extent, CGRect(x: 1, y: 0, width: 3, height: 2))
        let raster = try part.rendered()
        XCTAssertEqual(greyRow(raster, 0), [21, 22, 23])
        XCTAssertEqual(greyRow(raster, 1), [31, 32, 33])
    }

    func testTransformsAreLazyAndCompose() throws {
        let moved = try counting(6, 4)
            .transformed(by: CGAffineTransform(translationX: 100, y: 50))
            .cropped(to: CGRect(x: 102, y: 51, width: 2, height: 1))
            .transformed(by: CGAffineTransform(translationX: -102, y: -51))
        XCTAssertEqual(moved.extent, CGRect(x: 0, y: 0, width: 2, height: 1))
        XCTAssertEqual(greyRow(try moved.rendered(), 0), [22, 23])
    }

    func testScalingSamplesBilinearly() throws {
        let flat = CIImage(cvPixelBuffer: try TestBuffer.grey(width: 4, height: 4) { _, _ in 77 })
        let large = try flat.transformed(by: CGAffineTransform(scaleX: 2.5, y: 2.5)).rendered()
        XCTAssertEqual([large.width, large.height], [10, 10])
        XCTAssertEqual(large.bytes(5, 5)[0], 77)
    }

    func testEmptyAndInfiniteExtentsAreErrors() throws {
        let image = try counting(4, 4)
        XCTAssertThrowsError(try image.cropped(to: CGRect(x: 10, y: 10, width: 1, height: 1)).rendered())
        XCTAssertThrowsError(try image.transformed(by: CGAffineTransform(scaleX: 1e9, y: 1e9)).rendered())
        XCTAssertThrowsError(try image.transformed(by: CGAffineTransform(scaleX: .nan, y: 1)).rendered())
    }

    func testContextRendersIntoEveryWritableFormat() throws {
        let image = CIImage(
            cvPixelBuffer: try TestBuffer.buffer(width: 6, height: 4) { _, _ in (r: 200, g: 100, b: 50) })
        for format in [
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA, kCVPixelFormatType_24RGB,
            kCVPixelFormatType_24BGR, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8Planar,
        ] {
            let target = try TestBuffer.make(6, 4, format)
            CIContext().render(image, to: target)
            let back = try ImageSource(pixelBuffer: target).derivative(
                Derivative(region: PixelRegion(width: 6, height: 4), width: 6, height: 4, format: .rgb8))
            for (value, expected) in zip(back.bytes(3, 2), [200, 100, 50]) {
                XCTAssertEqual(Int(value), expected, accuracy: 3, PixelFormatLayout.name(of: format))
            }
        }
    }

    func testCreateCGImagePadsWithBlack() throws {
        let image = CIImage(cvPixelBuffer: try TestBuffer.grey(width: 2, height: 2) { _, _ in 255 })
        let padded = try XCTUnwrap(CIContext().createCGImage(image, from: CGRect(x: -1, y: 0, width: 4, height: 3)))
        XCTAssertEqual([padded.width, padded.height], [4, 3])
        XCTAssertEqual(padded.raster.bytes(0, 1)[0], 0)
        XCTAssertEqual(padded.raster.bytes(1, 1)[0], 255)
        XCTAssertEqual(padded.raster.bytes(1, 0)[0], 0)
        XCTAssertNil(CIContext().createCGImage(image, from: .null))
    }

    func testInvalidDataIsNotAnImage() {
        XCTAssertNil(CIImage(data: Data([1, 2, 3])))
        XCTAssertNil(CIImage(contentsOf: URL(fileURLWithPath: "/nonexistent.png")))
    }

    func testRectanglesAndTransformsWithNaNMakeEmptyImages() throws {
        let image = try counting(6, 4)
        let context = CIContext()
        for odd in [CGFloat.nan, .infinity, -.infinity] {
            let rect = CGRect(x: odd, y: 0, width: 4, height: 4)
            XCTAssertThrowsError(try image.cropped(to: rect).rendered())
            XCTAssertNil(context.createCGImage(image, from: rect))
            XCTAssertNil(context.createCGImage(image, from: CGRect(x: 0, y: odd, width: 4, height: 4)))
            let moved = image.transformed(by: CGAffineTransform(translationX: 0, y: odd))
            XCTAssertThrowsError(try moved.cropped(to: CGRect(x: 0, y: 0, width: 4, height: 4)).rendered())
            let target = try TestBuffer.grey(width: 3, height: 3) { _, _ in 9 }
            context.render(moved, to: target)
            context.render(
                image, to: target, bounds: CGRect(x: 0, y: 0, width: odd, height: 3), colorSpace: nil)
        }
    }

    func testAFractionalExtentStaysWithinTheRectangle() throws {
        // 1 + 1023.3 is rounded to a coarser grid than 1023.3 was: the left edge and the width can sum to more than 1.
        let image = try counting(20, 2)
        for step in 1...200 {
            let edge = -1023 - CGFloat(step) / 201
            let stretched = image.transformed(by: CGAffineTransform(a: 60, b: 0, c: 0, d: 600, tx: edge, ty: edge))
            let rect = CGRect(x: -1030, y: -1030, width: 1031, height: 1031)
            let part = try XCTUnwrap(CIContext().createCGImage(stretched, from: rect))
            XCTAssertEqual([part.width, part.height], [1031, 1031])
        }
    }
}
