import Foundation

/// Replaces each byte by an entry of a table of 256.
@discardableResult
public func vImageTableLookUp_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ table: UnsafePointer<Pixel_8>,
    _ flags: vImage_Flags
) -> vImage_Error {
    vImageForEachPixel(src, 1, dest, 1) { input, output in output.pointee = table[Int(input.pointee)] }
}

/// Splits pixels of four bytes into four planes of floats.
///
/// - Parameters:
///   - maxFloat: What 255 becomes, for each of the four components.
///   - minFloat: What 0 becomes.
@discardableResult
public func vImageConvert_ARGB8888toPlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ alpha: UnsafePointer<vImage_Buffer>, _ red: UnsafePointer<vImage_Buffer>,
    _ green: UnsafePointer<vImage_Buffer>, _ blue: UnsafePointer<vImage_Buffer>, _ maxFloat: UnsafePointer<Float>,
    _ minFloat: UnsafePointer<Float>, _ flags: vImage_Flags
) -> vImage_Error {
    for (component, plane) in [alpha, red, green, blue].enumerated() {
        let (low, scale) = (minFloat[component], (maxFloat[component] - minFloat[component]) / 255)
        let error = vImageForEachPixel(src, 4, plane, 4) { input, output in
            UnsafeMutableRawPointer(output).storeBytes(of: Float(input[component]) * scale + low, as: Float.self)
        }
        if error != kvImageNoError { return error }
    }
    return kvImageNoError
}

/// Joins three planes of floats to pixels of blue, green, red and a constant.
///
/// - Parameters:
///   - maxFloat: What becomes 255, for blue, green and red. Results are rounded and limited; NaN becomes 0.
///   - minFloat: What becomes 0.
@discardableResult
public func vImageConvert_PlanarFToBGRX8888(
    _ blue: UnsafePointer<vImage_Buffer>, _ green: UnsafePointer<vImage_Buffer>, _ red: UnsafePointer<vImage_Buffer>,
    _ alpha: Pixel_8, _ dest: UnsafePointer<vImage_Buffer>, _ maxFloat: UnsafePointer<Float>,
    _ minFloat: UnsafePointer<Float>, _ flags: vImage_Flags
) -> vImage_Error {
    for (component, plane) in [blue, green, red].enumerated() {
        let (low, high) = (minFloat[component], maxFloat[component])
        guard low != high else { return kvImageInvalidParameter }
        let error = vImageForEachPixel(plane, 4, dest, 4) { input, output in
            let value = UnsafeRawPointer(input).loadUnaligned(as: Float.self)
            let level = ((value - low) * (255 / (high - low))).rounded()
            output[component] = level > 0 ? UInt8(min(level, 255)) : 0
            output[3] = alpha
        }
        if error != kvImageNoError { return error }
    }
    return kvImageNoError
}
