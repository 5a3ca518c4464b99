public import Foundation

/// A colour with opacity: red, green and blue, or grey.
public final class CGColor: Sendable {
    /// Red, green, blue and alpha, or grey and alpha, 0…1.
    public let components: [CGFloat]?
    /// The opacity, 0…1.
    public let alpha: CGFloat

    /// Creates a colour from its components, 0…1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        components = [red, green, blue, alpha]
        self.alpha = alpha
    }

    /// Creates a grey, 0…1.
    public init(gray: CGFloat, alpha: CGFloat) {
        components = [gray, alpha]
        self.alpha = alpha
    }

    var colour: Colour {
        let values = components ?? [0, alpha]
        return values.count == 4
            ? Colour(values[0], values[1], values[2], values[3]) : Colour(values[0], values[0], values[0], alpha)
    }
}

extension CGContext {
    /// The colour of filled shapes.
    public func setFillColor(_ color: CGColor) { state.fill = color.colour }

    /// The colour of lines.
    public func setStrokeColor(_ color: CGColor) { state.stroke = color.colour }
}
