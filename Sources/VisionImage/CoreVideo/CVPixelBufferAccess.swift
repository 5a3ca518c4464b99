public import Foundation

/// Announces access to the pixels. The memory can be reached without it too; code for Apple's systems has to lock.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags) -> CVReturn
{
    pixelBuffer.lock()
    return kCVReturnSuccess
}

/// Ends access to the pixels. Fails when the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags)
    -> CVReturn
{
    pixelBuffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// The first byte of the top row; of the first plane where there are several. Valid while the buffer is referenced.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    pixelBuffer.planes[0].address
}

/// The first byte of a plane's top row; nil where there is no such plane.
public func CVPixelBufferGetBaseAddressOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int)
    -> UnsafeMutableRawPointer?
{
    plane(pixelBuffer, planeIndex)?.address
}

/// Pixels a row.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Rows.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Elements a row of a plane; 0 where there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    plane(pixelBuffer, planeIndex)?.width ?? 0
}

/// Rows of a plane; 0 where there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    plane(pixelBuffer, planeIndex)?.height ?? 0
}

/// Bytes from one row to the next; of the first plane where there are several.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.planes[0].rowBytes }

/// Bytes from one row of a plane to the next; 0 where there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    plane(pixelBuffer, planeIndex)?.rowBytes ?? 0
}

/// The number of planes; 0 for formats with one, as in Core Video.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.layout.isPlanar ? pixelBuffer.planes.count : 0
}

/// Whether the format has several planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.layout.isPlanar }

/// Bytes of all rows of all planes.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.planes.reduce(0) { $0 + $1.rowBytes * $1.height }
}

/// The pixel format: one of the `kCVPixelFormatType_…` constants.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.format }

/// Width and height in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}

private func plane(_ buffer: CVPixelBuffer, _ index: Int) -> CVBuffer.Plane? {
    // A format with one plane answers for plane 0 too, as Core Video does.
    buffer.planes.indices.contains(index) ? buffer.planes[index] : nil
}

/// Whether an attachment travels to buffers made from this one. Nothing here copies attachments, so it has no effect.
public enum CVAttachmentMode: UInt32, Sendable {
    /// Stays with this buffer.
    case shouldNotPropagate = 0
    /// May be copied to others.
    case shouldPropagate = 1
}

/// Attachment key: which matrix the Y′CbCr values were made with. Without it BT.601 is assumed.
public let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
/// The matrix of BT.709: high-definition video.
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// The matrix of BT.601: JPEG and standard-definition video.
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"

/// Attaches a value to the buffer, or replaces it.
public func CVBufferSetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ value: Any, _ attachmentMode: CVAttachmentMode
) {
    buffer.setAttachment(key, value)
}

/// A value attached to the buffer, or nil.
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Any? {
    buffer.attachment(key)
}

/// Takes an attached value away.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) { buffer.setAttachment(key, nil) }

/// Which conversion from Y′CbCr to RGB a buffer asks for.
package enum YCbCrMatrix: Sendable {
    case bt601, bt709
}

extension CVBuffer {
    package var yCbCrMatrix: YCbCrMatrix {
        attachment(kCVImageBufferYCbCrMatrixKey) as? String == kCVImageBufferYCbCrMatrix_ITU_R_709_2 ? .bt709 : .bt601
    }
}
