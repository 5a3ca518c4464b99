import Foundation
import XCTest

@testable import VisionImage

final class CodingRoundTripTests: XCTestCase {
    private let formats: [Raster.Format] = [.grey8, .rgb8, .bgra8, .rgba8]

    func testPNGIsLossless() throws {
        for format in formats {
            let raster = try TestImage.raster(width: 37, height: 23, format: format)
            let image = try EncodedImage(data: raster.encodedPNG())
            XCTAssertEqual(image.format, .png)
            XCTAssertEqual([image.width, image.height, image.bitsPerChannel], [37, 23, 8])
            XCTAssertEqual(image.orientation, 1)
            XCTAssertEqual(image.hasAlpha, format == .bgra8 || format == .rgba8)
            XCTAssertEqual(try image.decode(to: format).bytes, raster.bytes, "\(format)")
        }
    }

    func testJPEGIsCloseToTheOriginal() throws {
        for format in formats {
            let raster = try TestImage.raster(width: 75, height: 50, format: format)
            let image = try EncodedImage(data: raster.encodedJPEG(quality: 0.95))
            XCTAssertEqual(image.format, .jpeg)
            XCTAssertEqual([image.width, image.height, image.channelCount], [75, 50, format == .grey8 ? 1 : 3])
            let decoded = try image.decode(to: format == .grey8 ? .grey8 : .rgb8)
            let original = try TestImage.raster(width: 75, height: 50, format: format == .grey8 ? .grey8 : .rgb8)
            for (row, expected) in zip(decoded.bytes, original.bytes) { assertClose(row, expected, tolerance: 8) }
        }
    }

    func testQualityAffectsTheSizeAndIsValidated() throws {
        let raster = try TestImage.raster(width: 200, height: 200, format: .rgb8)
        XCTAssertLessThan(try raster.encodedJPEG(quality: 0.2).count, try raster.encodedJPEG(quality: 1).count)
        for quality in [-0.1, 1.1, .nan] {
            XCTAssertThrowsError(try raster.encodedJPEG(quality: quality))
        }
    }

    func testCroppedRastersAreEncoded() throws {
        let whole = try TestImage.raster(width: 40, height: 30, format: .bgra8)
        let part = whole.cropped(x: 7, y: 5, width: 11, height: 9)
        XCTAssertEqual(try EncodedImage(data: part.encodedPNG()).decode(to: .bgra8).bytes, part.bytes)
    }

    func testFloatRastersAreNotEncoded() throws {
        let raster = try Raster(width: 2, height: 2, format: .greyFloat) { pixels, rowBytes in
            memset(pixels, 0, 2 * rowBytes)
        }
        XCTAssertThrowsError(try raster.encodedPNG())
        XCTAssertThrowsError(try raster.encodedJPEG())
    }

    func testJPEGIsReducedButNeverBelowTheMinimumSize() throws {
        let data = try TestImage.raster(width: 203, height: 121, format: .rgb8).encodedJPEG()
        let image = try EncodedImage(data: data)
        for (asked, expected) in [
            ((1, 1), (26, 16)), ((26, 16), (26, 16)), ((27, 1), (51, 31)), ((1, 32), (102, 61)),
            ((102, 61), (102, 61)), ((103, 1), (203, 121)), ((5000, 1), (203, 121)),
        ] {
            let raster = try image.decode(to: .rgb8, minimumWidth: asked.0, minimumHeight: asked.1)
            XCTAssertEqual([raster.width, raster.height], [expected.0, expected.1], "\(asked)")
            for (x, y) in [(raster.width / 5, raster.height / 5), (raster.width * 4 / 5, raster.height * 2 / 3)] {
                let (w, h) = (raster.width, raster.height)
                assertClose(raster.pixel(x, y), Array(TestImage.colour(x, y, w, h).prefix(3)), tolerance: 12)
            }
        }
        let narrow = try image.decode(to: .grey8, minimumWidth: 60)
        XCTAssertEqual([narrow.width, narrow.height], [102, 61])
        let low = try image.decode(to: .bgra8, minimumHeight: 30)
        XCTAssertEqual([low.width, low.height], [51, 31])
    }

    func testWebPIsReduced() throws {
        let image = try EncodedImage(data: Fixture.webpLossy)
        for format in formats {
            let raster = try image.decode(to: format, minimumWidth: 5, minimumHeight: 5)
            XCTAssertEqual([raster.width, raster.height], [8, 8])
        }
        assertClose(try image.decode(to: .rgb8, minimumWidth: 8).pixel(1, 1), [255, 0, 0], tolerance: 4)
    }

    func testConcurrentDecoding() async throws {
        let images = try Fixture.all.map { try EncodedImage(data: $0.data) }
        let expected = try images.map { try $0.decode(to: .rgba8).bytes }
        try await withThrowingTaskGroup(of: [[[UInt8]]].self) { group in
            for _ in 0..<8 { group.addTask { try images.map { try $0.decode(to: .rgba8).bytes } } }
            for try await bytes in group { XCTAssertEqual(bytes, expected) }
        }
    }
}
