import Accelerate
import CoreGraphics
import CoreServices
import XCTest

/// vImage's conversions of images, rotations and reflections, and BLAS.
final class ImageBufferTests: XCTestCase {
    private func image(_ width: Int, _ height: Int, _ alpha: CGImageAlphaInfo, _ bytes: [UInt8]) throws -> CGImage {
        try XCTUnwrap(
            CGImage(
                width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue),
                provider: XCTUnwrap(CGDataProvider(data: Data(bytes))), decode: nil, shouldInterpolate: false,
                intent: .defaultIntent))
    }

    private func bytes(_ buffer: vImage_Buffer, _ size: Int) -> [UInt8] {
        (0..<Int(buffer.height)).flatMap { row in
            (0..<Int(buffer.width) * size).map {
                buffer.data.load(fromByteOffset: row * buffer.rowBytes + $0, as: UInt8.self)
            }
        }
    }

    func testOddParametersAreErrorsOrBlack() throws {
        let image = try image(1, 1, .last, [200, 100, 50, 0])
        var format = try XCTUnwrap(
            vImage_CGImageFormat(
                bitsPerComponent: 8, bitsPerPixel: 32, colorSpace: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue)))
        var buffer = vImage_Buffer()
        XCTAssertEqual(
            vImageBuffer_InitWithCGImage(&buffer, &format, [.nan, .infinity, 0.2], image, 0), kvImageNoError)
        defer { buffer.free() }
        XCTAssertEqual(bytes(buffer, 4), [0, 255, 51, 255])
        var endless = vImage_Buffer(data: buffer.data, height: 1, width: .max, rowBytes: 4)
        XCTAssertNotEqual(vImageConvert_RGB888toARGB8888(&buffer, nil, 255, &endless, false, 0), kvImageNoError)
    }

    func testImagesBecomeBuffersInTheLayoutThatIsAsked() throws {
        let image = try image(2, 1, .last, [200, 100, 50, 255, 200, 100, 50, 51])
        let little = CGBitmapInfo.byteOrder32Little.rawValue
        let cases: [(Int, UInt32, [UInt8])] = [
            (32, CGImageAlphaInfo.last.rawValue, [200, 100, 50, 255, 200, 100, 50, 51]),
            (32, CGImageAlphaInfo.first.rawValue, [255, 200, 100, 50, 51, 200, 100, 50]),
            (32, CGImageAlphaInfo.premultipliedFirst.rawValue | little, [50, 100, 200, 255, 10, 20, 40, 51]),
            (32, CGImageAlphaInfo.noneSkipLast.rawValue, [200, 100, 50, 255, 40, 20, 10, 255]),
            (24, CGImageAlphaInfo.none.rawValue, [200, 100, 50, 40, 20, 10]),
        ]
        for (bits, info, expected) in cases {
            var format = try XCTUnwrap(
                vImage_CGImageFormat(
                    bitsPerComponent: 8, bitsPerPixel: bits, colorSpace: CGColorSpaceCreateDeviceRGB(),
                    bitmapInfo: CGBitmapInfo(rawValue: info)))
            var buffer = vImage_Buffer()
            XCTAssertEqual(vImageBuffer_InitWithCGImage(&buffer, &format, nil, image, 0), kvImageNoError)
            defer { buffer.free() }
            XCTAssertEqual(bytes(buffer, bits / 8), expected, "\(bits) \(info)")
            var error = kvImageNoError
            let copy = vImageCreateCGImageFromBuffer(&buffer, &format, nil, nil, 0, &error)?.takeRetainedValue()
            XCTAssertEqual(error, kvImageNoError)
            let again = try vImage_Buffer(cgImage: XCTUnwrap(copy), format: format)
            defer { again.free() }
            XCTAssertEqual(bytes(again, bits / 8), expected, "\(bits) \(info)")
        }
        let own = try vImage_Buffer(cgImage: image)
        defer { own.free() }
        XCTAssertEqual(bytes(own, 4), [200, 100, 50, 255, 200, 100, 50, 51])
        let grey = try XCTUnwrap(
            vImage_CGImageFormat(
                bitsPerComponent: 8, bitsPerPixel: 8, colorSpace: CGColorSpaceCreateDeviceGray(), bitmapInfo: []))
        let planar = try vImage_Buffer(cgImage: image, format: grey)
        defer { planar.free() }
        XCTAssertEqual(bytes(planar, 1), [124, 25])
        XCTAssertEqual(try planar.createCGImage(format: grey).bitsPerPixel, 8)
    }

    func testLayoutsThatAreNotSupportedAreErrors() throws {
        let image = try image(1, 1, .last, [1, 2, 3, 4])
        XCTAssertNil(
            vImage_CGImageFormat(
                bitsPerComponent: 16, bitsPerPixel: 64, colorSpace: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue)))
        var format = vImage_CGImageFormat(
            bitsPerComponent: 16, bitsPerPixel: 64, colorSpace: nil, bitmapInfo: [])
        var buffer = vImage_Buffer()
        XCTAssertEqual(vImageBuffer_InitWithCGImage(&buffer, &format, nil, image, 0), kvImageInvalidImageFormat)
        var error = kvImageNoError
        XCTAssertNil(vImageCreateCGImageFromBuffer(&buffer, &format, nil, nil, 0, &error))
        XCTAssertEqual(error, kvImageInvalidImageFormat)
        format = try XCTUnwrap(vImage_CGImageFormat(cgImage: image))
        XCTAssertNil(vImageCreateCGImageFromBuffer(&buffer, &format, nil, nil, 0, &error))
        XCTAssertEqual(error, kvImageNullPointerArgument)
        XCTAssertThrowsError(try vImage_Buffer(width: -1, height: 3, bitsPerPixel: 32)) {
            XCTAssertEqual($0 as? vImage.Error, .invalidParameter)
        }
    }

    func testQuarterTurnsAndReflections() throws {
        var source = try vImage_Buffer(width: 3, height: 2, bitsPerPixel: 8)
        var turned = try vImage_Buffer(width: 2, height: 3, bitsPerPixel: 8)
        var same = try vImage_Buffer(width: 3, height: 2, bitsPerPixel: 8)
        defer { for buffer in [source, turned, same] { buffer.free() } }
        for index in 0..<6 {
            source.data.storeBytes(
                of: UInt8(index), toByteOffset: index / 3 * source.rowBytes + index % 3, as: UInt8.self)
        }
        // 0 1 2
        // 3 4 5
        vImageRotate90_Planar8(&source, &turned, UInt8(kRotate90DegreesCounterClockwise), 9, 0)
        XCTAssertEqual(bytes(turned, 1), [2, 5, 1, 4, 0, 3])
        vImageRotate90_Planar8(&source, &turned, UInt8(kRotate90DegreesClockwise), 9, 0)
        XCTAssertEqual(bytes(turned, 1), [3, 0, 4, 1, 5, 2])
        vImageRotate90_Planar8(&source, &same, UInt8(kRotate180DegreesClockwise), 9, 0)
        XCTAssertEqual(bytes(same, 1), [5, 4, 3, 2, 1, 0])
        vImageHorizontalReflect_Planar8(&source, &same, 0)
        XCTAssertEqual(bytes(same, 1), [2, 1, 0, 5, 4, 3])
        vImageVerticalReflect_Planar8(&source, &same, 0)
        XCTAssertEqual(bytes(same, 1), [3, 4, 5, 0, 1, 2])
        XCTAssertEqual(vImageVerticalReflect_Planar8(&source, &turned, 0), kvImageBufferSizeMismatch)
        XCTAssertEqual(vImageRotate90_Planar8(&source, &turned, 4, 0, 0), kvImageInvalidParameter)
    }

    func testARotationByAnAngleTurnsCounterClockwise() throws {
        var source = try vImage_Buffer(width: 9, height: 9, bitsPerPixel: 32)
        var turned = try vImage_Buffer(width: 9, height: 9, bitsPerPixel: 32)
        defer { for buffer in [source, turned] { buffer.free() } }
        vImageBufferFill_ARGB8888(&source, [255, 0, 0, 0], 0)
        // To the right of the centre.
        for byte in 0..<4 {
            source.data.storeBytes(of: 255, toByteOffset: 4 * source.rowBytes + 28 + byte, as: UInt8.self)
        }
        vImageRotate_ARGB8888(&source, &turned, nil, .pi / 2, [255, 7, 7, 7], 0)
        // Above it.
        XCTAssertEqual(turned.data.load(fromByteOffset: 1 * turned.rowBytes + 17, as: UInt8.self), 255)
        XCTAssertEqual(turned.data.load(fromByteOffset: 4 * turned.rowBytes + 29, as: UInt8.self), 0)
        XCTAssertEqual(
            vImageRotate_ARGB8888(&source, &turned, nil, .nan, [0, 0, 0, 0], 0), kvImageInvalidParameter)
    }

    func testChannelsAreAddedAndMultiplied() throws {
        var rgb = try vImage_Buffer(width: 1, height: 1, bitsPerPixel: 24)
        var alpha = try vImage_Buffer(width: 1, height: 1, bitsPerPixel: 8)
        var four = try vImage_Buffer(width: 1, height: 1, bitsPerPixel: 32)
        defer { for buffer in [rgb, alpha, four] { buffer.free() } }
        for (index, value) in [UInt8(200), 100, 50].enumerated() {
            rgb.data.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
        }
        alpha.data.storeBytes(of: 51, as: UInt8.self)
        vImageConvert_RGB888toBGRA8888(&rgb, &alpha, 0, &four, true, 0)
        XCTAssertEqual(bytes(four, 4), [10, 20, 40, 51])
        vImageConvert_RGB888toRGBA8888(&rgb, nil, 51, &four, false, 0)
        XCTAssertEqual(bytes(four, 4), [200, 100, 50, 51])
        vImagePremultiplyData_RGBA8888(&four, &four, 0)
        XCTAssertEqual(bytes(four, 4), [40, 20, 10, 51])
        vImageUnpremultiplyData_RGBA8888(&four, &four, 0)
        XCTAssertEqual(bytes(four, 4), [200, 100, 50, 51])
    }

    func testFloatPlanesAreMadeAndJoined() throws {
        var pixel = try vImage_Buffer(width: 1, height: 1, bitsPerPixel: 32)
        var planes: [vImage_Buffer] = try (0..<4).map { _ in try vImage_Buffer(width: 1, height: 1, bitsPerPixel: 32) }
        defer { for buffer in planes + [pixel] { buffer.free() } }
        vImageBufferFill_ARGB8888(&pixel, [255, 51, 102, 0], 0)
        vImageConvert_ARGB8888toPlanarF(
            &pixel, &planes[0], &planes[1], &planes[2], &planes[3], [1, 1, 1, 3], [0, 0, -1, 2], 0)
        let values = planes.map { $0.data.load(as: Float.self) }
        for (value, expected) in zip(values, [Float(1), 0.2, -0.2, 2]) {
            XCTAssertEqual(value, expected, accuracy: 1e-6)
        }
        let maxima: [Float] = [1, 1, 1]
        vImageConvert_PlanarFToBGRX8888(&planes[1], &planes[3], &planes[2], 7, &pixel, maxima, [0, 0, -1], 0)
        XCTAssertEqual(bytes(pixel, 4), [51, 255, 102, 7])
        XCTAssertEqual(
            vImageConvert_PlanarFToBGRX8888(&planes[0], &planes[0], &planes[0], 7, &pixel, maxima, maxima, 0),
            kvImageInvalidParameter)
        var indices = try vImage_Buffer(width: 1, height: 1, bitsPerPixel: 8)
        defer { indices.free() }
        indices.data.storeBytes(of: 3, as: UInt8.self)
        vImageTableLookUp_Planar8(&indices, &indices, (0..<256).map { UInt8(255 - $0) }, 0)
        XCTAssertEqual(bytes(indices, 1), [252])
    }

    func testVectorsAreSortedClippedAndCompressed() {
        var values: [Float] = [3, -7, .nan, 2]
        var found: Float = 0
        vDSP_maxmgv([3, -7, 2], 1, &found, 3)
        XCTAssertEqual(found, 7)
        vDSP_minmgv([3, -7, 2], 1, &found, 3)
        XCTAssertEqual(found, 2)
        vDSP_vsort(&values, 4, -1)
        XCTAssertEqual(values.prefix(3), [3, 2, -7])
        XCTAssertTrue(values[3].isNaN)
        vDSP_vsort(&values, 4, 1)
        XCTAssertEqual(values.prefix(3), [-7, 2, 3])
        var result = [Float](repeating: 9, count: 4)
        vDSP_mmov([1, 2, 3, 4, 5, 6], &result, 2, 2, 3, 2)
        XCTAssertEqual(result, [1, 2, 4, 5])
        var (low, high, below, above): (Float, Float, vDSP_Length, vDSP_Length) = (0, 3, 0, 0)
        vDSP_vclipc([-1, 2, 5, 6], 1, &low, &high, &result, 1, 4, &below, &above)
        XCTAssertEqual(result, [0, 2, 3, 3])
        XCTAssertEqual([below, above], [1, 2])
        vDSP_vcmprs([1, 2, 3, 4], 1, [0, 1, 0, -1], 1, &result, 1, 4)
        XCTAssertEqual(result.prefix(2), [2, 4])
        XCTAssertEqual(vDSP.square([Float(-3), 2]), [9, 4])
    }

    func testBLAS() {
        let (a, b): ([Float], [Float]) = ([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12])
        var c = [Float](repeating: 1, count: 4)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 3, 1, a, 3, b, 2, 2, &c, 2)
        XCTAssertEqual(c, [60, 66, 141, 156])
        var y = [Float](repeating: 0, count: 2)
        cblas_sgemv(CblasRowMajor, CblasNoTrans, 2, 3, 1, a, 3, [1, 0, -1], 1, 0, &y, 1)
        XCTAssertEqual(y, [-2, -2])
        XCTAssertEqual(cblas_sdot(3, a, 1, b, 1), 50)
        var sum = b
        cblas_saxpy(6, 2, a, 1, &sum, 1)
        XCTAssertEqual(sum, [9, 12, 15, 18, 21, 24])
        XCTAssertEqual(cblas_snrm2(2, [3, 4], 1), 5)
        XCTAssertEqual(cblas_isamax(3, [1, -5, 2], 1), 1)
    }

    func testConstantsOfTypes() throws {
        XCTAssertEqual(kUTTypeJPEG as String, "public.jpeg")
        let context = try XCTUnwrap(
            CGContext(
                data: nil, width: 2, height: 2, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue))
        let data = NSMutableData()
        let destination = try XCTUnwrap(CGImageDestinationCreateWithData(data, kUTTypePNG, 1, nil))
        CGImageDestinationAddImage(destination, try XCTUnwrap(context.makeImage()), nil)
        XCTAssertTrue(CGImageDestinationFinalize(destination))
    }
}
