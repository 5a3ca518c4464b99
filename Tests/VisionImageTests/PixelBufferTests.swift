import Foundation
import VisionImage
import XCTest

final class PixelBufferTests: XCTestCase {
    func testPackedBufferHasTheDocumentedLayout() throws {
        let buffer = try TestBuffer.make(13, 7, kCVPixelFormatType_32BGRA)
        XCTAssertEqual(CVPixelBufferGetWidth(buffer), 13)
        XCTAssertEqual(CVPixelBufferGetHeight(buffer), 7)
        XCTAssertGreaterThanOrEqual(CVPixelBufferGetBytesPerRow(buffer), 52)
        XCTAssertEqual(CVPixelBufferGetPlaneCount(buffer), 0)
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(buffer), kCVPixelFormatType_32BGRA)
        XCTAssertEqual(CVPixelBufferGetBaseAddress(buffer), CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
        XCTAssertNil(CVPixelBufferGetBaseAddressOfPlane(buffer, 1))
    }

    func testBiPlanarBufferOfOddSizeRoundsChromaUp() throws {
        let buffer = try TestBuffer.make(5, 3, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        XCTAssertEqual(CVPixelBufferGetPlaneCount(buffer), 2)
        XCTAssertEqual(CVPixelBufferGetWidthOfPlane(buffer, 1), 3)
        XCTAssertEqual(CVPixelBufferGetHeightOfPlane(buffer, 1), 2)
        XCTAssertGreaterThanOrEqual(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1), 6)
        XCTAssertEqual(try TestBuffer.make(5, 3, kCVPixelFormatType_420YpCbCr8Planar).planes.count, 3)
    }

    func testInvalidSizesFormatsAndAlignmentsFail() {
        var buffer: CVPixelBuffer?
        func create(_ w: Int, _ h: Int, _ format: OSType, _ attributes: CFDictionary? = nil) -> CVReturn {
            CVPixelBufferCreate(nil, w, h, format, attributes, &buffer)
        }
        XCTAssertEqual(create(0, 4, kCVPixelFormatType_32BGRA), kCVReturnInvalidSize)
        XCTAssertEqual(create(4, -1, kCVPixelFormatType_32BGRA), kCVReturnInvalidSize)
        XCTAssertEqual(create(.max, .max, kCVPixelFormatType_32BGRA), kCVReturnInvalidSize)
        XCTAssertEqual(create(4, 4, 0x1234), kCVReturnInvalidPixelFormat)
        let odd = [kCVPixelBufferBytesPerRowAlignmentKey as String: 3] as CFDictionary
        XCTAssertEqual(create(4, 4, kCVPixelFormatType_32BGRA, odd), kCVReturnInvalidArgument)
        XCTAssertNil(buffer)
    }

    func testBorrowedBytesAreReleasedOnce() {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        var released = 0
        withUnsafeMutablePointer(to: &released) { counter in
            var buffer: CVPixelBuffer?
            let status = CVPixelBufferCreateWithBytes(
                nil, 4, 4, kCVPixelFormatType_32BGRA, bytes, 16,
                { context, address in
                    context?.assumingMemoryBound(to: Int.self).pointee += 1
                    UnsafeMutableRawPointer(mutating: address)?.deallocate()
                }, counter, nil, &buffer)
            XCTAssertEqual(status, kCVReturnSuccess)
            XCTAssertEqual(buffer.map(CVPixelBufferGetBytesPerRow), 16)
            buffer = nil
        }
        XCTAssertEqual(released, 1)
    }

    func testInvalidPlanarBytesAreNotReleased() {
        var pixels = [UInt8](repeating: 0, count: 64)
        var released = 0
        pixels.withUnsafeMutableBytes { bytes in
            withUnsafeMutablePointer(to: &released) { counter in
                var addresses: [UnsafeMutableRawPointer?] = [bytes.baseAddress, bytes.baseAddress]
                var (widths, heights, rows) = ([4, 3], [4, 2], [4, 4])
                var buffer: CVPixelBuffer?
                func create() -> CVReturn {
                    CVPixelBufferCreateWithPlanarBytes(
                        nil, 4, 4, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, 0, 2, &addresses, &widths,
                        &heights, &rows,
                        { context, _, _, _, _ in context?.assumingMemoryBound(to: Int.self).pointee += 1 },
                        counter, nil, &buffer)
                }
                XCTAssertEqual(create(), kCVReturnInvalidArgument)
                XCTAssertEqual(counter.pointee, 0)
                widths[1] = 2
                XCTAssertEqual(create(), kCVReturnSuccess)
                buffer = nil
                XCTAssertEqual(counter.pointee, 1)
            }
        }
    }

    func testUnlockingMoreOftenThanLockingFails() throws {
        let buffer = try TestBuffer.make(2, 2, kCVPixelFormatType_32BGRA)
        XCTAssertEqual(CVPixelBufferLockBaseAddress(buffer, .readOnly), kCVReturnSuccess)
        XCTAssertEqual(CVPixelBufferLockBaseAddress(buffer, []), kCVReturnSuccess)
        XCTAssertEqual(CVPixelBufferUnlockBaseAddress(buffer, []), kCVReturnSuccess)
        XCTAssertEqual(CVPixelBufferUnlockBaseAddress(buffer, .readOnly), kCVReturnSuccess)
        XCTAssertEqual(CVPixelBufferUnlockBaseAddress(buffer, []), kCVReturnInvalidArgument)
    }

    func testAttachmentsSelectTheMatrix() throws {
        let buffer = try TestBuffer.make(4, 4, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        XCTAssertEqual(buffer.yCbCrMatrix, .bt601)
        CVBufferSetAttachment(
            buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        XCTAssertEqual(buffer.yCbCrMatrix, .bt709)
        CVBufferRemoveAttachment(buffer, kCVImageBufferYCbCrMatrixKey)
        XCTAssertEqual(buffer.yCbCrMatrix, .bt601)
    }

    func testRowsOfFloatsMustBeAligned() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        func create(_ format: OSType, offset: Int, bytesPerRow: Int) -> CVReturn {
            var buffer: CVPixelBuffer?
            return CVPixelBufferCreateWithBytes(
                nil, 2, 2, format, memory + offset, bytesPerRow, nil, nil, nil, &buffer)
        }
        XCTAssertEqual(create(kCVPixelFormatType_OneComponent32Float, offset: 4, bytesPerRow: 12), kCVReturnSuccess)
        XCTAssertEqual(
            create(kCVPixelFormatType_OneComponent32Float, offset: 2, bytesPerRow: 12), kCVReturnInvalidArgument)
        XCTAssertEqual(
            create(kCVPixelFormatType_OneComponent32Float, offset: 0, bytesPerRow: 10), kCVReturnInvalidArgument)
        XCTAssertEqual(
            create(kCVPixelFormatType_OneComponent16Half, offset: 1, bytesPerRow: 4), kCVReturnInvalidArgument)
        XCTAssertEqual(create(kCVPixelFormatType_32BGRA, offset: 1, bytesPerRow: 9), kCVReturnSuccess)
    }
}
