/// What the numbers of luma (Yp) and chroma (Cb and Cr) mean.
public struct vImage_YpCbCrPixelRange: Sendable {
    /// The luma of black.
    public var Yp_bias: Int32
    /// The chroma of grey.
    public var CbCr_bias: Int32
    /// The luma of white.
    public var YpRangeMax: Int32
    /// The chroma of the most saturated colour.
    public var CbCrRangeMax: Int32
    /// The largest luma; larger ones count as this.
    public var YpMax: Int32
    /// The smallest luma; smaller ones count as this.
    public var YpMin: Int32
    /// The largest chroma; larger ones count as this.
    public var CbCrMax: Int32
    /// The smallest chroma; smaller ones count as this.
    public var CbCrMin: Int32

    /// All zeros.
    public init() {
        self.init(
            Yp_bias: 0, CbCr_bias: 0, YpRangeMax: 0, CbCrRangeMax: 0, YpMax: 0, YpMin: 0, CbCrMax: 0, CbCrMin: 0)
    }

    /// Creates a range: 16, 128, 235, 240, 235, 16, 240, 16 for video range; 0, 128, 255, 255, 255, 1, 255, 0 for full.
    public init(
        Yp_bias: Int32, CbCr_bias: Int32, YpRangeMax: Int32, CbCrRangeMax: Int32, YpMax: Int32, YpMin: Int32,
        CbCrMax: Int32, CbCrMin: Int32
    ) {
        (self.Yp_bias, self.CbCr_bias) = (Yp_bias, CbCr_bias)
        (self.YpRangeMax, self.CbCrRangeMax) = (YpRangeMax, CbCrRangeMax)
        (self.YpMax, self.YpMin) = (YpMax, YpMin)
        (self.CbCrMax, self.CbCrMin) = (CbCrMax, CbCrMin)
    }
}

/// How luma and chroma make red, green and blue.
public struct vImage_YpCbCrToARGBMatrix: Sendable {
    /// Of luma in all colours.
    public var Yp: Float
    /// Of Cr in red.
    public var Cr_R: Float
    /// Of Cr in green.
    public var Cr_G: Float
    /// Of Cb in green.
    public var Cb_G: Float
    /// Of Cb in blue.
    public var Cb_B: Float

    /// Creates a matrix from its coefficients.
    public init(Yp: Float, Cr_R: Float, Cr_G: Float, Cb_G: Float, Cb_B: Float) {
        (self.Yp, self.Cr_R, self.Cr_G, self.Cb_G, self.Cb_B) = (Yp, Cr_R, Cr_G, Cb_G, Cb_B)
    }

    /// A constant of C's interface is the address of a matrix that stays.
    fileprivate static func constant(_ matrix: Self) -> UnsafePointer<Self> {
        let address = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        address.initialize(to: matrix)
        return UnsafePointer(address)
    }
}

/// The matrix of ITU-R BT.601.
nonisolated(unsafe) public let kvImage_YpCbCrToARGBMatrix_ITU_R_601_4: UnsafePointer<vImage_YpCbCrToARGBMatrix>! =
    vImage_YpCbCrToARGBMatrix.constant(.init(Yp: 1, Cr_R: 1.402, Cr_G: -0.7141363, Cb_G: -0.3441363, Cb_B: 1.772))
/// The matrix of ITU-R BT.709.
nonisolated(unsafe) public let kvImage_YpCbCrToARGBMatrix_ITU_R_709_2: UnsafePointer<vImage_YpCbCrToARGBMatrix>! =
    vImage_YpCbCrToARGBMatrix.constant(.init(Yp: 1, Cr_R: 1.5748, Cr_G: -0.4681243, Cb_G: -0.1873243, Cb_B: 1.8556))

/// A layout of luma and chroma.
public struct vImageYpCbCrType: RawRepresentable, Hashable, Sendable {
    /// The number of the layout.
    public let rawValue: UInt32
    /// Creates a layout from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A layout of alpha, red, green and blue.
public struct vImageARGBType: RawRepresentable, Hashable, Sendable {
    /// The number of the layout.
    public let rawValue: UInt32
    /// Creates a layout from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A plane of luma and one of Cb and Cr, of half the width and height.
public let kvImage420Yp8_CbCr8 = vImageYpCbCrType(rawValue: 4)
/// Four bytes a pixel.
public let kvImageARGB8888 = vImageARGBType(rawValue: 0)

/// A prepared conversion of luma and chroma to red, green and blue.
public struct vImage_YpCbCrToARGB: Sendable {
    fileprivate var range = vImage_YpCbCrPixelRange()
    /// The coefficients with the scales of luma and chroma in them.
    fileprivate var matrix = vImage_YpCbCrToARGBMatrix(Yp: 0, Cr_R: 0, Cr_G: 0, Cb_G: 0, Cb_B: 0)

    /// A conversion to black, until `vImageConvert_YpCbCrToARGB_GenerateConversion` sets it.
    public init() {}
}

/// Prepares a conversion; an error for a range in which white is not brighter than black, and for other layouts than
/// `kvImage420Yp8_CbCr8` and `kvImageARGB8888`.
@discardableResult
public func vImageConvert_YpCbCrToARGB_GenerateConversion(
    _ matrix: UnsafePointer<vImage_YpCbCrToARGBMatrix>, _ pixelRange: UnsafePointer<vImage_YpCbCrPixelRange>,
    _ outInfo: UnsafeMutablePointer<vImage_YpCbCrToARGB>, _ inYpCbCrType: vImageYpCbCrType,
    _ outARGBType: vImageARGBType, _ flags: vImage_Flags
) -> vImage_Error {
    let (range, unit) = (pixelRange.pointee, matrix.pointee)
    let luma = Float(range.YpRangeMax) - Float(range.Yp_bias)
    let chroma = Float(range.CbCrRangeMax) - Float(range.CbCr_bias)
    guard luma > 0, chroma > 0, range.YpMin <= range.YpMax, range.CbCrMin <= range.CbCrMax,
        inYpCbCrType == kvImage420Yp8_CbCr8, outARGBType == kvImageARGB8888
    else { return kvImageInvalidParameter }
    let (y, c) = (255 / luma, 255 / (2 * chroma))
    outInfo.pointee.range = range
    outInfo.pointee.matrix = vImage_YpCbCrToARGBMatrix(
        Yp: unit.Yp * y, Cr_R: unit.Cr_R * c, Cr_G: unit.Cr_G * c, Cb_G: unit.Cb_G * c, Cb_B: unit.Cb_B * c)
    return kvImageNoError
}

/// Converts an image of two planes, as cameras deliver it, to four bytes a pixel. The four pixels that share a chroma
/// get the same one.
///
/// - Parameters:
///   - srcYp: Luma, as large as the destination.
///   - srcCbCr: Pairs of Cb and Cr, half as wide and high, rounded up.
///   - permuteMap: Of each byte of a pixel which of alpha, red, green and blue (0 to 3) it is; nil for that order.
@discardableResult
public func vImageConvert_420Yp8_CbCr8ToARGB8888(
    _ srcYp: UnsafePointer<vImage_Buffer>, _ srcCbCr: UnsafePointer<vImage_Buffer>,
    _ dest: UnsafePointer<vImage_Buffer>, _ info: UnsafePointer<vImage_YpCbCrToARGB>,
    _ permuteMap: UnsafePointer<UInt8>?, _ alpha: UInt8, _ flags: vImage_Flags
) -> vImage_Error {
    let (luma, chroma, target) = (srcYp.pointee, srcCbCr.pointee, dest.pointee)
    if let error = luma.error(bytesPerPixel: 1) ?? chroma.error(bytesPerPixel: 2) ?? target.error(bytesPerPixel: 4) {
        return error
    }
    guard luma.width >= target.width, luma.height >= target.height, chroma.width >= (target.width + 1) / 2,
        chroma.height >= (target.height + 1) / 2
    else { return kvImageRoiLargerThanInputBuffer }
    let order = permuteMap.map { map in (0..<4).map { Int(map[$0]) } } ?? [0, 1, 2, 3]
    guard order.allSatisfy({ $0 < 4 }) else { return kvImageInvalidParameter }
    let (range, matrix) = (info.pointee.range, info.pointee.matrix)
    // Also of what is no number, if a matrix has some.
    func level(_ value: Float) -> UInt8 { value >= 255 ? 255 : value > 0 ? UInt8(value.rounded()) : 0 }
    func limited(_ value: UInt8, _ low: Int32, _ high: Int32, _ bias: Int32) -> Float {
        Float(min(max(Int32(value), low), high)) - Float(bias)
    }
    for y in 0..<Int(target.height) {
        let (from, colours, to) = (luma.row(y), chroma.row(y / 2), target.row(y))
        for x in 0..<Int(target.width) {
            let light = limited(from[x], range.YpMin, range.YpMax, range.Yp_bias) * matrix.Yp
            let pair = x / 2 * 2
            let cb = limited(colours[pair], range.CbCrMin, range.CbCrMax, range.CbCr_bias)
            let cr = limited(colours[pair + 1], range.CbCrMin, range.CbCrMax, range.CbCr_bias)
            let pixel = SIMD4(
                alpha, level(light + matrix.Cr_R * cr), level(light + matrix.Cr_G * cr + matrix.Cb_G * cb),
                level(light + matrix.Cb_B * cb))
            for index in 0..<4 { to[4 * x + index] = pixel[order[index]] }
        }
    }
    return kvImageNoError
}

/// A sum of components times coefficients, divided and limited to a byte.
private func weighted(
    _ pixel: UnsafePointer<UInt8>, _ before: UnsafePointer<Int16>?, after: Int32, divisor: Int32,
    _ coefficient: (Int) -> Int16
) -> UInt8 {
    var sum = Int(after)
    for index in 0..<4 { sum += (Int(pixel[index]) + Int(before?[index] ?? 0)) * Int(coefficient(index)) }
    return UInt8(min(max(sum / Int(divisor), 0), 255))
}

/// Multiplies each pixel, as a row of four components, by a 4 × 4 matrix of rows, adds, and divides; fractions are cut
/// off.
///
/// - Parameters:
///   - pre_bias: Four numbers that are added to the components first, or nil.
///   - post_bias: Four numbers that are added to the products before they are divided, or nil.
@discardableResult
public func vImageMatrixMultiply_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ matrix: UnsafePointer<Int16>,
    _ divisor: Int32, _ pre_bias: UnsafePointer<Int16>?, _ post_bias: UnsafePointer<Int32>?, _ flags: vImage_Flags
) -> vImage_Error {
    guard divisor != 0 else { return kvImageInvalidParameter }
    return vImageForEachPixel(src, 4, dest, 4) { input, output in
        // Source and destination may be the same.
        var pixel = SIMD4<UInt8>.zero
        for column in 0..<4 {
            pixel[column] = weighted(input, pre_bias, after: post_bias?[column] ?? 0, divisor: divisor) {
                matrix[4 * $0 + column]
            }
        }
        for index in 0..<4 { output[index] = pixel[index] }
    }
}

/// Makes one component of four: each times a coefficient, added and divided; fractions are cut off. With the weights of
/// red, green and blue this is grey.
@discardableResult
public func vImageMatrixMultiply_ARGB8888ToPlanar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ matrix: UnsafePointer<Int16>,
    _ divisor: Int32, _ pre_bias: UnsafePointer<Int16>?, _ post_bias: Int32, _ flags: vImage_Flags
) -> vImage_Error {
    guard divisor != 0 else { return kvImageInvalidParameter }
    return vImageForEachPixel(src, 4, dest, 1) { input, output in
        output[0] = weighted(input, pre_bias, after: post_bias, divisor: divisor) { matrix[$0] }
    }
}
