public import Foundation
public import VisionImage

/// The layout of an image's pixels: 8 bits a component, grey or RGB, 8, 24 or 32 bits a pixel.
public struct vImage_CGImageFormat {
    /// The bits of a component: 8.
    public var bitsPerComponent: UInt32
    /// The bits of a pixel: 8, 24 or 32.
    public var bitsPerPixel: UInt32
    /// Grey or RGB; nil for RGB.
    public var colorSpace: Unmanaged<CGColorSpace>?
    /// Alpha and byte order.
    public var bitmapInfo: CGBitmapInfo
    /// 0.
    public var version: UInt32
    /// Not used.
    public var decode: UnsafePointer<CGFloat>?
    /// Not used.
    public var renderingIntent: CGColorRenderingIntent

    /// Creates an empty description, which a function of vImage fills.
    public init() {
        self.init(
            bitsPerComponent: 0, bitsPerPixel: 0, colorSpace: nil, bitmapInfo: [], version: 0, decode: nil,
            renderingIntent: .defaultIntent)
    }

    /// Creates a description.
    public init(
        bitsPerComponent: UInt32, bitsPerPixel: UInt32, colorSpace: Unmanaged<CGColorSpace>?,
        bitmapInfo: CGBitmapInfo, version: UInt32 = 0, decode: UnsafePointer<CGFloat>? = nil,
        renderingIntent: CGColorRenderingIntent = .defaultIntent
    ) {
        (self.bitsPerComponent, self.bitsPerPixel, self.colorSpace) = (bitsPerComponent, bitsPerPixel, colorSpace)
        (self.bitmapInfo, self.version, self.decode) = (bitmapInfo, version, decode)
        self.renderingIntent = renderingIntent
    }

    /// Creates a description; nil for a layout that is not supported. The colour space is kept for the rest of the
    /// program.
    public init?(
        bitsPerComponent: Int, bitsPerPixel: Int, colorSpace: CGColorSpace, bitmapInfo: CGBitmapInfo,
        renderingIntent: CGColorRenderingIntent = .defaultIntent
    ) {
        guard
            BitmapLayout(
                bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel, space: colorSpace, info: bitmapInfo)
                != nil
        else { return nil }
        self.init(
            bitsPerComponent: UInt32(bitsPerComponent), bitsPerPixel: UInt32(bitsPerPixel),
            colorSpace: .passRetained(colorSpace), bitmapInfo: bitmapInfo)
    }

    /// Creates the description of an image's pixels.
    public init?(cgImage: CGImage) {
        guard let space = cgImage.colorSpace else { return nil }
        self.init(
            bitsPerComponent: cgImage.bitsPerComponent, bitsPerPixel: cgImage.bitsPerPixel, colorSpace: space,
            bitmapInfo: cgImage.bitmapInfo)
    }

    /// The colour space; RGB if none is set.
    var space: CGColorSpace { colorSpace?.takeUnretainedValue() ?? CGColorSpaceCreateDeviceRGB() }

    var layout: BitmapLayout? {
        BitmapLayout(
            bitsPerComponent: Int(bitsPerComponent), bitsPerPixel: Int(bitsPerPixel), space: space, info: bitmapInfo)
    }
}

/// The format has no such layout of pixels.
public let kvImageInvalidImageFormat: vImage_Error = -21778
/// A conversion needs a buffer of its own for its result.
public let kvImageOutOfPlaceOperationRequired: vImage_Error = -21780

/// The memory is allocated by the caller.
public let kvImageNoAllocate: Int = 512
/// Prints why a conversion fails; here without effect.
public let kvImagePrintDiagnosticsToConsole: Int = 256

/// Allocates memory for the pixels of an image and converts them to a layout. `vImage_Buffer.free()` releases it.
///
/// - Parameters:
///   - format: The layout; one of zeros is set to that of the image.
///   - backgroundColor: Red, green and blue under transparent pixels where the layout has no alpha; nil for black.
///   - flags: With `kvImageNoAllocate` the buffer is there already.
@discardableResult
public func vImageBuffer_InitWithCGImage(
    _ buf: UnsafeMutablePointer<vImage_Buffer>, _ format: UnsafeMutablePointer<vImage_CGImageFormat>,
    _ backgroundColor: UnsafePointer<CGFloat>?, _ image: CGImage, _ flags: vImage_Flags
) -> vImage_Error {
    if format.pointee.bitsPerPixel == 0 {
        guard let own = vImage_CGImageFormat(cgImage: image) else { return kvImageInvalidImageFormat }
        format.pointee = own
    }
    guard let layout = format.pointee.layout else { return kvImageInvalidImageFormat }
    guard let pixels = try? image.raster.converted(to: .rgba8) else { return kvImageMemoryAllocationError }
    if flags & vImage_Flags(kvImageNoAllocate) == 0 {
        let status = vImageBuffer_Init(
            buf, vImagePixelCount(image.height), vImagePixelCount(image.width), format.pointee.bitsPerPixel, flags)
        guard status == kvImageNoError else { return status }
    }
    if let error = buf.pointee.error(bytesPerPixel: layout.bytesPerPixel) { return error }
    guard Int(buf.pointee.width) == image.width, Int(buf.pointee.height) == image.height else {
        return kvImageBufferSizeMismatch
    }
    let background = (0..<3).map { min(max(0, Double(backgroundColor?[$0] ?? 0)), 1) * 255 }
    let conversion = AlphaConversion(from: image.alphaInfo, to: layout.alpha, background: background)
    let order = PixelOrder(layout, format.pointee.bitmapInfo)
    let target = buf.pointee
    pixels.withUnsafePixels { source in
        for y in 0..<image.height {
            let (from, to) = (source + y * pixels.rowBytes, target.row(y))
            for x in 0..<image.width {
                let pixel = from.loadUnaligned(fromByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                order.store(conversion.convert(pixel), to + x * layout.bytesPerPixel)
            }
        }
    }
    return kvImageNoError
}

/// Returns an image of a copy of a buffer's pixels.
///
/// - Parameters:
///   - callback: Called with `userData` and the buffer's address, as Apple's does for memory that is not copied.
///   - error: Gets the reason where nil is returned; may be nil.
public func vImageCreateCGImageFromBuffer(
    _ buf: UnsafePointer<vImage_Buffer>, _ format: UnsafePointer<vImage_CGImageFormat>,
    _ callback: ((UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void)?, _ userData: UnsafeMutableRawPointer?,
    _ flags: vImage_Flags, _ error: UnsafeMutablePointer<vImage_Error>?
) -> Unmanaged<CGImage>! {
    let (buffer, format) = (buf.pointee, format.pointee)
    var status = kvImageNoError
    defer { error?.pointee = status }
    guard let layout = format.layout else {
        status = kvImageInvalidImageFormat
        return nil
    }
    if let found = buffer.error(bytesPerPixel: layout.bytesPerPixel) {
        status = found
        return nil
    }
    let row = Int(buffer.width) * layout.bytesPerPixel
    var bytes = Data(capacity: row * Int(buffer.height))
    for y in 0..<Int(buffer.height) { bytes.append(buffer.row(y), count: row) }
    guard let provider = CGDataProvider(data: bytes),
        let image = CGImage(
            width: Int(buffer.width), height: Int(buffer.height), bitsPerComponent: Int(format.bitsPerComponent),
            bitsPerPixel: Int(format.bitsPerPixel), bytesPerRow: row, space: format.space,
            bitmapInfo: format.bitmapInfo, provider: provider, decode: nil, shouldInterpolate: true,
            intent: format.renderingIntent)
    else {
        status = kvImageMemoryAllocationError
        return nil
    }
    callback?(userData, buffer.data)
    return Unmanaged.passRetained(image)
}

extension vImage {
    /// An error of vImage.
    public enum Error: Int, Swift.Error {
        /// An argument is out of range.
        case invalidParameter = -21773
        /// Memory is short.
        case memoryAllocationError = -21771
        /// A pointer is nil.
        case nullPointerArgument = -21772
        /// Buffers have different sizes.
        case bufferSizeMismatch = -21774
        /// A region lies outside of a buffer.
        case roiLargerThanInputBuffer = -21766
        /// The format has no such layout of pixels.
        case invalidImageFormat = -21778

        fileprivate static func check(_ status: vImage_Error) throws {
            if status != kvImageNoError { throw Error(rawValue: status) ?? .invalidParameter }
        }
    }

    /// Options of a function of vImage.
    public struct Options: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Creates options of bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// No options.
        public static let noFlags: Options = []
        /// Better resampling; here always.
        public static let highQualityResampling = Options(rawValue: kvImageHighQualityResampling)
        /// No threads of its own; here always.
        public static let doNotTile = Options(rawValue: kvImageDoNotTile)
        var flags: vImage_Flags { vImage_Flags(truncatingIfNeeded: rawValue) }
    }
}

/// The names of vImage's errors and options.
public enum vImage {}

extension vImage_Buffer {
    /// The size in pixels.
    public var size: CGSize { CGSize(width: Int(width), height: Int(height)) }

    /// Allocates memory for an image, which `free()` releases.
    ///
    /// - Throws: `vImage.Error`.
    public init(width: Int, height: Int, bitsPerPixel: UInt32) throws {
        self.init()
        guard width > 0, height > 0 else { throw vImage.Error.invalidParameter }
        try vImage.Error.check(
            vImageBuffer_Init(&self, vImagePixelCount(height), vImagePixelCount(width), bitsPerPixel, 0))
    }

    /// Allocates memory for the pixels of an image, which `free()` releases, in the layout of the image.
    ///
    /// - Throws: `vImage.Error`.
    public init(cgImage: CGImage, flags: vImage.Options = .noFlags) throws {
        try self.init(cgImage: cgImage, format: vImage_CGImageFormat(), flags: flags)
    }

    /// Allocates memory for the pixels of an image, which `free()` releases, in a layout.
    ///
    /// - Throws: `vImage.Error`.
    public init(cgImage: CGImage, format: vImage_CGImageFormat, flags: vImage.Options = .noFlags) throws {
        self.init()
        var format = format
        try vImage.Error.check(vImageBuffer_InitWithCGImage(&self, &format, nil, cgImage, flags.flags))
    }

    /// Returns an image of a copy of the pixels.
    ///
    /// - Throws: `vImage.Error`.
    public func createCGImage(format: vImage_CGImageFormat, flags: vImage.Options = .noFlags) throws -> CGImage {
        var (status, buffer, format) = (kvImageNoError, self, format)
        let image = vImageCreateCGImageFromBuffer(&buffer, &format, nil, nil, flags.flags, &status)
        guard let image else { throw vImage.Error(rawValue: status) ?? .invalidParameter }
        return image.takeRetainedValue()
    }
}

/// Where a layout has red, green, blue and alpha.
private struct PixelOrder {
    private let positions: [Int]
    private let isGrey: Bool

    init(_ layout: BitmapLayout, _ info: CGBitmapInfo) {
        isGrey = layout.bytesPerPixel == 1
        let isLittle = info.intersection(.byteOrderMask) == .byteOrder32Little
        let isFirst = [.premultipliedFirst, .first, .noneSkipFirst].contains(layout.alpha)
        // In the order red, green, blue, alpha.
        switch (layout.bytesPerPixel, isFirst, isLittle) {
        case (4, true, false): positions = [1, 2, 3, 0]
        case (4, true, true): positions = [2, 1, 0, 3]
        case (4, false, true): positions = [3, 2, 1, 0]
        case (4, false, false): positions = [0, 1, 2, 3]
        default: positions = [0, 1, 2]
        }
    }

    func store(_ pixel: SIMD4<UInt8>, _ target: UnsafeMutablePointer<UInt8>) {
        if isGrey {
            // As BT.601 has it, in integers, so that grey stays exactly as it is.
            let sum = 299 * Int(pixel.x) + 587 * Int(pixel.y) + 114 * Int(pixel.z)
            target[0] = UInt8((sum + 500) / 1000)
            return
        }
        for (component, position) in positions.enumerated() { target[position] = pixel[component] }
    }
}

/// Changes whether colours are multiplied by alpha.
private struct AlphaConversion {
    private let isOpaque: Bool
    private let isMultiplied: Bool
    private let result: CGImageAlphaInfo
    private let background: [Double]

    init(from source: CGImageAlphaInfo, to result: CGImageAlphaInfo, background: [Double]) {
        isOpaque = [.none, .noneSkipFirst, .noneSkipLast].contains(source)
        isMultiplied = [.premultipliedFirst, .premultipliedLast].contains(source)
        (self.result, self.background) = (result, background)
    }

    func convert(_ pixel: SIMD4<UInt8>) -> SIMD4<UInt8> {
        if isOpaque || pixel.w == 255 { return SIMD4(pixel.x, pixel.y, pixel.z, 255) }
        let alpha = Double(pixel.w) / 255
        var converted = pixel
        for channel in 0..<3 {
            let value = Double(pixel[channel])
            let mixed: Double =
                switch result {
                case .premultipliedFirst, .premultipliedLast: isMultiplied ? value : value * alpha
                case .first, .last: !isMultiplied ? value : alpha > 0 ? value / alpha : 0
                default: (isMultiplied ? value : value * alpha) + background[channel] * (1 - alpha)
                }
            converted[channel] = UInt8(min(max(mixed.rounded(), 0), 255))
        }
        if [.none, .noneSkipFirst, .noneSkipLast].contains(result) { converted.w = 255 }
        return converted
    }
}
