public import Foundation

/// A colour with opacity: red, green and blue, or grey.
public final class CGColor: Sendable {
    private let values: [CGFloat]

    /// The meaning of the components: RGB or grey.
    public let colorSpace: CGColorSpace?
    /// Red, green, blue and alpha, or grey and alpha, 0…1.
    public var components: [CGFloat]? { values }
    /// The number of components with the alpha: 4 or 2.
    public var numberOfComponents: Int { values.count }
    /// The opacity, 0…1.
    public var alpha: CGFloat { values.last ?? 1 }

    private init(_ values: [CGFloat], _ space: CGColorSpace) {
        self.values = values
        colorSpace = space
    }

    /// Creates a colour from its components, 0…1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init([red, green, blue, alpha], CGColorSpaceCreateDeviceRGB())
    }

    /// Creates a colour from its components, 0…1.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Creates a grey, 0…1.
    public convenience init(gray: CGFloat, alpha: CGFloat) {
        self.init([gray, alpha], CGColorSpaceCreateDeviceGray())
    }

    /// Creates a grey, 0…1.
    public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
        self.init(gray: gray, alpha: alpha)
    }

    /// Creates a colour of a colour space.
    ///
    /// - Parameters:
    ///   - space: RGB or grey.
    ///   - components: Its components and alpha, 0…1.
    /// - Returns: nil if there are too few components.
    public convenience init?(colorSpace space: CGColorSpace, components: [CGFloat]) {
        let count = space.numberOfComponents + 1
        guard components.count >= count else { return nil }
        self.init(Array(components.prefix(count)), space)
    }

    /// Creates a colour of a colour space.
    ///
    /// - Parameters:
    ///   - space: RGB or grey.
    ///   - components: The address of its components and alpha, 0…1. It must hold as many as the space has, and one.
    @_disfavoredOverload
    public convenience init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
        self.init(Array(UnsafeBufferPointer(start: components, count: space.numberOfComponents + 1)), space)
    }

    /// Returns the colour with another opacity, 0…1.
    public func copy(alpha: CGFloat) -> CGColor? {
        guard let colorSpace else { return nil }
        return CGColor(values.dropLast() + [alpha], colorSpace)
    }

    /// Opaque white.
    public static let white = CGColor(gray: 1, alpha: 1)
    /// Opaque black.
    public static let black = CGColor(gray: 0, alpha: 1)
    /// Transparent black.
    public static let clear = CGColor(gray: 0, alpha: 0)

    var colour: Colour {
        values.count == 4
            ? Colour(values[0], values[1], values[2], values[3]) : Colour(values[0], values[0], values[0], values[1])
    }
}

extension CGColor: Hashable {
    /// Whether both have the same components.
    public static func == (left: CGColor, right: CGColor) -> Bool { left.values == right.values }

    /// Feeds the components to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension CGContext {
    /// The colour of filled shapes.
    public func setFillColor(_ color: CGColor) { state.fill = color.colour }

    /// The colour of lines.
    public func setStrokeColor(_ color: CGColor) { state.stroke = color.colour }
}
