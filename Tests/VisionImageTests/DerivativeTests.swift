import Foundation
import VisionImage
import XCTest

final class DerivativeTests: XCTestCase {
    private func grey(_ source: ImageSource, _ width: Int, _ height: Int) throws -> Raster {
        let size = try source.uprightSize()
        return try source.derivative(
            Derivative(
                region: PixelRegion(width: size.width, height: size.height), width: width, height: height,
                format: .grey8))
    }

    func testEqualDerivativesAreMadeOnce() throws {
        let source = ImageSource(pixelBuffer: try TestBuffer.buffer(width: 64, height: 48))
        let first = try source.fullSizeGrey()
        let made = source.statistics.misses
        let second = try source.fullSizeGrey()
        XCTAssertTrue(first.memory === second.memory)
        XCTAssertEqual(source.statistics.misses, made)
        XCTAssertEqual(source.statistics.hits, 1)
        XCTAssertGreaterThan(source.statistics.bytes, 0)
    }

    func testColourAndGreyShareTheResampling() throws {
        let source = ImageSource(pixelBuffer: try TestBuffer.buffer(width: 64, height: 48))
        _ = try grey(source, 16, 12)
        let made = source.statistics.misses
        _ = try source.derivative(
            Derivative(region: PixelRegion(width: 64, height: 48), width: 16, height: 12, format: .rgb8))
        XCTAssertEqual(source.statistics.misses, made + 1, "only the conversion is new")
    }

    func testResultDoesNotDependOnWhatIsCached() throws {
        let buffer = try TestBuffer.buffer(width: 61, height: 47)
        let fresh = try grey(ImageSource(pixelBuffer: buffer), 20, 15)
        let used = ImageSource(pixelBuffer: buffer)
        _ = try used.fullSizeGrey()
        let later = try grey(used, 20, 15)
        for y in 0..<15 { for x in 0..<20 { XCTAssertEqual(fresh.bytes(x, y), later.bytes(x, y)) } }
    }

    func testConcurrentThreadsMakeItOnce() throws {
        let source = ImageSource(pixelBuffer: try TestBuffer.buffer(width: 640, height: 480))
        DispatchQueue.concurrentPerform(iterations: 16) { _ in _ = try? source.fullSizeGrey() }
        XCTAssertEqual(source.statistics.misses, 1)
        XCTAssertEqual(source.statistics.hits, 15)
    }

    func testCacheIsBoundedInBytes() throws {
        let source = ImageSource(pixelBuffer: try TestBuffer.buffer(width: 128, height: 128), byteLimit: 100_000)
        for size in 20..<120 { _ = try grey(source, size, size) }
        XCTAssertLessThanOrEqual(source.statistics.bytes, 100_000)
    }

    func testUprightGreyBufferIsNotCopied() throws {
        let buffer = try TestBuffer.grey(width: 32, height: 16) { x, y in UInt8(x * y & 255) }
        let raster = try ImageSource(pixelBuffer: buffer).fullSizeGrey()
        XCTAssertEqual(raster.withUnsafePixels { $0 }, CVPixelBufferGetBaseAddress(buffer).map { UnsafeRawPointer($0) })
    }

    func testOrientationAppliesToPixelsAndSize() throws {
        // A 4 × 3 image whose values count along the rows.
        let buffer = try TestBuffer.grey(width: 4, height: 3) { x, y in UInt8(10 * y + x) }
        let expected: [(CGImagePropertyOrientation, [UInt8])] = [
            (.up, [0, 1, 2, 3]), (.upMirrored, [3, 2, 1, 0]), (.down, [23, 22, 21, 20]),
            (.downMirrored, [20, 21, 22, 23]), (.leftMirrored, [0, 10, 20]), (.right, [20, 10, 0]),
            (.rightMirrored, [23, 13, 3]), (.left, [3, 13, 23]),
        ]
        for (orientation, firstRow) in expected {
            let source = ImageSource(pixelBuffer: buffer, orientation: orientation)
            let raster = try source.fullSizeGrey()
            XCTAssertEqual(try source.uprightSize().width, firstRow.count)
            XCTAssertEqual((0..<raster.width).map { raster.bytes($0, 0)[0] }, firstRow, "\(orientation)")
        }
    }

    func testRegionRefersToTheUprightImage() throws {
        let buffer = try TestBuffer.grey(width: 8, height: 6) { x, y in UInt8(10 * y + x) }
        let source = ImageSource(pixelBuffer: buffer, orientation: .right)
        let part = try source.derivative(
            Derivative(
                region: PixelRegion(x: 1, y: 2, width: 3, height: 2), width: 3, height: 2, format: .grey8))
        let whole = try source.fullSizeGrey()
        for y in 0..<2 { for x in 0..<3 { XCTAssertEqual(part.bytes(x, y), whole.bytes(x + 1, y + 2)) } }
    }

    func testLetterboxKeepsAspectAndPadsWithBlack() throws {
        let buffer = try TestBuffer.grey(width: 40, height: 20) { _, _ in 200 }
        let boxed = try ImageSource(pixelBuffer: buffer).derivative(
            Derivative(region: PixelRegion(width: 40, height: 20), width: 20, height: 20, format: .grey8, fit: .fit))
        XCTAssertEqual(boxed.bytes(10, 2), [0])
        XCTAssertEqual(boxed.bytes(10, 10), [200])
        XCTAssertEqual(boxed.bytes(10, 17), [0])
    }

    func testCenterCropCropsTheLongSide() throws {
        let buffer = try TestBuffer.grey(width: 40, height: 20) { x, _ in x < 10 || x >= 30 ? 0 : 200 }
        let square = try ImageSource(pixelBuffer: buffer).derivative(
            Derivative(
                region: PixelRegion(width: 40, height: 20), width: 20, height: 20, format: .grey8, fit: .centerCrop))
        for x in 0..<20 { XCTAssertEqual(square.bytes(x, 10), [200]) }
    }

    func testFloatsHaveScaleAndBias() throws {
        let buffer = try TestBuffer.buffer(width: 4, height: 4) { _, _ in (r: 255, g: 51, b: 0) }
        let floats = try ImageSource(pixelBuffer: buffer).derivative(
            Derivative(
                region: PixelRegion(width: 4, height: 4), width: 4, height: 4, format: .planarRGBFloat,
                scale: SIMD3(1 / 255, 1 / 51, 1), bias: SIMD3(0, 1, -3)))
        XCTAssertEqual(floats.value(1, 2, plane: 0), 1, accuracy: 1e-6)
        XCTAssertEqual(floats.value(1, 2, plane: 1), 2, accuracy: 1e-6)
        XCTAssertEqual(floats.value(1, 2, plane: 2), -3, accuracy: 1e-6)
    }

    func testRegionsAndSizesOutOfRangeThrow() throws {
        let source = ImageSource(pixelBuffer: try TestBuffer.buffer(width: 8, height: 8))
        let regions = [
            PixelRegion(x: -1, y: 0, width: 4, height: 4), PixelRegion(x: 5, y: 0, width: 4, height: 4),
            PixelRegion(x: 0, y: 0, width: 0, height: 4), PixelRegion(x: .nan, y: 0, width: 4, height: 4),
        ]
        for region in regions {
            XCTAssertThrowsError(
                try source.derivative(Derivative(region: region, width: 4, height: 4, format: .grey8)))
        }
        XCTAssertThrowsError(
            try source.derivative(
                Derivative(region: PixelRegion(width: 8, height: 8), width: 1 << 20, height: 1 << 20, format: .grey8)))
    }

    func testAMissingFileThrows() {
        let source = ImageSource(url: URL(fileURLWithPath: "/nonexistent/image.jpg"))
        XCTAssertThrowsError(try source.uprightSize()) { error in
            guard case .io = error as? ImageError else { return XCTFail("\(error)") }
        }
    }
}
