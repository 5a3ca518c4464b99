/// The kind of a colour's components. Colour spaces here are grey or RGB.
public enum CGColorSpaceModel: Int32, Sendable {
    /// Not known.
    case unknown = -1
    /// Grey.
    case monochrome = 0
    /// Red, green and blue.
    case rgb = 1
    /// Cyan, magenta, yellow and black.
    case cmyk = 2
    /// CIE L*a*b*.
    case lab = 3
    /// Any components.
    case deviceN = 4
    /// Numbers of a table's colours.
    case indexed = 5
    /// Patterns.
    case pattern = 6
    /// CIE XYZ.
    case XYZ = 7
}

/// The meaning of a pixel's components. Colours are not managed: colour spaces only distinguish grey from RGB.
public final class CGColorSpace: Sendable {
    /// Grey or RGB.
    public let model: CGColorSpaceModel

    fileprivate init(_ model: CGColorSpaceModel) { self.model = model }

    /// The number of components of a colour: 1 or 3.
    public var numberOfComponents: Int { model == .monochrome ? 1 : 3 }

    /// The name of the sRGB colour space.
    public static let sRGB: CFString = "kCGColorSpaceSRGB"
    /// The name of the grey colour space with gamma 2.2.
    public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"

    /// Creates a colour space by name, which is one of the constants of this class; nil for others.
    public convenience init?(name: CFString) {
        switch name {
        case CGColorSpace.sRGB: self.init(.rgb)
        case CGColorSpace.genericGrayGamma2_2: self.init(.monochrome)
        default: return nil
        }
    }
}

/// Red, green and blue without colour management.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(.rgb) }

/// Grey without colour management.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(.monochrome) }

/// The position of alpha in a pixel, and whether the colours are multiplied by it.
public enum CGImageAlphaInfo: UInt32, Sendable {
    /// No alpha.
    case none = 0
    /// Last, premultiplied.
    case premultipliedLast = 1
    /// First, premultiplied.
    case premultipliedFirst = 2
    /// Last, straight: the colours are not multiplied.
    case last = 3
    /// First, straight: the colours are not multiplied.
    case first = 4
    /// The last byte is unused.
    case noneSkipLast = 5
    /// The first byte is unused.
    case noneSkipFirst = 6
    /// Alpha without colours.
    case alphaOnly = 7
}

/// The alpha information and byte order of a bitmap.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
    /// The bits, as in Core Graphics.
    public let rawValue: UInt32
    /// Creates bitmap information from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bits of the `CGImageAlphaInfo`.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
    /// Components are floats.
    public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
    /// The bits of the byte order.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// 16-bit units, little-endian.
    public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
    /// 32-bit units, little-endian: with alpha first this is B, G, R, A in memory.
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
    /// 16-bit units, big-endian.
    public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
    /// 32-bit units, big-endian.
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)

    package var alphaInfo: CGImageAlphaInfo? { CGImageAlphaInfo(rawValue: intersection(.alphaInfoMask).rawValue) }
}

/// The byte layout of a CGImage or CGContext, determined from the arguments of their initialisers.
package struct BitmapLayout: Sendable {
    /// The raster format; nil for A, B, G, R, which has none: its bytes must be reversed first.
    package let format: Raster.Format?
    package let alpha: CGImageAlphaInfo
    package let bytesPerPixel: Int

    /// Nil for combinations that are not supported.
    package init?(bitsPerComponent: Int, bitsPerPixel: Int, space: CGColorSpace, info: CGBitmapInfo) {
        guard bitsPerComponent == 8, let alpha = info.alphaInfo, !info.contains(.floatComponents) else { return nil }
        self.alpha = alpha
        bytesPerPixel = bitsPerPixel / 8
        let order = info.intersection(.byteOrderMask)
        switch (space.model, bitsPerPixel, alpha) {
        case (.monochrome, 8, .none): format = .grey8
        case (.rgb, 24, .none): format = .rgb8
        case (.rgb, 32, .premultipliedFirst), (.rgb, 32, .first), (.rgb, 32, .noneSkipFirst):
            format = order == .byteOrder32Little ? .bgra8 : .argb8
        case (.rgb, 32, .premultipliedLast), (.rgb, 32, .last), (.rgb, 32, .noneSkipLast):
            format = order == .byteOrder32Little ? nil : .rgba8
        default: return nil
        }
        guard order.isEmpty || order == .byteOrder32Little || order == .byteOrder32Big else { return nil }
    }
}
