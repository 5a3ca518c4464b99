/// An option of a `CIContext`. There is one kind of context, which does not convert colours: options are accepted and
/// have no effect.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
    /// The option's name.
    public let rawValue: String
    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The colour space of results.
    public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
    /// The colour space in which filters compute; here always that of the pixels, as with `NSNull()`.
    public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
    /// The pixels in which filters compute; here always floats.
    public static let workingFormat = CIContextOption(rawValue: "working_format")
    /// Rendering on the CPU; here always.
    public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
    /// Better reductions.
    public static let highQualityDownsample = CIContextOption(rawValue: "high_quality_downsample")
    /// Whether colours are multiplied by alpha in the result; here always.
    public static let outputPremultiplied = CIContextOption(rawValue: "output_premultiplied")
    /// Whether steps are kept from one rendering to the next; here never.
    public static let cacheIntermediates = CIContextOption(rawValue: "cache_intermediates")
    /// A low priority.
    public static let priorityRequestLow = CIContextOption(rawValue: "priority_request_low")
    /// A slower GPU.
    public static let allowLowPower = CIContextOption(rawValue: "allow_low_power")
    /// A name for messages.
    public static let name = CIContextOption(rawValue: "name")
}

/// The components of a pixel in memory.
public struct CIFormat: RawRepresentable, Hashable, Sendable {
    /// The number of the format; not that of Apple's systems.
    public let rawValue: Int32
    /// Creates a format from its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Bytes R, G, B, A.
    public static let RGBA8 = CIFormat(rawValue: 1)
    /// Bytes B, G, R, A.
    public static let BGRA8 = CIFormat(rawValue: 2)
    /// Bytes A, R, G, B.
    public static let ARGB8 = CIFormat(rawValue: 3)
    /// Floats R, G, B, A.
    public static let RGBAf = CIFormat(rawValue: 4)
    /// A byte of red.
    public static let R8 = CIFormat(rawValue: 5)
    /// A float of red.
    public static let Rf = CIFormat(rawValue: 6)

    /// The bytes of a pixel; nil for a format that is not known here.
    var bytesPerPixel: Int? {
        switch self {
        case .RGBA8, .BGRA8, .ARGB8, .Rf: 4
        case .RGBAf: 16
        case .R8: 1
        default: nil
        }
    }
}
