import Foundation
import VisionImage

/// A number of pixels.
public typealias vImagePixelCount = UInt
/// The result of a function of vImage; 0 is success.
public typealias vImage_Error = Int
/// Options of a function of vImage.
public typealias vImage_Flags = UInt32
/// A byte of a planar image.
public typealias Pixel_8 = UInt8
/// A float of a planar image.
public typealias Pixel_F = Float

/// Success.
public let kvImageNoError: vImage_Error = 0
/// A region lies outside of a buffer, or buffers differ in size.
public let kvImageRoiLargerThanInputBuffer: vImage_Error = -21766
/// An argument is out of range.
public let kvImageInvalidParameter: vImage_Error = -21773
/// Memory is short.
public let kvImageMemoryAllocationError: vImage_Error = -21771
/// A pointer is nil.
public let kvImageNullPointerArgument: vImage_Error = -21772
/// Buffers have different sizes.
public let kvImageBufferSizeMismatch: vImage_Error = -21774

/// No options.
public let kvImageNoFlags: Int = 0
/// Better resampling; here always.
public let kvImageHighQualityResampling: Int = 32
/// No threads of its own; here always.
public let kvImageDoNotTile: Int = 16

/// An image in memory that belongs to the caller: rows of pixels, the top row first.
public struct vImage_Buffer {
    /// The address of the first row.
    public var data: UnsafeMutableRawPointer!
    /// The number of rows.
    public var height: vImagePixelCount
    /// The number of pixels in a row.
    public var width: vImagePixelCount
    /// The distance of rows in bytes.
    public var rowBytes: Int

    /// Creates an empty description.
    public init() { self.init(data: nil, height: 0, width: 0, rowBytes: 0) }

    /// Creates a description of memory.
    public init(data: UnsafeMutableRawPointer!, height: vImagePixelCount, width: vImagePixelCount, rowBytes: Int) {
        (self.data, self.height, self.width, self.rowBytes) = (data, height, width, rowBytes)
    }

    /// Frees memory of `vImageBuffer_Init`.
    public func free() { Foundation.free(data) }

    /// Why an image of pixels of so many bytes cannot be here; nil if it can.
    func error(bytesPerPixel: Int) -> vImage_Error? {
        guard data != nil else { return kvImageNullPointerArgument }
        guard height > 0, width > 0, height < 1 << 24, width < 1 << 24, rowBytes >= Int(width) * bytesPerPixel else {
            return kvImageInvalidParameter
        }
        return nil
    }

    /// The address of a row.
    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        (data + index * rowBytes).assumingMemoryBound(to: UInt8.self)
    }
}

/// Allocates memory for an image, which `free()` or `vImage_Buffer.free()` releases.
///
/// - Parameter pixelBits: The bits of a pixel: 8, 16, 24, 32, 64 or 128.
@discardableResult
public func vImageBuffer_Init(
    _ buf: UnsafeMutablePointer<vImage_Buffer>, _ height: vImagePixelCount, _ width: vImagePixelCount,
    _ pixelBits: UInt32, _ flags: vImage_Flags
) -> vImage_Error {
    guard height > 0, width > 0, height < 1 << 24, width < 1 << 24, pixelBits % 8 == 0, (8...128).contains(pixelBits)
    else { return kvImageInvalidParameter }
    let row = (Int(width) * Int(pixelBits / 8) + 63) / 64 * 64
    var address: UnsafeMutableRawPointer?
    guard posix_memalign(&address, 64, row * Int(height)) == 0, let address else { return kvImageMemoryAllocationError }
    buf.pointee = vImage_Buffer(data: address, height: height, width: width, rowBytes: row)
    return kvImageNoError
}

private func scaled(
    _ src: vImage_Buffer, _ dest: vImage_Buffer, _ format: Raster.Format
) -> vImage_Error {
    let size = format.bytesPerPixel
    if let error = src.error(bytesPerPixel: size) ?? dest.error(bytesPerPixel: size) { return error }
    let (width, height) = (Int(src.width), Int(src.height))
    let memory = PixelMemory(borrowing: src.data, count: (height - 1) * src.rowBytes + width * size, release: {})
    let source = Raster(width: width, height: height, format: format, rowBytes: src.rowBytes, memory: memory)
    guard
        let result = try? source.resized(
            width: Int(dest.width), height: Int(dest.height), filter: .antialiasedBilinear)
    else { return kvImageInvalidParameter }
    result.withUnsafePixels { pixels in
        for row in 0..<result.height {
            dest.row(row).update(
                from: (pixels + row * result.rowBytes).assumingMemoryBound(to: UInt8.self),
                count: result.width * size)
        }
    }
    return kvImageNoError
}

/// Scales an image of four bytes a pixel to the size of the destination, by a triangle filter; vImage's own is Lanczos.
@discardableResult
public func vImageScale_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ tempBuffer: UnsafeMutableRawPointer?,
    _ flags: vImage_Flags
) -> vImage_Error {
    scaled(src.pointee, dest.pointee, .bgra8)
}

/// Scales an image of one byte a pixel to the size of the destination, by a triangle filter; vImage's own is Lanczos.
@discardableResult
public func vImageScale_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ tempBuffer: UnsafeMutableRawPointer?,
    _ flags: vImage_Flags
) -> vImage_Error {
    scaled(src.pointee, dest.pointee, .grey8)
}

/// Scales an image of floats to the size of the destination, by a triangle filter; vImage's own is Lanczos.
@discardableResult
public func vImageScale_PlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ tempBuffer: UnsafeMutableRawPointer?,
    _ flags: vImage_Flags
) -> vImage_Error {
    scaled(src.pointee, dest.pointee, .greyFloat)
}
