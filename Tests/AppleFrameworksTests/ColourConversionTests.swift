import Accelerate
import XCTest

final class ColourConversionTests: XCTestCase {
    private let video = vImage_YpCbCrPixelRange(
        Yp_bias: 16, CbCr_bias: 128, YpRangeMax: 235, CbCrRangeMax: 240, YpMax: 235, YpMin: 16, CbCrMax: 240,
        CbCrMin: 16)

    private func info(_ range: vImage_YpCbCrPixelRange) throws -> vImage_YpCbCrToARGB {
        var (range, info) = (range, vImage_YpCbCrToARGB())
        XCTAssertEqual(
            vImageConvert_YpCbCrToARGB_GenerateConversion(
                kvImage_YpCbCrToARGBMatrix_ITU_R_601_4, &range, &info, kvImage420Yp8_CbCr8, kvImageARGB8888,
                vImage_Flags(kvImageNoFlags)), kvImageNoError)
        return info
    }

    /// Runs a closure with images in these bytes.
    private func withImages<Result>(
        _ luma: inout [UInt8], _ chroma: inout [UInt8], _ target: inout [UInt8], width: UInt, height: UInt,
        _ body: (vImage_Buffer, vImage_Buffer, vImage_Buffer) -> Result
    ) -> Result {
        luma.withUnsafeMutableBytes { y in
            chroma.withUnsafeMutableBytes { c in
                target.withUnsafeMutableBytes { t in
                    let half = (width: (width + 1) / 2, height: (height + 1) / 2)
                    return body(
                        vImage_Buffer(data: y.baseAddress, height: height, width: width, rowBytes: Int(width)),
                        vImage_Buffer(
                            data: c.baseAddress, height: half.height, width: half.width, rowBytes: 2 * Int(half.width)),
                        vImage_Buffer(data: t.baseAddress, height: height, width: width, rowBytes: 4 * Int(width)))
                }
            }
        }
    }

    func testLumaAndChromaBecomeColours() throws {
        // Black, white, grey, and beyond white; red in the last two columns.
        var luma: [UInt8] = [16, 235, 81, 126, 255, 81]
        var chroma: [UInt8] = [128, 128, 90, 240]
        var target = [UInt8](repeating: 1, count: 24)
        var info = try info(video)
        let error = withImages(&luma, &chroma, &target, width: 3, height: 2) { y, c, t in
            var (y, c, t) = (y, c, t)
            return vImageConvert_420Yp8_CbCr8ToARGB8888(&y, &c, &t, &info, [3, 2, 1, 0], 200, 0)
        }
        XCTAssertEqual(error, kvImageNoError)
        // Blue, green, red, alpha.
        XCTAssertEqual(Array(target[0..<8]), [0, 0, 0, 200, 255, 255, 255, 200])
        XCTAssertEqual(Array(target[12..<20]), [128, 128, 128, 200, 255, 255, 255, 200])
        for (found, expected) in zip(target[8..<12], [0, 0, 255, 200] as [UInt8]) {
            XCTAssertEqual(Double(found), Double(expected), accuracy: 1)
        }
    }

    func testImpossibleConversionsAreErrors() throws {
        var (flat, conversion) = (video, vImage_YpCbCrToARGB())
        flat.YpRangeMax = 16
        let matrix: UnsafePointer<vImage_YpCbCrToARGBMatrix> = kvImage_YpCbCrToARGBMatrix_ITU_R_709_2
        XCTAssertEqual(
            vImageConvert_YpCbCrToARGB_GenerateConversion(
                matrix, &flat, &conversion, kvImage420Yp8_CbCr8, kvImageARGB8888, 0), kvImageInvalidParameter)
        var (luma, chroma) = ([UInt8](repeating: 9, count: 9), [UInt8](repeating: 9, count: 8))
        var target = [UInt8](repeating: 0, count: 36)
        let extremes = vImage_YpCbCrPixelRange(
            Yp_bias: .min, CbCr_bias: .min, YpRangeMax: .max, CbCrRangeMax: .max, YpMax: .max, YpMin: .min,
            CbCrMax: .max, CbCrMin: .min)
        var wide = try info(extremes)
        withImages(&luma, &chroma, &target, width: 3, height: 3) { y, c, t in
            var (y, c, t) = (y, c, t)
            XCTAssertEqual(vImageConvert_420Yp8_CbCr8ToARGB8888(&y, &c, &t, &wide, nil, 255, 0), kvImageNoError)
            XCTAssertEqual(
                vImageConvert_420Yp8_CbCr8ToARGB8888(&y, &c, &t, &wide, [0, 1, 2, 4], 255, 0), kvImageInvalidParameter)
            c.width = 1
            XCTAssertEqual(
                vImageConvert_420Yp8_CbCr8ToARGB8888(&y, &c, &t, &wide, nil, 255, 0), kvImageRoiLargerThanInputBuffer)
        }
    }

    func testMatricesMixComponents() {
        var pixels: [UInt8] = [10, 20, 30, 40, 255, 255, 255, 255]
        var grey = [UInt8](repeating: 0, count: 2)
        // Columns: the sum of the first two, the second, nothing with an addition, minus the last.
        let matrix: [Int16] = [2, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2]
        pixels.withUnsafeMutableBytes { p in
            grey.withUnsafeMutableBytes { g in
                var image = vImage_Buffer(data: p.baseAddress, height: 1, width: 2, rowBytes: 8)
                var plane = vImage_Buffer(data: g.baseAddress, height: 1, width: 2, rowBytes: 2)
                XCTAssertEqual(
                    vImageMatrixMultiply_ARGB8888ToPlanar8(&image, &plane, [0, 1, 2, 1], 4, nil, 0, 0), kvImageNoError)
                XCTAssertEqual(
                    vImageMatrixMultiply_ARGB8888(&image, &image, matrix, 2, [1, 0, 0, 0], [0, 0, 15, 0], 0),
                    kvImageNoError)
                XCTAssertEqual(
                    vImageMatrixMultiply_ARGB8888(&image, &image, matrix, 0, nil, nil, 0), kvImageInvalidParameter)
            }
        }
        XCTAssertEqual(grey, [(20 + 60 + 40) / 4, 255])
        XCTAssertEqual(pixels, [31, 20, 7, 0, 255, 255, 7, 0])
    }
}
