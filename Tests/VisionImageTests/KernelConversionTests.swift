import XCTest

@testable import VisionImage

final class KernelConversionTests: XCTestCase {
    private let colourFormats: [Raster.Format] = [.rgb8, .bgr8, .rgba8, .bgra8, .argb8]

    /// A pixel of red 10, green 20, blue 30, alpha 40 as the format stores it.
    private func sample(_ format: Raster.Format, alpha: UInt8 = 40) -> [UInt8] {
        switch format {
        case .rgb8: [10, 20, 30]
        case .bgr8: [30, 20, 10]
        case .rgba8: [10, 20, 30, alpha]
        case .bgra8: [30, 20, 10, alpha]
        case .argb8: [alpha, 10, 20, 30]
        default: []
        }
    }

    func testColourFormatsConvertIntoEachOtherAndMissingAlphaIsOpaque() throws {
        for from in colourFormats {
            let raster = try Raster.bytes(37, 3, from) { _, _ in sample(from) }
            for to in colourFormats {
                let converted = try raster.converted(to: to)
                let hadAlpha = from.bytesPerPixel == 4
                XCTAssertEqual(converted.format, to)
                XCTAssertEqual(
                    converted.allPixels, Array(repeating: sample(to, alpha: hadAlpha ? 40 : 255), count: 37 * 3),
                    "\(from) to \(to)")
            }
        }
    }

    func testGreyIsTheWeightedSumOfBT601ForEveryFormat() throws {
        for format in colourFormats {
            let raster = try Raster.noise(101, 5, format, seed: 7)
            let rgb = try raster.converted(to: .rgb8)
            let grey = try raster.converted(to: .grey8)
            for y in 0..<5 {
                for x in 0..<101 {
                    let p = rgb.values(x, y).map(Double.init)
                    XCTAssertEqual(
                        Double(grey.values(x, y)[0]), 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2], accuracy: 0.51)
                }
            }
        }
    }

    func testPrimaryColoursHaveTheLumaOfBT601() throws {
        let primaries: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0]]
        let grey = try Raster.bytes(5, 1, .rgb8) { x, _ in primaries[x] }.converted(to: .grey8)
        XCTAssertEqual(grey.allPixels.map { $0[0] }, [76, 150, 29, 255, 0])
    }

    func testConversionReadsAPaddedCropOnly() throws {
        let whole = try Raster.noise(70, 9, .bgra8)
        let crop = whole.cropped(x: 3, y: 2, width: 61, height: 5)
        let grey = try crop.converted(to: .grey8)
        let greyOfWhole = try whole.converted(to: .grey8)
        for y in 0..<5 {
            for x in 0..<61 { XCTAssertEqual(grey.values(x, y), greyOfWhole.values(x + 3, y + 2)) }
        }
    }

    func testFloatsAreClampedAndNaNIsBlack() throws {
        let values: [Float] = [0, 1, 0.5, -3, 7, .nan, .infinity, -.infinity, 0.25]
        let grey = try Raster.floats(values.count, 2) { x, _ in values[x] }.converted(to: .grey8)
        XCTAssertEqual((0..<values.count).map { grey.values($0, 1)[0] }, [0, 255, 128, 0, 255, 0, 255, 0, 64])
    }

    func testHalfFloatsConvertToSingleAndGrey() throws {
        let halves: [UInt16] = [0x0000, 0x3C00, 0x3800, 0xBC00, 0x7E00, 0x0001]  // 0, 1, ½, -1, NaN, 2⁻²⁴
        let raster = try Raster(width: 6, height: 1, format: .greyHalf) { pixels, _ in
            for (i, half) in halves.enumerated() { pixels.storeBytes(of: half, toByteOffset: 2 * i, as: UInt16.self) }
        }
        let single = try raster.converted(to: .greyFloat)
        XCTAssertEqual([0, 1, 2, 3, 5].map { single.float($0, 0) }, [0, 1, 0.5, -1, 0x1p-24])
        XCTAssertTrue(single.float(4, 0).isNaN)
        XCTAssertEqual(try raster.converted(to: .grey8).allPixels.map { $0[0] }, [0, 255, 128, 0, 0, 0])
    }

    func testNormalisingAppliesScaleAndBiasToEachChannel() throws {
        let scale = SIMD3<Float>(1, 0.5, 2), bias = SIMD3<Float>(-1, 3, 0.25)
        for format in colourFormats {
            let planar = try Raster.bytes(35, 4, format) { _, _ in sample(format) }
                .normalised(to: .planarRGBFloat, scale: scale, bias: bias)
            for (x, y) in [(0, 0), (34, 3), (17, 1)] {
                XCTAssertEqual((0..<3).map { planar.float(x, y, plane: $0) }, [9, 13, 60.25], "\(format)")
            }
        }
        let grey = try Raster.bytes(35, 2, .grey8) { x, y in [UInt8(x + y)] }
        XCTAssertEqual(try grey.normalised(to: .greyFloat, scale: scale, bias: bias).float(34, 1), 34)
        let three = try grey.normalised(to: .planarRGBFloat, scale: scale, bias: bias)
        XCTAssertEqual((0..<3).map { three.float(10, 0, plane: $0) }, [9, 8, 20.25])
    }

    /// More pixels than one band of rows has, and rows longer than a band.
    func testTheInputOfANetworkIsTheSameFromEveryFormat() throws {
        for (width, height) in [(257, 100), (3000, 7), (9000, 3)] {
            let rgb = try Raster.noise(width, height, .rgb8, seed: 5)
            let rowFloats = 3 * width + 5
            func written(_ format: Raster.Format) throws -> [Float] {
                var floats = [Float](repeating: -1, count: height * rowFloats)
                try floats.withUnsafeMutableBufferPointer {
                    try rgb.converted(to: format).writeInterleaved(
                        to: $0, rowFloats: rowFloats, scale: 1 / 128, bias: -127 / 128)
                }
                return floats
            }
            let wanted = try written(.rgb8)
            for y in [0, height / 2, height - 1] {
                let row = wanted[y * rowFloats..<(y + 1) * rowFloats]
                let bytes = (0..<width).flatMap { rgb.values($0, y) }
                XCTAssertEqual(row.prefix(3 * width).map { $0 }, bytes.map { Float($0) / 128 - 127 / 128 })
                XCTAssertEqual(row.suffix(5), [-1, -1, -1, -1, -1])
            }
            for format in colourFormats { XCTAssertEqual(try written(format), wanted, "\(format) \(width)") }
        }
        var none: [Float] = []
        let planar = try Raster.noise(4, 4, .rgb8, seed: 1).converted(to: .planarRGBFloat)
        try none.withUnsafeMutableBufferPointer { floats in
            XCTAssertThrowsError(try planar.writeInterleaved(to: floats, scale: 1, bias: 0))
        }
    }

    func testImpossibleConversionsThrow() throws {
        let planar = try Raster.noise(4, 4, .rgb8).converted(to: .planarRGBFloat)
        XCTAssertThrowsError(try planar.converted(to: .grey8))
        XCTAssertThrowsError(try planar.oriented(.right))
        XCTAssertThrowsError(try planar.resized(width: 2, height: 2, filter: .area))
        XCTAssertThrowsError(try planar.normalised(to: .greyFloat, scale: .one, bias: .zero))
        XCTAssertThrowsError(try Raster.noise(4, 4, .rgb8).converted(to: .greyHalf))
    }

    // MARK: Y'CbCr

    /// The definition of the standards, in double precision.
    private func rgb(_ y: Int, _ cb: Int, _ cr: Int, bt709: Bool, fullRange: Bool) -> [Double] {
        let (kr, kb) = bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
        let luma = fullRange ? Double(y) : Double(y - 16) * 255 / 219
        let gain = fullRange ? 1 : 255.0 / 224
        let (u, v) = (Double(cb - 128) * gain, Double(cr - 128) * gain)
        let red = luma + 2 * (1 - kr) * v, blue = luma + 2 * (1 - kb) * u
        let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
        return [red, green, blue].map { min(max($0, 0), 255) }
    }

    func testYCbCrFollowsTheStandardsWithinOneLevel() throws {
        let (width, height) = (77, 9)
        let luma = try Raster.noise(width, height, .grey8, seed: 3)
        let cb = try Raster.noise(39, 5, .grey8, seed: 4), cr = try Raster.noise(39, 5, .grey8, seed: 5)
        let pairs = try Raster.bytes(78, 5, .grey8) { x, y in x % 2 == 0 ? cb.values(x / 2, y) : cr.values(x / 2, y) }
        for bt709 in [false, true] {
            for fullRange in [false, true] {
                for interleaved in [false, true] {
                    let made = try luma.withUnsafePixels { y in
                        try cb.withUnsafePixels { u in
                            try cr.withUnsafePixels { v in
                                try pairs.withUnsafePixels { uv in
                                    let planes = YCbCrPlanes(
                                        width: width, height: height, luma: y, lumaRowBytes: luma.rowBytes,
                                        chroma: interleaved
                                            ? .interleaved(uv, rowBytes: pairs.rowBytes)
                                            : .planar(cb: u, cbRowBytes: cb.rowBytes, cr: v, crRowBytes: cr.rowBytes),
                                        matrix: bt709 ? .bt709 : .bt601, isFullRange: fullRange)
                                    return (
                                        rgb: try Raster(planes, as: .rgb8), bgra: try Raster(planes, as: .bgra8),
                                        grey: try Raster(planes, as: .grey8)
                                    )
                                }
                            }
                        }
                    }
                    var largest = 0.0
                    for y in 0..<height {
                        for x in 0..<width {
                            let level = Int(luma.values(x, y)[0])
                            let wanted = rgb(
                                level, Int(cb.values(x / 2, y / 2)[0]), Int(cr.values(x / 2, y / 2)[0]), bt709: bt709,
                                fullRange: fullRange)
                            let got = made.rgb.values(x, y)
                            for c in 0..<3 { largest = max(largest, abs(wanted[c] - Double(got[c]))) }
                            XCTAssertEqual(made.bgra.values(x, y), [got[2], got[1], got[0], 255])
                            let grey = fullRange ? Double(level) : min(255, max(0, Double(level - 16) * 255 / 219))
                            XCTAssertEqual(Double(made.grey.values(x, y)[0]), grey, accuracy: 0.52)
                        }
                    }
                    XCTAssertLessThan(largest, 0.6, "709: \(bt709), full range: \(fullRange)")
                }
            }
        }
    }

    func testYCbCrRowsThatAreTooShortThrow() throws {
        let luma = try Raster.noise(8, 8, .grey8)
        let error = luma.withUnsafePixels { pixels -> (any Error)? in
            let planes = YCbCrPlanes(
                width: 8, height: 8, luma: pixels, lumaRowBytes: 8, chroma: .interleaved(pixels, rowBytes: 7),
                matrix: .bt601, isFullRange: true)
            do { _ = try Raster(planes, as: .rgb8) } catch { return error }
            return nil
        }
        guard case .invalidArgument = error as? ImageError else { return XCTFail("\(String(describing: error))") }
    }
}
