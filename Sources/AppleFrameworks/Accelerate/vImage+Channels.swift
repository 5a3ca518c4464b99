import Foundation

/// A component times alpha, rounded.
private func multiplied(_ value: UInt8, _ alpha: UInt8) -> UInt8 { UInt8((Int(value) * Int(alpha) + 127) / 255) }

/// A component divided by alpha, rounded; 0 where alpha is 0.
private func divided(_ value: UInt8, _ alpha: UInt8) -> UInt8 {
    alpha == 0 ? 0 : UInt8(min(255, (Int(value) * 255 + Int(alpha) / 2) / Int(alpha)))
}

/// Changes the colours of each pixel by its alpha, which stays.
private func withColours(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, alpha: Int,
    _ change: (_ colour: UInt8, _ alpha: UInt8) -> UInt8
) -> vImage_Error {
    vImageForEachPixel(src, 4, dest, 4) { input, output in
        let value = input[alpha]
        for index in 0..<4 { output[index] = index == alpha ? value : change(input[index], value) }
    }
}

/// Multiplies colours by alpha, the first component.
@discardableResult
public func vImagePremultiplyData_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    withColours(src, dest, alpha: 0, multiplied)
}

/// Multiplies colours by alpha, the last component.
@discardableResult
public func vImagePremultiplyData_RGBA8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    withColours(src, dest, alpha: 3, multiplied)
}

/// Divides colours by alpha, the first component.
@discardableResult
public func vImageUnpremultiplyData_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    withColours(src, dest, alpha: 0, divided)
}

/// Divides colours by alpha, the last component.
@discardableResult
public func vImageUnpremultiplyData_RGBA8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    withColours(src, dest, alpha: 3, divided)
}

/// Adds alpha to pixels of three bytes.
private func withAlpha(
    _ rgb: UnsafePointer<vImage_Buffer>, _ plane: UnsafePointer<vImage_Buffer>?, _ alpha: Pixel_8,
    _ dest: UnsafePointer<vImage_Buffer>, _ premultiply: Bool, _ order: (red: Int, green: Int, blue: Int, alpha: Int)
) -> vImage_Error {
    if let error = dest.pointee.error(bytesPerPixel: 4) { return error }
    if let plane {
        let (source, result) = (plane.pointee, dest.pointee)
        if let error = source.error(bytesPerPixel: 1) { return error }
        guard source.width >= result.width, source.height >= result.height else {
            return kvImageRoiLargerThanInputBuffer
        }
    }
    var (x, y) = (0, 0)
    let width = Int(dest.pointee.width)
    return vImageForEachPixel(rgb, 3, dest, 4) { input, output in
        let a = plane.map { $0.pointee.row(y)[x] } ?? alpha
        (output[order.red], output[order.green]) = (
            premultiply ? multiplied(input[0], a) : input[0], premultiply ? multiplied(input[1], a) : input[1]
        )
        output[order.blue] = premultiply ? multiplied(input[2], a) : input[2]
        output[order.alpha] = a
        x += 1
        if x == width { (x, y) = (0, y + 1) }
    }
}

/// Adds alpha, from a plane or a constant, in front of red, green and blue.
@discardableResult
public func vImageConvert_RGB888toARGB8888(
    _ rgbSrc: UnsafePointer<vImage_Buffer>, _ aSrc: UnsafePointer<vImage_Buffer>?, _ alpha: Pixel_8,
    _ argbDest: UnsafePointer<vImage_Buffer>, _ premultiply: Bool, _ flags: vImage_Flags
) -> vImage_Error { withAlpha(rgbSrc, aSrc, alpha, argbDest, premultiply, (1, 2, 3, 0)) }

/// Adds alpha, from a plane or a constant, behind red, green and blue.
@discardableResult
public func vImageConvert_RGB888toRGBA8888(
    _ rgbSrc: UnsafePointer<vImage_Buffer>, _ aSrc: UnsafePointer<vImage_Buffer>?, _ alpha: Pixel_8,
    _ rgbaDest: UnsafePointer<vImage_Buffer>, _ premultiply: Bool, _ flags: vImage_Flags
) -> vImage_Error { withAlpha(rgbSrc, aSrc, alpha, rgbaDest, premultiply, (0, 1, 2, 3)) }

/// Adds alpha, from a plane or a constant, behind blue, green and red.
@discardableResult
public func vImageConvert_RGB888toBGRA8888(
    _ rgbSrc: UnsafePointer<vImage_Buffer>, _ aSrc: UnsafePointer<vImage_Buffer>?, _ alpha: Pixel_8,
    _ bgraDest: UnsafePointer<vImage_Buffer>, _ premultiply: Bool, _ flags: vImage_Flags
) -> vImage_Error { withAlpha(rgbSrc, aSrc, alpha, bgraDest, premultiply, (2, 1, 0, 3)) }

/// Splits each pixel into three planes.
@discardableResult
public func vImageConvert_RGB888toPlanar8(
    _ rgbSrc: UnsafePointer<vImage_Buffer>, _ redDest: UnsafePointer<vImage_Buffer>,
    _ greenDest: UnsafePointer<vImage_Buffer>, _ blueDest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    for (component, plane) in [redDest, greenDest, blueDest].enumerated() {
        let error = vImageForEachPixel(rgbSrc, 3, plane, 1) { input, output in output.pointee = input[component] }
        if error != kvImageNoError { return error }
    }
    return kvImageNoError
}

/// Joins three planes.
@discardableResult
public func vImageConvert_Planar8toRGB888(
    _ planarRed: UnsafePointer<vImage_Buffer>, _ planarGreen: UnsafePointer<vImage_Buffer>,
    _ planarBlue: UnsafePointer<vImage_Buffer>, _ rgbDest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    for (component, plane) in [planarRed, planarGreen, planarBlue].enumerated() {
        let error = vImageForEachPixel(plane, 1, rgbDest, 3) { input, output in output[component] = input.pointee }
        if error != kvImageNoError { return error }
    }
    return kvImageNoError
}

/// Sets all pixels to a colour of four bytes.
@discardableResult
public func vImageBufferFill_ARGB8888(
    _ dest: UnsafePointer<vImage_Buffer>, _ color: UnsafePointer<UInt8>, _ flags: vImage_Flags
) -> vImage_Error {
    vImageForEachPixel(dest, 4, dest, 4) { _, output in for index in 0..<4 { output[index] = color[index] } }
}
