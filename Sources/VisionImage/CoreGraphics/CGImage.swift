public import Foundation

/// The bytes of an image.
public final class CGDataProvider: Sendable {
    /// The bytes.
    public let data: CFData?

    /// Creates a provider of the bytes.
    public init?(data: CFData) { self.data = data }

    /// Creates a provider of a copy of the bytes.
    public init?(data: NSData) { self.data = Data(referencing: data) }

    /// Creates a provider of a copy of memory, and calls the closure with it at once.
    public init?(
        dataInfo info: UnsafeMutableRawPointer?, data: UnsafeRawPointer, size: Int,
        releaseData: CGDataProviderReleaseDataCallback
    ) {
        guard size >= 0 else { return nil }
        self.data = Data(bytes: data, count: size)
        releaseData(info, data, size)
    }
}

/// Called with the `info`, the address and the size of memory that is not needed any more.
public typealias CGDataProviderReleaseDataCallback = (UnsafeMutableRawPointer?, UnsafeRawPointer, Int) -> Void

/// How a colour outside of a device's gamut is replaced. Has no effect here, because nothing is displayed.
public enum CGColorRenderingIntent: Int32, Sendable {
    /// The default for the context.
    case defaultIntent = 0
    /// Nearest colour, white kept.
    case absoluteColorimetric = 1
    /// Nearest colour, white moved.
    case relativeColorimetric = 2
    /// All colours moved together.
    case perceptual = 3
    /// Saturated colours kept.
    case saturation = 4
}

/// An immutable image in memory: 8 bits a component, grey or RGB, with or without alpha.
public final class CGImage: Sendable {
    /// The pixels, top row first.
    package let raster: Raster
    /// The alpha information and byte order of the pixels.
    public let bitmapInfo: CGBitmapInfo
    /// The colour space: grey or RGB.
    public let colorSpace: CGColorSpace?
    /// Whether whoever made the image wants it to be smooth when it is enlarged. Contexts go by their own
    /// `interpolationQuality`.
    public let shouldInterpolate: Bool

    /// The number of pixels in a row.
    public var width: Int { raster.width }
    /// The number of rows.
    public var height: Int { raster.height }
    /// The bits of one component: always 8.
    public var bitsPerComponent: Int { 8 }
    /// The bits of one pixel: 8, 24 or 32.
    public var bitsPerPixel: Int { raster.format.bytesPerPixel * 8 }
    /// The distance between rows in bytes. May exceed the bytes of a row's pixels.
    public var bytesPerRow: Int { raster.rowBytes }
    /// The position of alpha.
    public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo ?? .none }

    /// A copy of the pixels: `height` rows of `bytesPerRow` bytes.
    public var dataProvider: CGDataProvider? {
        let row = raster.width * raster.format.bytesPerPixel
        var data = Data(count: raster.rowBytes * raster.height)
        data.withUnsafeMutableBytes { target in
            raster.withUnsafePixels { source in
                // Row by row, because the last row of a crop may be shorter than `bytesPerRow`.
                for y in 0..<raster.height {
                    UnsafeMutableRawBufferPointer(rebasing: target[(y * raster.rowBytes)...])
                        .copyMemory(from: UnsafeRawBufferPointer(start: source + y * raster.rowBytes, count: row))
                }
            }
        }
        return CGDataProvider(data: data)
    }

    package init(raster: Raster, bitmapInfo: CGBitmapInfo, colorSpace: CGColorSpace, shouldInterpolate: Bool = true) {
        self.raster = raster
        self.shouldInterpolate = shouldInterpolate
        self.bitmapInfo = bitmapInfo
        self.colorSpace = colorSpace
    }

    /// Creates an image of pixels in one of the layouts that decoding and rendering produce.
    package convenience init(raster: Raster, alpha: CGImageAlphaInfo? = nil) {
        let grey = raster.format == .grey8
        let (order, standard): (CGBitmapInfo, CGImageAlphaInfo) =
            switch raster.format {
            case .bgra8: (.byteOrder32Little, .noneSkipFirst)
            case .argb8: (.byteOrder32Big, .noneSkipFirst)
            case .rgba8: (.byteOrder32Big, .noneSkipLast)
            default: ([], .none)
            }
        self.init(
            raster: raster, bitmapInfo: order.union(CGBitmapInfo(rawValue: (alpha ?? standard).rawValue)),
            colorSpace: grey ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB())
    }

    /// Creates an image of the bytes that `provider` holds, which are copied.
    ///
    /// - Parameters:
    ///   - bitsPerComponent: 8.
    ///   - bitsPerPixel: 8 with a grey space; 24 or 32 with an RGB space.
    ///   - bytesPerRow: At least the bytes of a row's pixels.
    ///   - decode, shouldInterpolate, intent: Accepted, without effect.
    /// - Returns: nil for unsupported layouts, or if the provider holds too few bytes.
    public convenience init?(
        width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
        bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard width > 0, height > 0, width < 1 << 24, height < 1 << 24, bytesPerRow < 1 << 32,
            let data = provider.data,
            let layout = BitmapLayout(
                bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel, space: space, info: bitmapInfo)
        else { return nil }
        let row = width * layout.bytesPerPixel
        guard bytesPerRow >= row, data.count >= (height - 1) * bytesPerRow + row else { return nil }
        let raster = try? Raster(width: width, height: height, format: layout.format ?? .rgba8) { pixels, rowBytes in
            data.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                for y in 0..<height {
                    let target = pixels + y * rowBytes
                    target.copyMemory(from: base + y * bytesPerRow, byteCount: row)
                    guard layout.format == nil else { continue }
                    // A, B, G, R in memory: reversed, it is R, G, B, A.
                    let words = target.bindMemory(to: UInt32.self, capacity: width)
                    for x in 0..<width { words[x] = words[x].byteSwapped }
                }
            }
        }
        guard let raster else { return nil }
        let order: CGBitmapInfo =
            layout.format == nil ? .byteOrder32Big : bitmapInfo.intersection(.byteOrderMask)
        self.init(
            raster: raster, bitmapInfo: order.union(CGBitmapInfo(rawValue: layout.alpha.rawValue)), colorSpace: space,
            shouldInterpolate: shouldInterpolate)
    }

    /// Returns the part of the image inside the rectangle, which is in pixels with the origin at the top left; its
    /// edges are rounded outwards to whole pixels. The pixels are shared, not copied.
    ///
    /// - Returns: nil if the rectangle lies outside the image.
    public func cropping(to rect: CGRect) -> CGImage? {
        guard rect.origin.x.isFinite, rect.origin.y.isFinite, rect.width.isFinite, rect.height.isFinite else {
            return nil
        }
        let part = rect.standardized.integral.overlap(with: CGRect(x: 0, y: 0, width: width, height: height))
        guard !part.isNull, part.width >= 1, part.height >= 1, let colorSpace else { return nil }
        return CGImage(
            raster: raster.cropped(
                x: Int(part.minX), y: Int(part.minY), width: Int(part.width), height: Int(part.height)),
            bitmapInfo: bitmapInfo, colorSpace: colorSpace, shouldInterpolate: shouldInterpolate)
    }
}

extension CGImage: Hashable {
    /// Returns whether both are the same image object.
    public static func == (left: CGImage, right: CGImage) -> Bool { left === right }

    /// Feeds the image's identity to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
