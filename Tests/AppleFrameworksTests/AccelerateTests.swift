import Accelerate
import XCTest

final class AccelerateTests: XCTestCase {
    func testVectors() {
        let (a, b): ([Float], [Float]) = ([1, 2, 3, 4], [5, 6, 7, 8])
        var c = [Float](repeating: 0, count: 4)
        vDSP_vadd(a, 1, b, 1, &c, 1, 4)
        XCTAssertEqual(c, [6, 8, 10, 12])
        // The subtrahend comes first.
        vDSP_vsub(a, 1, b, 1, &c, 1, 4)
        XCTAssertEqual(c, [4, 4, 4, 4])
        vDSP_vdiv(a, 1, b, 1, &c, 1, 2)
        XCTAssertEqual(c[0...1], [5, 3])
        var (factor, summand) = (Float(2), Float(-1))
        vDSP_vsmsa(a, 1, &factor, &summand, &c, 1, 4)
        XCTAssertEqual(c, [1, 3, 5, 7])
        var (low, high) = (Float(2), Float(3))
        vDSP_vclip(a, 1, &low, &high, &c, 1, 4)
        XCTAssertEqual(c, [2, 2, 3, 3])
        vDSP_mtrans([1, 2, 3, 4, 5, 6], 1, &c, 1, 2, 2)
        XCTAssertEqual(c, [1, 3, 2, 4])
        var product = [Float](repeating: 0, count: 4)
        vDSP_mmul(a, 1, b, 1, &product, 1, 2, 2, 2)
        XCTAssertEqual(product, [19, 22, 43, 50])
        var bytes = [UInt8](repeating: 0, count: 4)
        vDSP_vfixu8([-3, 2.9, 300, .nan], 1, &bytes, 1, 4)
        XCTAssertEqual(bytes, [0, 2, 255, 0])
    }

    func testFunctionsOfEachElement() {
        let values: [Float] = [0.25, 1, 4]
        var (count, result) = (Int32(3), [Float](repeating: -1, count: 4))
        vvexpf(&result, values, &count)
        XCTAssertEqual(result, [expf(0.25), expf(1), expf(4), -1])
        vvsqrtf(&result, values, &count)
        XCTAssertEqual(result, [0.5, 1, 2, -1])
        // The divisor comes last, the base as well.
        vvdivf(&result, values, [2, 2, 2], &count)
        XCTAssertEqual(result, [0.125, 0.5, 2, -1])
        vvpowf(&result, [2, 2, 0.5], values, &count)
        XCTAssertEqual(result, [0.0625, 1, 2, -1])
        // In place, as public code calls it.
        vvrecf(&result, result, &count)
        XCTAssertEqual(result, [16, 1, 0.5, -1])
        count = -3
        vvlogf(&result, values, &count)
        XCTAssertEqual(result[1], 1)
        XCTAssertEqual(vForce.sqrt([4.0, 9]), [2, 3])
        XCTAssertEqual(vForce.exp([Float(0), 1]), [1, expf(1)])
        XCTAssertEqual(vForce.floor([1.5, -1.5]), [1, -2])
        XCTAssertEqual(vForce.tanh([0.5]), [tanh(0.5)])
    }

    func testReductions() {
        let values: [Float] = [3, -7, 12, 5, 12]
        var (value, index): (Float, vDSP_Length) = (0, 0)
        vDSP_maxvi(values, 1, &value, &index, 5)
        XCTAssertEqual(value, 12)
        XCTAssertEqual(index, 2)
        vDSP_maxvi(values, 2, &value, &index, 3)
        XCTAssertEqual(index, 2)
        vDSP_minv(values, 1, &value, 5)
        XCTAssertEqual(value, -7)
        vDSP_meanv(values, 1, &value, 5)
        XCTAssertEqual(value, 5)
        vDSP_maxv(values, 1, &value, 0)
        XCTAssertEqual(value, -.infinity)
        XCTAssertEqual(vDSP.mean(values), 5)
        XCTAssertTrue(vDSP.indexOfMaximum(values) == (2, 12))
        XCTAssertEqual(vDSP.dot([1.0, 2], [3.0, 4]), 11)
        XCTAssertEqual(vDSP.multiply(2, [1.0, 2]), [2, 4])
        XCTAssertEqual(vDSP.clip([Float(-1), 9], to: 0...1), [0, 1])
    }

    func testBuffersAreScaledPermutedAndConverted() {
        var (large, small) = (vImage_Buffer(), vImage_Buffer())
        XCTAssertEqual(vImageBuffer_Init(&large, 8, 12, 32, 0), kvImageNoError)
        XCTAssertEqual(vImageBuffer_Init(&small, 4, 6, 32, 0), kvImageNoError)
        defer {
            large.free()
            small.free()
        }
        for row in 0..<8 {
            for column in 0..<12 {
                (large.data + row * large.rowBytes + 4 * column).storeBytes(of: 0x0403_0201, as: UInt32.self)
            }
        }
        XCTAssertEqual(vImageScale_ARGB8888(&large, &small, nil, 0), kvImageNoError)
        XCTAssertEqual(small.data.load(fromByteOffset: 3 * small.rowBytes + 20, as: UInt32.self), 0x0403_0201)
        XCTAssertEqual(vImagePermuteChannels_ARGB8888(&small, &small, [3, 2, 1, 0], 0), kvImageNoError)
        XCTAssertEqual(small.data.load(as: UInt32.self), 0x0102_0304)
        XCTAssertEqual(vImagePermuteChannels_ARGB8888(&small, &small, [4, 2, 1, 0], 0), kvImageInvalidParameter)
        var plane = [UInt8](repeating: 0, count: 24), rgb = [UInt8](repeating: 0, count: 72)
        plane.withUnsafeMutableBytes { memory in
            var buffer = vImage_Buffer(data: memory.baseAddress, height: 4, width: 6, rowBytes: 6)
            XCTAssertEqual(
                vImageConvert_ARGB8888toPlanar8(&small, &buffer, &buffer, &buffer, &buffer, 0), kvImageNoError)
            XCTAssertEqual(vImageScale_Planar8(&buffer, &large, nil, 0), kvImageNoError)
        }
        XCTAssertEqual(plane, [UInt8](repeating: 1, count: 24))
        rgb.withUnsafeMutableBytes { memory in
            var buffer = vImage_Buffer(data: memory.baseAddress, height: 4, width: 6, rowBytes: 18)
            XCTAssertEqual(vImageConvert_ARGB8888toRGB888(&small, &buffer, 0), kvImageNoError)
            buffer.rowBytes = 4
            XCTAssertEqual(vImageConvert_ARGB8888toRGB888(&small, &buffer, 0), kvImageInvalidParameter)
        }
        XCTAssertEqual(Array(rgb.prefix(3)), [3, 2, 1])
        var none = vImage_Buffer()
        XCTAssertEqual(vImageScale_ARGB8888(&none, &small, nil, 0), kvImageNullPointerArgument)
        XCTAssertEqual(vImageBuffer_Init(&none, 1 << 40, 4, 32, 0), kvImageInvalidParameter)
    }
}
