/// What the components of a pixel mean. Colours are not managed: spaces tell grey from RGB, nothing more.
public final class CGColorSpace: Sendable {
    package enum Model: Sendable { case grey, rgb }

    package let model: Model

    fileprivate init(_ model: Model) { self.model = model }

    /// How many components a colour has: 1 or 3.
    public var numberOfComponents: Int { model == .grey ? 1 : 3 }

    /// The name of the sRGB colour space.
    public static let sRGB: CFString = "kCGColorSpaceSRGB"
    /// The name of the grey colour space with gamma 2.2.
    public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"

    /// A space by its name: one of the constants of this class, else nil.
    public convenience init?(name: CFString) {
        switch name {
        case CGColorSpace.sRGB: self.init(.rgb)
        case CGColorSpace.genericGrayGamma2_2: self.init(.grey)
        default: return nil
        }
    }
}

/// Red, green and blue as they are.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(.rgb) }

/// Grey as it is.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(.grey) }

/// Where alpha is in a pixel and whether the colours are multiplied by it.
public enum CGImageAlphaInfo: UInt32, Sendable {
    /// No alpha.
    case none = 0
    /// Last, the colours multiplied by it.
    case premultipliedLast = 1
    /// First, the colours multiplied by it.
    case premultipliedFirst = 2
    /// Last, the colours not multiplied.
    case last = 3
    /// First, the colours not multiplied.
    case first = 4
    /// A last byte without meaning.
    case noneSkipLast = 5
    /// A first byte without meaning.
    case noneSkipFirst = 6
    /// Alpha and no colour.
    case alphaOnly = 7
}

/// Alpha and byte order of a bitmap.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
    /// The bits, as in Core Graphics.
    public let rawValue: UInt32
    /// Information from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bits that hold a `CGImageAlphaInfo`.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
    /// Components are floats.
    public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
    /// The bits that hold the byte order.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// Pixels are 16-bit numbers, lowest byte first.
    public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
    /// Pixels are 32-bit numbers, lowest byte first: with alpha first that is B, G, R, A in memory.
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
    /// Pixels are 16-bit numbers, highest byte first.
    public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
    /// Pixels are 32-bit numbers, highest byte first.
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)

    package var alphaInfo: CGImageAlphaInfo? { CGImageAlphaInfo(rawValue: intersection(.alphaInfoMask).rawValue) }
}

/// How the bytes of a CGImage or CGContext are laid out, worked out from what their initialisers are told.
package struct BitmapLayout: Sendable {
    /// The layout in memory; nil for A, B, G, R, which has no raster format: its bytes are to be reversed first.
    package let format: Raster.Format?
    package let alpha: CGImageAlphaInfo
    package let bytesPerPixel: Int

    /// Nil where the combination is one that this package does not read.
    package init?(bitsPerComponent: Int, bitsPerPixel: Int, space: CGColorSpace, info: CGBitmapInfo) {
        guard bitsPerComponent == 8, let alpha = info.alphaInfo, !info.contains(.floatComponents) else { return nil }
        self.alpha = alpha
        bytesPerPixel = bitsPerPixel / 8
        let order = info.intersection(.byteOrderMask)
        switch (space.model, bitsPerPixel, alpha) {
        case (.grey, 8, .none): format = .grey8
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
