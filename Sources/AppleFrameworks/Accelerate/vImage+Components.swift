import Foundation
import VisionImage

// Conversions of floats, and single components of pixels.

/// Floats of 32 bits as those of 16, to the nearest.
@discardableResult
public func vImageConvert_PlanarFtoPlanar16F(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    vImageForEachPixel(src, 4, dest, 2) { input, output in
        let value = Float16(UnsafeRawPointer(input).loadUnaligned(as: Float.self))
        UnsafeMutableRawPointer(output).storeBytes(of: value, as: Float16.self)
    }
}

/// Floats of 16 bits as those of 32.
@discardableResult
public func vImageConvert_Planar16FtoPlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    vImageForEachPixel(src, 2, dest, 4) { input, output in
        let value = Float(UnsafeRawPointer(input).loadUnaligned(as: Float16.self))
        UnsafeMutableRawPointer(output).storeBytes(of: value, as: Float.self)
    }
}

/// Copies one of the four components of each pixel to a plane.
///
/// - Parameter channelIndex: The component, 0…3.
@discardableResult
public func vImageExtractChannel_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ channelIndex: Int,
    _ flags: vImage_Flags
) -> vImage_Error {
    guard (0..<4).contains(channelIndex) else { return kvImageInvalidParameter }
    return vImageForEachPixel(src, 4, dest, 1) { input, output in output.pointee = input[channelIndex] }
}

/// The components whose bit is set in a mask: 8 for the first, 4, 2, and 1 for the last.
private func components(of mask: UInt8) -> [Int] { (0..<4).filter { mask & (8 >> $0) != 0 } }

/// Replaces components of each pixel by a plane's bytes.
///
/// - Parameters:
///   - newSrc: The plane.
///   - origSrc: The pixels; `dest` may be the same.
///   - copyMask: The components that are replaced: 8 for the first, 4, 2, and 1 for the last.
@discardableResult
public func vImageOverwriteChannels_ARGB8888(
    _ newSrc: UnsafePointer<vImage_Buffer>, _ origSrc: UnsafePointer<vImage_Buffer>,
    _ dest: UnsafePointer<vImage_Buffer>, _ copyMask: UInt8, _ flags: vImage_Flags
) -> vImage_Error {
    let status = vImageForEachPixel(origSrc, 4, dest, 4) { input, output in
        let pixel = (input[0], input[1], input[2], input[3])
        (output[0], output[1], output[2], output[3]) = pixel
    }
    guard status == kvImageNoError else { return status }
    let replaced = components(of: copyMask)
    return vImageForEachPixel(newSrc, 1, dest, 4) { input, output in
        for component in replaced { output[component] = input.pointee }
    }
}

/// Replaces components of each pixel by a byte. See `vImageOverwriteChannels_ARGB8888`.
@discardableResult
public func vImageOverwriteChannelsWithScalar_ARGB8888(
    _ scalar: Pixel_8, _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ copyMask: UInt8,
    _ flags: vImage_Flags
) -> vImage_Error {
    let replaced = components(of: copyMask)
    return vImageForEachPixel(src, 4, dest, 4) { input, output in
        let pixel = (input[0], input[1], input[2], input[3])
        (output[0], output[1], output[2], output[3]) = pixel
        for component in replaced { output[component] = scalar }
    }
}

/// Draws pixels over others, colours being multiplied by alpha, which is the given component.
private func blended(
    _ top: UnsafePointer<vImage_Buffer>, _ bottom: UnsafePointer<vImage_Buffer>,
    _ dest: UnsafePointer<vImage_Buffer>, alpha: Int
) -> vImage_Error {
    let (over, under, target) = (top.pointee, bottom.pointee, dest.pointee)
    if let error = over.error(bytesPerPixel: 4) ?? under.error(bytesPerPixel: 4) ?? target.error(bytesPerPixel: 4) {
        return error
    }
    guard over.width >= target.width, over.height >= target.height, under.width >= target.width,
        under.height >= target.height
    else { return kvImageRoiLargerThanInputBuffer }
    for y in 0..<Int(target.height) {
        let (first, second, result) = (over.row(y), under.row(y), target.row(y))
        for x in 0..<Int(target.width) {
            let rest = 255 - Int(first[4 * x + alpha])
            for byte in 4 * x..<4 * x + 4 {
                result[byte] = UInt8(min(255, Int(first[byte]) + (Int(second[byte]) * rest + 127) / 255))
            }
        }
    }
    return kvImageNoError
}

/// Draws pixels of alpha, red, green and blue over others, colours being multiplied by alpha.
@discardableResult
public func vImagePremultipliedAlphaBlend_ARGB8888(
    _ srcTop: UnsafePointer<vImage_Buffer>, _ srcBottom: UnsafePointer<vImage_Buffer>,
    _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { blended(srcTop, srcBottom, dest, alpha: 0) }

/// Draws pixels of blue, green, red and alpha over others, colours being multiplied by alpha.
@discardableResult
public func vImagePremultipliedAlphaBlend_BGRA8888(
    _ srcTop: UnsafePointer<vImage_Buffer>, _ srcBottom: UnsafePointer<vImage_Buffer>,
    _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { blended(srcTop, srcBottom, dest, alpha: 3) }
