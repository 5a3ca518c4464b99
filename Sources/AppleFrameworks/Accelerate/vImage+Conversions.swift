import Foundation

/// Calls the closure for each pixel of two images of the same size with the bytes of both.
func vImageForEachPixel(
    _ src: UnsafePointer<vImage_Buffer>, _ from: Int, _ dest: UnsafePointer<vImage_Buffer>, _ to: Int,
    _ body: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
) -> vImage_Error {
    let (source, target) = (src.pointee, dest.pointee)
    if let error = source.error(bytesPerPixel: from) ?? target.error(bytesPerPixel: to) { return error }
    guard source.width >= target.width, source.height >= target.height else { return kvImageRoiLargerThanInputBuffer }
    for row in 0..<Int(target.height) {
        let (input, output) = (source.row(row), target.row(row))
        for column in 0..<Int(target.width) { body(input + column * from, output + column * to) }
    }
    return kvImageNoError
}

/// Puts the components of each pixel into another order.
///
/// - Parameter permuteMap: For each component of the result its position in the source, 0…3.
@discardableResult
public func vImagePermuteChannels_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ permuteMap: UnsafePointer<UInt8>,
    _ flags: vImage_Flags
) -> vImage_Error {
    let map = (0..<4).map { Int(permuteMap[$0]) }
    guard map.allSatisfy({ $0 < 4 }) else { return kvImageInvalidParameter }
    return vImageForEachPixel(src, 4, dest, 4) { input, output in
        // Read first: both may be the same memory.
        let pixel = (input[map[0]], input[map[1]], input[map[2]], input[map[3]])
        (output[0], output[1], output[2], output[3]) = pixel
    }
}

/// Drops the first component of each pixel.
@discardableResult
public func vImageConvert_ARGB8888toRGB888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    vImageForEachPixel(src, 4, dest, 3) { input, output in
        (output[0], output[1], output[2]) = (input[1], input[2], input[3])
    }
}

/// Drops the last component of each pixel.
@discardableResult
public func vImageConvert_RGBA8888toRGB888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    vImageForEachPixel(src, 4, dest, 3) { input, output in
        (output[0], output[1], output[2]) = (input[0], input[1], input[2])
    }
}

/// Drops the last component of each pixel and turns the others round.
@discardableResult
public func vImageConvert_BGRA8888toRGB888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    vImageForEachPixel(src, 4, dest, 3) { input, output in
        (output[0], output[1], output[2]) = (input[2], input[1], input[0])
    }
}

/// Bytes as floats in a range.
@discardableResult
public func vImageConvert_Planar8toPlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ maxFloat: Pixel_F,
    _ minFloat: Pixel_F, _ flags: vImage_Flags
) -> vImage_Error {
    let scale = (maxFloat - minFloat) / 255
    return vImageForEachPixel(src, 1, dest, 4) { input, output in
        UnsafeMutableRawPointer(output).storeBytes(of: Float(input.pointee) * scale + minFloat, as: Float.self)
    }
}

/// Floats in a range as bytes, rounded and limited; NaN becomes 0.
@discardableResult
public func vImageConvert_PlanarFtoPlanar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ maxFloat: Pixel_F,
    _ minFloat: Pixel_F, _ flags: vImage_Flags
) -> vImage_Error {
    guard maxFloat != minFloat else { return kvImageInvalidParameter }
    let scale = 255 / (maxFloat - minFloat)
    return vImageForEachPixel(src, 4, dest, 1) { input, output in
        let value = ((UnsafeRawPointer(input).loadUnaligned(as: Float.self) - minFloat) * scale).rounded()
        output.pointee = value > 0 ? UInt8(min(value, 255)) : 0
    }
}

/// Splits each pixel into four planes.
@discardableResult
public func vImageConvert_ARGB8888toPlanar8(
    _ srcARGB: UnsafePointer<vImage_Buffer>, _ destA: UnsafePointer<vImage_Buffer>,
    _ destR: UnsafePointer<vImage_Buffer>, _ destG: UnsafePointer<vImage_Buffer>,
    _ destB: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    for (component, plane) in [destA, destR, destG, destB].enumerated() {
        let error = vImageForEachPixel(srcARGB, 4, plane, 1) { input, output in output.pointee = input[component] }
        if error != kvImageNoError { return error }
    }
    return kvImageNoError
}

/// Joins four planes.
@discardableResult
public func vImageConvert_Planar8toARGB8888(
    _ srcA: UnsafePointer<vImage_Buffer>, _ srcR: UnsafePointer<vImage_Buffer>,
    _ srcG: UnsafePointer<vImage_Buffer>, _ srcB: UnsafePointer<vImage_Buffer>,
    _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    for (component, plane) in [srcA, srcR, srcG, srcB].enumerated() {
        let error = vImageForEachPixel(plane, 1, dest, 4) { input, output in output[component] = input.pointee }
        if error != kvImageNoError { return error }
    }
    return kvImageNoError
}
