public import Foundation
public import VisionImage

/// A colour as a value of a filter. Two colours with the same components are equal.
public final class CIColor: NSObject, NSCopying, Sendable {
    /// Red, 0…1; may lie outside.
    public let red: CGFloat
    /// Green, 0…1; may lie outside.
    public let green: CGFloat
    /// Blue, 0…1; may lie outside.
    public let blue: CGFloat
    /// The opacity, 0…1.
    public let alpha: CGFloat

    /// Creates a colour. The colours are not multiplied by alpha.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Creates an opaque colour.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: 1)
    }

    /// Creates a colour from one of Core Graphics.
    public convenience init(cgColor: CGColor) {
        let parts = cgColor.components ?? [0, 1]
        if parts.count >= 4 {
            self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
        } else {
            self.init(red: parts[0], green: parts[0], blue: parts[0], alpha: cgColor.alpha)
        }
    }

    /// Creates a colour from a text such as `1 0 0.5 1`; without a fourth number it is opaque.
    public convenience init(string: String) {
        let parts = string.split(separator: " ").prefix(4).map { CGFloat(Double($0) ?? 0) }
        func part(_ index: Int, _ other: CGFloat) -> CGFloat { index < parts.count ? parts[index] : other }
        self.init(red: part(0, 0), green: part(1, 0), blue: part(2, 0), alpha: part(3, 1))
    }

    /// The number of components: 4.
    public var numberOfComponents: Int { 4 }
    /// The components as a text that `init(string:)` reads.
    public var stringRepresentation: String {
        [red, green, blue, alpha].map { "\(Double($0))" }.joined(separator: " ")
    }
    /// The components as text.
    public override var description: String { stringRepresentation }

    /// Returns the colour itself, which cannot change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other is a colour with the same components.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CIColor else { return false }
        return red == other.red && green == other.green && blue == other.blue && alpha == other.alpha
    }

    /// Equal colours have equal hashes.
    public override var hash: Int { [red, green, blue, alpha].hashValue }

    /// Opaque black.
    public static let black = CIColor(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = CIColor(red: 1, green: 1, blue: 1)
    /// Opaque grey, 0.5.
    public static let gray = CIColor(red: 0.5, green: 0.5, blue: 0.5)
    /// Opaque red.
    public static let red = CIColor(red: 1, green: 0, blue: 0)
    /// Opaque green.
    public static let green = CIColor(red: 0, green: 1, blue: 0)
    /// Opaque blue.
    public static let blue = CIColor(red: 0, green: 0, blue: 1)
    /// Opaque cyan.
    public static let cyan = CIColor(red: 0, green: 1, blue: 1)
    /// Opaque magenta.
    public static let magenta = CIColor(red: 1, green: 0, blue: 1)
    /// Opaque yellow.
    public static let yellow = CIColor(red: 1, green: 1, blue: 0)
    /// Transparent black.
    public static let clear = CIColor(red: 0, green: 0, blue: 0, alpha: 0)
}
