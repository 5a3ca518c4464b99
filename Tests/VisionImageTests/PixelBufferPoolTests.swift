import VisionImage
import XCTest

final class PixelBufferPoolTests: XCTestCase {
    private func pool(
        width: Any = 20, height: Any = 10, format: Any = kCVPixelFormatType_32BGRA, _ attributes: CFDictionary? = nil
    ) -> (pool: CVPixelBufferPool?, code: CVReturn) {
        var pool: CVPixelBufferPool?
        let code = CVPixelBufferPoolCreate(
            nil, attributes,
            [
                kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
                kCVPixelBufferPixelFormatTypeKey: format,
            ] as CFDictionary, &pool)
        return (pool, code)
    }

    private func buffer(_ pool: CVPixelBufferPool) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        XCTAssertEqual(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer), kCVReturnSuccess)
        return try XCTUnwrap(buffer)
    }

    func testMemoryIsUsedAgainAndBeginsWithZeros() throws {
        let pool = try XCTUnwrap(pool([kCVPixelBufferPoolMinimumBufferCountKey: 2] as CFDictionary).pool)
        var first: CVPixelBuffer? = try buffer(pool)
        let second = try buffer(pool)
        let address = CVPixelBufferGetBaseAddress(try XCTUnwrap(first))
        XCTAssertNotEqual(address, CVPixelBufferGetBaseAddress(second))
        address?.storeBytes(of: 77, as: UInt8.self)
        first = nil
        let third = try buffer(pool)
        XCTAssertEqual(CVPixelBufferGetBaseAddress(third), address)
        XCTAssertEqual(CVPixelBufferGetBaseAddress(third)?.load(as: UInt8.self), 0)
        XCTAssertEqual(CVPixelBufferGetWidth(third), 20)
    }

    func testBuffersOutliveTheirPoolAndFlushes() throws {
        var pool = pool(format: Int(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)).pool
        let kept = try buffer(try XCTUnwrap(pool))
        _ = try buffer(try XCTUnwrap(pool))
        CVPixelBufferPoolFlush(try XCTUnwrap(pool), .excessBuffers)
        pool = nil
        CVPixelBufferLockBaseAddress(kept, [])
        CVPixelBufferGetBaseAddressOfPlane(kept, 1)?.storeBytes(of: 3, as: UInt8.self)
        XCTAssertEqual(CVPixelBufferGetBaseAddressOfPlane(kept, 1)?.load(as: UInt8.self), 3)
        CVPixelBufferUnlockBaseAddress(kept, [])
    }

    func testOddNumbersOfBuffersAndSecondsAreLimited() throws {
        for number in [1e300, -1e300, Double(Int.max), 0.5] {
            let attributes: CFDictionary = [
                kCVPixelBufferPoolMinimumBufferCountKey: number, kCVPixelBufferPoolMaximumBufferAgeKey: number,
            ]
            let made = try XCTUnwrap(pool(attributes).pool)
            for _ in 0..<2 { XCTAssertEqual(CVPixelBufferGetWidth(try buffer(made)), 20) }
        }
    }

    func testTheThresholdCountsBuffersInUse() throws {
        let pool = try XCTUnwrap(pool().pool)
        let limit = [kCVPixelBufferPoolAllocationThresholdKey: 1] as CFDictionary
        let kept = try buffer(pool)
        var second: CVPixelBuffer?
        XCTAssertEqual(
            CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &second),
            kCVReturnWouldExceedAllocationThreshold)
        XCTAssertNil(second)
        withExtendedLifetime(kept) {}
    }

    func testOddAttributesGiveErrorCodes() {
        XCTAssertEqual(pool(width: Double.nan).code, kCVReturnInvalidPixelBufferAttributes)
        XCTAssertEqual(pool(width: "wide").code, kCVReturnInvalidPixelBufferAttributes)
        XCTAssertEqual(pool(height: -4).code, kCVReturnInvalidSize)
        XCTAssertEqual(pool(height: 1e300).code, kCVReturnInvalidPixelBufferAttributes)
        XCTAssertEqual(pool(format: 5).code, kCVReturnInvalidPixelFormat)
        XCTAssertEqual(CVPixelBufferPoolCreate(nil, nil, nil, &unused), kCVReturnInvalidPixelBufferAttributes)
        XCTAssertNotNil(
            pool(
                [
                    kCVPixelBufferPoolMinimumBufferCountKey: -1e300, kCVPixelBufferPoolMaximumBufferAgeKey: Double.nan,
                ] as CFDictionary
            ).pool)
        XCTAssertNil(unused)
    }

    private var unused: CVPixelBufferPool?
}
