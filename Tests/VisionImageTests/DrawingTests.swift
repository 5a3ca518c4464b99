import Foundation
import VisionImage
import XCTest

final class DrawingTests: XCTestCase {
    private let bgra = CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue

    private func context(width: Int, height: Int) throws -> CGContext {
        try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: bgra))
    }

    private func image(width: Int, height: Int, _ colour: (Int, Int) -> (UInt8, UInt8, UInt8)) throws -> CGImage {
        var bytes = Data()
        for y in 0..<height {
            for x in 0..<width { bytes.append(contentsOf: [colour(x, y).0, colour(x, y).1, colour(x, y).2]) }
        }
        return try XCTUnwrap(
            CGImage(
                width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 24, bytesPerRow: 3 * width,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: [], provider: XCTUnwrap(CGDataProvider(data: bytes)),
                decode: nil, shouldInterpolate: false, intent: .defaultIntent))
    }

    func testDrawingIntoAPixelBuffer() throws {
        let buffer = try TestBuffer.make(8, 6, kCVPixelFormatType_32BGRA)
        CVPixelBufferLockBaseAddress(buffer, [])
        let context = try XCTUnwrap(
            CGContext(
                data: CVPixelBufferGetBaseAddress(buffer), width: 8, height: 6, bitsPerComponent: 8,
                bytesPerRow: CVPixelBufferGetBytesPerRow(buffer), space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: bgra
            ))
        let source = try image(width: 8, height: 6) { x, y in (UInt8(x), UInt8(y), 7) }
        context.draw(source, in: CGRect(x: 0, y: 0, width: 8, height: 6))
        CVPixelBufferUnlockBaseAddress(buffer, [])
        let raster = try ImageSource(pixelBuffer: buffer).derivative(
            Derivative(region: PixelRegion(width: 8, height: 6), width: 8, height: 6, format: .rgb8))
        for y in 0..<6 { for x in 0..<8 { XCTAssertEqual(raster.bytes(x, y), [UInt8(x), UInt8(y), 7]) } }
    }

    func testRectanglesHaveTheirOriginAtTheLowerLeft() throws {
        let context = try context(width: 10, height: 10)
        context.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 3, height: 2))
        let raster = try XCTUnwrap(context.makeImage()).raster
        XCTAssertEqual(raster.bytes(0, 9), [0, 0, 255, 255])
        XCTAssertEqual(raster.bytes(2, 8), [0, 0, 255, 255])
        XCTAssertEqual(raster.bytes(3, 9), [0, 0, 0, 0])
        XCTAssertEqual(raster.bytes(0, 7), [0, 0, 0, 0])
    }

    func testStrokeDoesNotFillTheInside() throws {
        let context = try context(width: 20, height: 20)
        context.setStrokeColor(gray: 1, alpha: 1)
        context.setLineWidth(2)
        context.stroke(CGRect(x: 5, y: 5, width: 10, height: 10))
        let raster = try XCTUnwrap(context.makeImage()).raster
        XCTAssertEqual(raster.bytes(5, 10)[0], 255)
        XCTAssertEqual(raster.bytes(4, 10)[0], 255)
        XCTAssertEqual(raster.bytes(6, 10)[0], 0)
        XCTAssertEqual(raster.bytes(10, 10)[0], 0)
        XCTAssertEqual(raster.bytes(3, 10)[0], 0)
    }

    func testDashesLeaveGaps() throws {
        let context = try context(width: 20, height: 5)
        context.setStrokeColor(CGColor(gray: 1, alpha: 1))
        context.setLineWidth(1)
        context.setLineDash(phase: 0, lengths: [4, 4])
        context.move(to: CGPoint(x: 0, y: 2.5))
        context.addLine(to: CGPoint(x: 20, y: 2.5))
        context.strokePath()
        let raster = try XCTUnwrap(context.makeImage()).raster
        let row = (0..<20).map { raster.bytes($0, 2)[0] == 255 ? "#" : "." }.joined()
        XCTAssertEqual(row, "####....####....####")
        XCTAssertEqual(raster.bytes(1, 1)[0], 0)
    }

    func testASlantedLineCoversItsEnds() throws {
        let context = try context(width: 10, height: 10)
        context.setStrokeColor(gray: 1, alpha: 1)
        context.strokeLineSegments(between: [CGPoint(x: 0, y: 0), CGPoint(x: 10, y: 10)])
        let raster = try XCTUnwrap(context.makeImage()).raster
        // Of a pixel on the diagonal, a line of one pixel covers all but two corners.
        for i in 1..<9 { XCTAssertEqual(Double(raster.bytes(i, 9 - i)[0]), 255 * 0.914, accuracy: 3) }
        XCTAssertGreaterThan(raster.bytes(0, 9)[0], 100)
        XCTAssertGreaterThan(raster.bytes(9, 0)[0], 100)
        XCTAssertEqual(raster.bytes(0, 0)[0], 0)
    }

    func testTranslucentFillBlends() throws {
        let context = try context(width: 4, height: 4)
        context.setFillColor(gray: 1, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        context.setFillColor(red: 0, green: 0, blue: 0, alpha: 0.25)
        context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        XCTAssertEqual(try XCTUnwrap(context.makeImage()).raster.bytes(1, 1)[0], 191)
    }

    /// Compares pixels of every alpha over a grey background, at several opacities, with the formula.
    func testImagesWithAlphaBlend() throws {
        let (width, height) = (37, 3)
        let layouts: [UInt32] = [
            CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue,
            CGImageAlphaInfo.premultipliedLast.rawValue,
            CGImageAlphaInfo.premultipliedFirst.rawValue,
        ]
        let redIn = [2, 0, 1]
        for (layout, red) in zip(layouts, redIn) {
            for alphaInfo in [CGImageAlphaInfo.last, .premultipliedLast, .noneSkipLast] {
                for opacity in [1, 0.3] {
                    let context = try XCTUnwrap(
                        CGContext(
                            data: nil, width: width + 2, height: height + 2, bitsPerComponent: 8, bytesPerRow: 0,
                            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: layout))
                    context.setFillColor(gray: 100.0 / 255, alpha: 1)
                    context.fill(CGRect(x: 0, y: 0, width: width + 2, height: height + 2))
                    context.setAlpha(opacity)
                    var bytes = Data()
                    func alpha(_ x: Int) -> Int { x * 255 / (width - 1) }
                    for _ in 0..<height {
                        for x in 0..<width {
                            let most = alphaInfo == .premultipliedLast ? alpha(x) : 200
                            bytes.append(contentsOf: [UInt8(most), UInt8(most / 2), 0, UInt8(alpha(x))])
                        }
                    }
                    let source = try XCTUnwrap(
                        CGImage(
                            width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4 * width,
                            space: CGColorSpaceCreateDeviceRGB(),
                            bitmapInfo: CGBitmapInfo(rawValue: alphaInfo.rawValue),
                            provider: XCTUnwrap(CGDataProvider(data: bytes)), decode: nil, shouldInterpolate: false,
                            intent: .defaultIntent))
                    context.draw(source, in: CGRect(x: 1, y: 1, width: width, height: height))
                    let raster = try XCTUnwrap(context.makeImage()).raster
                    for x in 0..<width {
                        let coverage = alphaInfo == .noneSkipLast ? 1 : Double(alpha(x)) / 255
                        let source = alphaInfo == .premultipliedLast ? Double(alpha(x)) : 200 * coverage
                        let wanted = source * opacity + 100 * (1 - coverage * opacity)
                        XCTAssertEqual(Double(raster.bytes(x + 1, 2)[red]), wanted, accuracy: 0.53)
                    }
                    XCTAssertEqual(raster.bytes(0, 2)[red], 100)
                    XCTAssertEqual(raster.bytes(width + 1, 2)[red], 100)
                    XCTAssertEqual(raster.bytes(1, 0)[red], 100)
                }
            }
        }
    }

    func testAnOpacityOfNaNDrawsNothing() throws {
        let context = try context(width: 4, height: 4)
        context.setAlpha(.nan)
        context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        context.draw(try image(width: 4, height: 4) { _, _ in (9, 9, 9) }, in: CGRect(x: 0, y: 0, width: 4, height: 4))
        XCTAssertEqual(try XCTUnwrap(context.makeImage()).raster.bytes(1, 1), [0, 0, 0, 0])
    }

    func testTransformMirrorsAnImage() throws {
        let context = try context(width: 4, height: 2)
        context.translateBy(x: 4, y: 0)
        context.scaleBy(x: -1, y: 1)
        context.draw(
            try image(width: 4, height: 2) { x, _ in (UInt8(x * 50), 0, 0) },
            in: CGRect(x: 0, y: 0, width: 4, height: 2))
        let raster = try XCTUnwrap(context.makeImage()).raster
        XCTAssertEqual((0..<4).map { raster.bytes($0, 0)[2] }, [150, 100, 50, 0])
    }

    func testImageOutsideTheContextIsClipped() throws {
        let context = try context(width: 4, height: 4)
        let white = try image(width: 2, height: 2) { _, _ in (255, 255, 255) }
        context.draw(white, in: CGRect(x: 100, y: 100, width: 5, height: 5))
        context.draw(white, in: CGRect(x: -2, y: -2, width: 4, height: 4))
        let raster = try XCTUnwrap(context.makeImage()).raster
        XCTAssertEqual(raster.bytes(0, 3)[0], 255)
        XCTAssertEqual(raster.bytes(2, 3)[0], 0)
        XCTAssertEqual(raster.bytes(0, 0)[0], 0)
    }

    func testUnknownLayoutsThrow() {
        XCTAssertNil(
            CGContext(
                data: nil, width: 4, height: 4, bitsPerComponent: 16, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: bgra))
        XCTAssertNil(
            CGContext(
                data: nil, width: 0, height: 4, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: bgra))
    }

    func testCroppingSharesPixelsAndClipsToTheImage() throws {
        let source = try image(width: 8, height: 8) { x, y in (UInt8(x), UInt8(y), 0) }
        let part = try XCTUnwrap(source.cropping(to: CGRect(x: 5, y: 6, width: 10, height: 10)))
        XCTAssertEqual([part.width, part.height], [3, 2])
        XCTAssertEqual(part.raster.bytes(0, 0), [5, 6, 0])
        XCTAssertEqual(part.dataProvider?.data?.first, 5)
        XCTAssertNil(source.cropping(to: CGRect(x: 8, y: 0, width: 2, height: 2)))
        XCTAssertNil(source.cropping(to: .null))
    }

    func testTooFewBytesMakeNoImage() throws {
        let provider = try XCTUnwrap(CGDataProvider(data: Data(count: 10)))
        XCTAssertNil(
            CGImage(
                width: 4, height: 4, bitsPerComponent: 8, bitsPerPixel: 8, bytesPerRow: 4,
                space: CGColorSpaceCreateDeviceGray(), bitmapInfo: [], provider: provider, decode: nil,
                shouldInterpolate: false, intent: .defaultIntent))
    }

    func testDrawingWithNaNDrawsNothing() throws {
        let context = try context(width: 6, height: 6)
        let source = try image(width: 2, height: 2) { _, _ in (255, 255, 255) }
        context.setFillColor(gray: 1, alpha: 1)
        context.setStrokeColor(gray: 1, alpha: 1)
        for odd in [CGFloat.nan, .infinity, -.infinity] {
            for rect in [
                CGRect(x: odd, y: 1, width: 2, height: 2), CGRect(x: 1, y: 1, width: CGFloat.nan, height: odd),
            ] {
                context.fill(rect)
                context.clear(rect)
                context.stroke(rect)
                context.draw(source, in: rect)
                context.addRect(rect)
                context.strokePath()
            }
            context.saveGState()
            context.concatenate(CGAffineTransform(translationX: odd, y: odd))
            context.fill(CGRect(x: 0, y: 0, width: 6, height: 6))
            context.draw(source, in: CGRect(x: 0, y: 0, width: 6, height: 6))
            context.restoreGState()
        }
        let raster = try XCTUnwrap(context.makeImage()).raster
        for y in 0..<6 { for x in 0..<6 { XCTAssertEqual(raster.bytes(x, y), [0, 0, 0, 0]) } }
    }

    func testDashingTerminatesForAnyPhaseAndLine() throws {
        let context = try context(width: 20, height: 5)
        context.setStrokeColor(gray: 1, alpha: 1)
        for phase in [1e300, -1e300, 2.5] as [CGFloat] {
            context.setLineDash(phase: phase, lengths: [3, 4])
            context.strokeLineSegments(between: [CGPoint(x: 0, y: 0.5), CGPoint(x: 20, y: 0.5)])
        }
        // The dashes of a line from far away are clipped to the context, in phase with the line's start.
        context.setLineDash(phase: 0, lengths: [4, 4])
        context.strokeLineSegments(between: [CGPoint(x: -8_000_000_000, y: 2.5), CGPoint(x: 20, y: 2.5)])
        let raster = try XCTUnwrap(context.makeImage()).raster
        let row = (0..<20).map { raster.bytes($0, 2)[0] == 255 ? "#" : "." }.joined()
        XCTAssertEqual(row, "####....####....####")
    }
}
