import Accelerate
import CoreGraphics
import XCTest

/// Components of pixels, conversions between layouts, and buffers whose type has their format.
final class PixelBufferFormatTests: XCTestCase {
    private typealias Bytes = vImage.PixelBuffer<vImage.Interleaved8x4>

    private func withBuffer<Number: BitwiseCopyable>(
        _ numbers: inout [Number], _ width: Int, bytes: Int, _ body: (inout vImage_Buffer) -> Void
    ) {
        let height = numbers.count * MemoryLayout<Number>.size / (width * bytes)
        numbers.withUnsafeMutableBytes { memory in
            var buffer = vImage_Buffer(
                data: memory.baseAddress, height: vImagePixelCount(height), width: vImagePixelCount(width),
                rowBytes: width * bytes)
            body(&buffer)
        }
    }

    func testHalvesAndSingleComponents() {
        var floats: [Float] = [0, -1.5, 65504, 1e9]
        var halves = [Float16](repeating: 0, count: 4)
        withBuffer(&floats, 2, bytes: 4) { from in
            withBuffer(&halves, 2, bytes: 2) { to in
                XCTAssertEqual(vImageConvert_PlanarFtoPlanar16F(&from, &to, 0), kvImageNoError)
                XCTAssertEqual(vImageConvert_Planar16FtoPlanarF(&to, &from, 0), kvImageNoError)
            }
        }
        XCTAssertEqual(halves, [0, -1.5, 65504, .infinity])
        XCTAssertEqual(floats, [0, -1.5, 65504, .infinity])
        var pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        var plane: [UInt8] = [0, 0]
        withBuffer(&pixels, 2, bytes: 4) { from in
            withBuffer(&plane, 2, bytes: 1) { to in
                XCTAssertEqual(vImageExtractChannel_ARGB8888(&from, &to, 2, 0), kvImageNoError)
                XCTAssertEqual(vImageExtractChannel_ARGB8888(&from, &to, 4, 0), kvImageInvalidParameter)
                // The first and the last component.
                XCTAssertEqual(vImageOverwriteChannels_ARGB8888(&to, &from, &from, 0b1001, 0), kvImageNoError)
                XCTAssertEqual(vImageOverwriteChannelsWithScalar_ARGB8888(99, &from, &from, 0b0100, 0), kvImageNoError)
            }
        }
        XCTAssertEqual(plane, [3, 7])
        XCTAssertEqual(pixels, [3, 99, 3, 3, 7, 99, 7, 7])
    }

    func testBlendsDrawOver() {
        var (top, bottom): ([UInt8], [UInt8]) = ([10, 20, 30, 51, 9, 9, 9, 255], [100, 100, 100, 255, 1, 2, 3, 4])
        withBuffer(&top, 2, bytes: 4) { top in
            withBuffer(&bottom, 2, bytes: 4) { bottom in
                XCTAssertEqual(vImagePremultipliedAlphaBlend_BGRA8888(&top, &bottom, &bottom, 0), kvImageNoError)
            }
        }
        XCTAssertEqual(bottom, [90, 100, 110, 255, 9, 9, 9, 255])
    }

    func testFloatsAreScaledByTriangles() {
        var (source, smaller): ([Float], [Float]) = ([0, 4, 8, 12, 0, 4, 8, 12], [0, 0])
        var larger = [Float](repeating: 0, count: 8)
        withBuffer(&source, 4, bytes: 4) { from in
            withBuffer(&smaller, 2, bytes: 4) { to in
                XCTAssertEqual(vImageScale_PlanarF(&from, &to, nil, 0), kvImageNoError)
                withBuffer(&larger, 4, bytes: 4) { same in
                    XCTAssertEqual(vImageScale_PlanarF(&from, &same, nil, 0), kvImageNoError)
                }
            }
        }
        XCTAssertEqual(larger, source)
        // Weights of 3, 3 and 1 of the nearest pixels within the image.
        XCTAssertEqual(smaller[0], (3 * 0 + 3 * 4 + 8) / 7, accuracy: 1e-5)
        XCTAssertEqual(smaller[1], (4 + 3 * 8 + 3 * 12) / 7, accuracy: 1e-5)
    }

    private func format(_ bits: UInt32, _ alpha: CGImageAlphaInfo) throws -> vImage_CGImageFormat {
        try XCTUnwrap(
            vImage_CGImageFormat(
                bitsPerComponent: 8, bitsPerPixel: Int(bits), colorSpace: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue)))
    }

    func testConvertersChangeTheLayout() throws {
        var (from, to) = (try format(32, .last), try format(32, .premultipliedFirst))
        var error = kvImageInvalidParameter
        let converter = vImageConverter_CreateWithCGImageFormat(&from, &to, nil, 0, &error)
        XCTAssertEqual(error, kvImageNoError)
        let made = try XCTUnwrap(converter).takeRetainedValue()
        var (pixels, result): ([UInt8], [UInt8]) = ([200, 100, 50, 51], [0, 0, 0, 0])
        withBuffer(&pixels, 1, bytes: 4) { source in
            withBuffer(&result, 1, bytes: 4) { target in
                XCTAssertEqual(vImageConvert_AnyToAny(made, &source, &target, nil, 0), kvImageNoError)
                var short = vImage_Buffer(data: target.data, height: 1, width: 1, rowBytes: 3)
                XCTAssertEqual(vImageConvert_AnyToAny(made, &source, &short, nil, 0), kvImageInvalidParameter)
            }
        }
        XCTAssertEqual(result, [51, 40, 20, 10])
        from.bitsPerPixel = 40
        XCTAssertNil(vImageConverter_CreateWithCGImageFormat(&from, &to, nil, 0, &error))
        XCTAssertEqual(error, kvImageInvalidImageFormat)
    }

    func testBuffersOfImagesBecomePlanesOfFloatsAndImages() throws {
        let bytes = Data([0, 51, 255, 255, 102, 153, 204, 255])
        let image = try XCTUnwrap(
            CGImage(
                width: 2, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 8,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue),
                provider: XCTUnwrap(CGDataProvider(data: bytes)), decode: nil, shouldInterpolate: false,
                intent: .defaultIntent))
        var empty = vImage_CGImageFormat()
        let whole = try Bytes(cgImage: image, cgImageFormat: &empty)
        XCTAssertEqual(empty.bitsPerPixel, 32)
        XCTAssertEqual(whole.array, Array(bytes))
        let colours = vImage.PixelBuffer<vImage.Interleaved8x3>(width: 2, height: 1)
        whole.convert(to: colours, channelOrdering: .RGBA)
        XCTAssertEqual(colours.array, [0, 51, 255, 102, 153, 204])
        let planes = vImage.PixelBuffer<vImage.Planar8x3>(interleavedBuffer: colours)
        XCTAssertEqual([planes.width, planes.height, planes.channelCount], [2, 1, 3])
        let floats = (0..<3).map { index in
            planes.withUnsafePixelBuffer(at: index) { plane in
                let floats = vImage.PixelBuffer<vImage.PlanarF>(width: 2, height: 1)
                plane.convert(to: floats)
                floats.multiply(by: 2, preBias: -0.5, postBias: 0.25, destination: floats)
                return floats
            }
        }
        XCTAssertEqual(floats[0].array[1], 2 * (0.4 - 0.5) + 0.25, accuracy: 1e-6)
        let joined = vImage.PixelBuffer<vImage.InterleavedFx3>(planarBuffers: floats)
        joined.convert(to: colours)
        // -0.75 and 1.25 are limited.
        XCTAssertEqual(colours.array, [0, 0, 255, 13, 115, 217])
        let made = try XCTUnwrap(colours.makeCGImage(cgImageFormat: format(24, .none)))
        XCTAssertEqual([made.width, made.bitsPerPixel], [2, 24])
        XCTAssertNil(try colours.makeCGImage(cgImageFormat: format(32, .last)))
        var wrong = try format(24, .none)
        XCTAssertThrowsError(try Bytes(cgImage: image, cgImageFormat: &wrong))
    }
}
