import Foundation

/// The number of quarter turns of `vImageRotate90_…`.
public let kRotate0DegreesClockwise: Int = 0
/// A quarter turn counter-clockwise.
public let kRotate90DegreesCounterClockwise: Int = 1
/// A half turn.
public let kRotate180DegreesClockwise: Int = 2
/// A half turn.
public let kRotate180DegreesCounterClockwise: Int = 2
/// A quarter turn clockwise.
public let kRotate90DegreesClockwise: Int = 3
/// Three quarters of a turn counter-clockwise.
public let kRotate270DegreesCounterClockwise: Int = 3
/// Three quarters of a turn clockwise.
public let kRotate270DegreesClockwise: Int = 1
/// No turn.
public let kRotate0DegreesCounterClockwise: Int = 0

/// Copies each pixel of the destination from a place in the source, or from the background where that is outside.
private func gather(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, size: Int, background: [UInt8],
    _ place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)
) -> vImage_Error {
    let (source, target) = (src.pointee, dest.pointee)
    if let error = source.error(bytesPerPixel: size) ?? target.error(bytesPerPixel: size) { return error }
    let (width, height) = (Int(source.width), Int(source.height))
    for y in 0..<Int(target.height) {
        let row = target.row(y)
        for x in 0..<Int(target.width) {
            let from = place(x, y)
            if from.x >= 0, from.y >= 0, from.x < width, from.y < height {
                (row + x * size).update(from: source.row(from.y) + from.x * size, count: size)
            } else {
                for byte in 0..<size { row[x * size + byte] = background[byte] }
            }
        }
    }
    return kvImageNoError
}

/// Turns by quarters about the centre. Pixels that have no source get the background.
private func rotated(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ turns: UInt8, _ size: Int,
    _ background: [UInt8]
) -> vImage_Error {
    guard turns < 4 else { return kvImageInvalidParameter }
    let (source, target) = (src.pointee, dest.pointee)
    guard source.width < 1 << 24, source.height < 1 << 24, target.width < 1 << 24, target.height < 1 << 24 else {
        return kvImageInvalidParameter
    }
    let (w, h) = (Int(source.width), Int(source.height))
    let isSwapped = turns % 2 == 1
    // The image lies in the middle of a destination of another size.
    let left = (Int(target.width) - (isSwapped ? h : w)) / 2
    let top = (Int(target.height) - (isSwapped ? w : h)) / 2
    return gather(src, dest, size: size, background: background) { x, y in
        let (x, y) = (x - left, y - top)
        switch turns {
        case 1: return (w - 1 - y, x)
        case 2: return (w - 1 - x, h - 1 - y)
        case 3: return (y, h - 1 - x)
        default: return (x, y)
        }
    }
}

/// Turns an image of four bytes a pixel by quarters, counter-clockwise, about its centre. Source and destination must
/// not share memory.
///
/// - Parameter backColor: The four bytes of pixels without a source.
@discardableResult
public func vImageRotate90_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ rotationConstant: UInt8,
    _ backColor: UnsafePointer<UInt8>, _ flags: vImage_Flags
) -> vImage_Error {
    rotated(src, dest, rotationConstant, 4, (0..<4).map { backColor[$0] })
}

/// Turns an image of one byte a pixel by quarters. See `vImageRotate90_ARGB8888`.
@discardableResult
public func vImageRotate90_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ rotationConstant: UInt8,
    _ backColor: Pixel_8, _ flags: vImage_Flags
) -> vImage_Error {
    rotated(src, dest, rotationConstant, 1, [backColor])
}

/// Turns an image of floats by quarters. See `vImageRotate90_ARGB8888`.
@discardableResult
public func vImageRotate90_PlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ rotationConstant: UInt8,
    _ backColor: Pixel_F, _ flags: vImage_Flags
) -> vImage_Error {
    rotated(src, dest, rotationConstant, 4, withUnsafeBytes(of: backColor) { Array($0) })
}

/// Turns an image of four bytes a pixel about its centre, with bilinear interpolation. Source and destination must not
/// share memory.
///
/// - Parameters:
///   - angleInRadians: Counter-clockwise.
///   - backColor: The four bytes of pixels without a source.
@discardableResult
public func vImageRotate_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ tempBuffer: UnsafeMutableRawPointer?,
    _ angleInRadians: Float, _ backColor: UnsafePointer<UInt8>, _ flags: vImage_Flags
) -> vImage_Error {
    let (source, target) = (src.pointee, dest.pointee)
    if let error = source.error(bytesPerPixel: 4) ?? target.error(bytesPerPixel: 4) { return error }
    guard angleInRadians.isFinite else { return kvImageInvalidParameter }
    let (c, s) = (cos(Double(angleInRadians)), sin(Double(angleInRadians)))
    let (w, h) = (Int(source.width), Int(source.height))
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
        guard x >= 0, y >= 0, x < w, y < h else {
            return SIMD4(Double(backColor[0]), Double(backColor[1]), Double(backColor[2]), Double(backColor[3]))
        }
        let at = source.row(y) + 4 * x
        return SIMD4(Double(at[0]), Double(at[1]), Double(at[2]), Double(at[3]))
    }
    for y in 0..<Int(target.height) {
        for x in 0..<Int(target.width) {
            let (dx, dy) = (Double(x) + 0.5 - Double(target.width) / 2, Double(y) + 0.5 - Double(target.height) / 2)
            let (fx, fy) = (c * dx - s * dy + Double(w) / 2 - 0.5, s * dx + c * dy + Double(h) / 2 - 0.5)
            let (left, top) = (Int(fx.rounded(.down)), Int(fy.rounded(.down)))
            let (u, v) = (fx - Double(left), fy - Double(top))
            let upper = pixel(left, top) * (1 - u) + pixel(left + 1, top) * u
            let lower = pixel(left, top + 1) * (1 - u) + pixel(left + 1, top + 1) * u
            let mixed = (upper * (1 - v) + lower * v).rounded(.toNearestOrAwayFromZero)
            for byte in 0..<4 { target.row(y)[4 * x + byte] = UInt8(min(max(mixed[byte], 0), 255)) }
        }
    }
    return kvImageNoError
}

private func reflected(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ size: Int, horizontally: Bool
) -> vImage_Error {
    let (source, target) = (src.pointee, dest.pointee)
    guard source.width == target.width, source.height == target.height else { return kvImageBufferSizeMismatch }
    guard source.width < 1 << 24, source.height < 1 << 24 else { return kvImageInvalidParameter }
    let (w, h) = (Int(source.width), Int(source.height))
    return gather(src, dest, size: size, background: Array(repeating: 0, count: size)) { x, y in
        horizontally ? (w - 1 - x, y) : (x, h - 1 - y)
    }
}

/// Exchanges left and right. Source and destination must not share memory.
@discardableResult
public func vImageHorizontalReflect_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { reflected(src, dest, 4, horizontally: true) }

/// Exchanges left and right. Source and destination must not share memory.
@discardableResult
public func vImageHorizontalReflect_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { reflected(src, dest, 1, horizontally: true) }

/// Exchanges left and right. Source and destination must not share memory.
@discardableResult
public func vImageHorizontalReflect_PlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { reflected(src, dest, 4, horizontally: true) }

/// Exchanges top and bottom. Source and destination must not share memory.
@discardableResult
public func vImageVerticalReflect_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { reflected(src, dest, 4, horizontally: false) }

/// Exchanges top and bottom. Source and destination must not share memory.
@discardableResult
public func vImageVerticalReflect_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { reflected(src, dest, 1, horizontally: false) }

/// Exchanges top and bottom. Source and destination must not share memory.
@discardableResult
public func vImageVerticalReflect_PlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { reflected(src, dest, 4, horizontally: false) }
