public import Foundation

/// Locks the pixels for access. The memory is accessible without it too; code for Apple's systems has to lock.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags) -> CVReturn
{
    pixelBuffer.lock()
    return kCVReturnSuccess
}

/// Ends the access to the pixels. Fails if the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags)
    -> CVReturn
{
    pixelBuffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// Returns the address of the top row; of the first plane if there are several. Valid while the buffer is referenced.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    pixelBuffer.planes[0].address
}

/// Returns the address of a plane's top row; nil if the plane does not exist.
public func CVPixelBufferGetBaseAddressOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int)
    -> UnsafeMutableRawPointer?
{
    plane(pixelBuffer, planeIndex)?.address
}

/// Returns the number of pixels in a row.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Returns the number of rows.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Returns the number of elements in a row of a plane; 0 if the plane does not exist.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    plane(pixelBuffer, planeIndex)?.width ?? 0
}

/// Returns the number of rows of a plane; 0 if the plane does not exist.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    plane(pixelBuffer, planeIndex)?.height ?? 0
}

/// Returns the row stride in bytes; of the first plane if there are several.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.planes[0].rowBytes }

/// Returns the row stride of a plane in bytes; 0 if the plane does not exist.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    plane(pixelBuffer, planeIndex)?.rowBytes ?? 0
}

/// Returns the number of planes; 0 for formats with one, as in Core Video.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.layout.isPlanar ? pixelBuffer.planes.count : 0
}

/// Returns whether the format has several planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.layout.isPlanar }

/// Returns the number of bytes of all rows of all planes.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.planes.reduce(0) { $0 + $1.rowBytes * $1.height }
}

/// Returns the pixel format: one of the `kCVPixelFormatType_…` constants.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.format }

/// Returns the width and height in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

private func plane(_ buffer: CVPixelBuffer, _ index: Int) -> CVBuffer.Plane? {
    // Core Video also returns plane 0 of a format with one plane.
    buffer.planes.indices.contains(index) ? buffer.planes[index] : nil
}

/// Attachment key: the matrix of the Y′CbCr values. The default is BT.601.
public let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
/// The matrix of BT.709: high-definition video.
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// The matrix of BT.601: JPEG and standard-definition video.
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"

/// The conversion from Y′CbCr to RGB of a buffer.
package enum YCbCrMatrix: Sendable {
    case bt601, bt709
}

extension CVBuffer {
    package var yCbCrMatrix: YCbCrMatrix {
        attachment(kCVImageBufferYCbCrMatrixKey) as? String == kCVImageBufferYCbCrMatrix_ITU_R_709_2 ? .bt709 : .bt601
    }
}
