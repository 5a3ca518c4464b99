public import Foundation

/// Whether gradients go on beyond their ends.
public struct CGGradientDrawingOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Creates options of bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The first colour goes on before the start.
    public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1)
    /// The last colour goes on after the end.
    public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 2)
}

/// Colours at locations from 0 to 1, with straight lines between their components.
public final class CGGradient: Sendable {
    /// In the order of their locations. Colours are red, green, blue and alpha, 0…1, not multiplied by alpha.
    private let stops: [(location: Float, colour: SIMD4<Float>)]

    private init?(_ colours: [Colour], _ locations: [CGFloat]?) {
        guard !colours.isEmpty else { return nil }
        let count = colours.count
        let even = (0..<count).map { count == 1 ? 0 : CGFloat($0) / CGFloat(count - 1) }
        let found = locations ?? even
        guard found.count == count, found.allSatisfy(\.isFinite) else { return nil }
        stops = zip(found, colours).map { location, colour in
            let parts = SIMD4(Float(colour.red), Float(colour.green), Float(colour.blue), 255 * colour.alpha) / 255
            return (Float(min(max(location, 0), 1)), parts)
        }.enumerated().sorted { ($0.element.location, $0.offset) < ($1.element.location, $1.offset) }.map(\.element)
    }

    /// Creates a gradient of colours.
    ///
    /// - Parameters:
    ///   - space: Not used: components are interpolated as they are.
    ///   - colors: `CGColor`s.
    ///   - locations: The address of a location for each colour, 0…1; nil for colours at equal distances.
    /// - Returns: nil without colours, and for other objects than colours.
    public convenience init?(
        colorsSpace space: CGColorSpace?, colors: CFArray, locations: UnsafePointer<CGFloat>?
    ) {
        let found = colors.compactMap { ($0 as? CGColor)?.colour }
        guard found.count == colors.count else { return nil }
        self.init(found, locations.map { Array(UnsafeBufferPointer(start: $0, count: found.count)) })
    }

    /// Creates a gradient of components.
    ///
    /// - Parameters:
    ///   - space: RGB or grey.
    ///   - components: The address of the components and alpha of each colour.
    ///   - locations: The address of a location for each colour, 0…1; nil for colours at equal distances.
    ///   - count: The number of colours.
    /// - Returns: nil without colours.
    public convenience init?(
        colorSpace space: CGColorSpace, colorComponents components: UnsafePointer<CGFloat>,
        locations: UnsafePointer<CGFloat>?, count: Int
    ) {
        guard count > 0 else { return nil }
        let size = space.numberOfComponents + 1
        let values = UnsafeBufferPointer(start: components, count: count * size)
        let colours = (0..<count).compactMap { index in
            CGColor(colorSpace: space, components: Array(values[index * size..<(index + 1) * size]))?.colour
        }
        self.init(colours, locations.map { Array(UnsafeBufferPointer(start: $0, count: count)) })
    }

    /// Returns the colour at a location: red, green, blue, 0…255, multiplied by alpha, and alpha, 0…1.
    func colour(at location: Float) -> SIMD4<Float> {
        var colour = stops[0].colour
        if let next = stops.firstIndex(where: { $0.location > location }) {
            if next > 0 {
                let (from, to) = (stops[next - 1], stops[next])
                let share = (location - from.location) / (to.location - from.location)
                colour = from.colour + (to.colour - from.colour) * share
            }
        } else {
            colour = stops[stops.count - 1].colour
        }
        let alpha = colour.w
        return SIMD4(colour.x * alpha * 255, colour.y * alpha * 255, colour.z * alpha * 255, alpha)
    }
}

extension CGContext {
    /// Fills the clip with colours that change from one point to another, in user coordinates.
    ///
    /// - Parameter options: Whether the first and the last colour go on beyond the ends.
    public func drawLinearGradient(
        _ gradient: CGGradient, start: CGPoint, end: CGPoint, options: CGGradientDrawingOptions
    ) {
        let (x, y) = (end.x - start.x, end.y - start.y)
        let square = x * x + y * y
        guard square > 0, square.isFinite else { return }
        shade(gradient, options) { point in ((point.x - start.x) * x + (point.y - start.y) * y) / square }
    }

    /// Fills the clip with colours that change from one circle to another, in user coordinates: a cone, or rings.
    ///
    /// - Parameter options: Whether the first and the last colour go on beyond the circles.
    public func drawRadialGradient(
        _ gradient: CGGradient, startCenter: CGPoint, startRadius: CGFloat, endCenter: CGPoint, endRadius: CGFloat,
        options: CGGradientDrawingOptions
    ) {
        let (x, y, r) = (endCenter.x - startCenter.x, endCenter.y - startCenter.y, endRadius - startRadius)
        guard startRadius >= 0, endRadius >= 0, x.isFinite, y.isFinite, r.isFinite, x != 0 || y != 0 || r != 0 else {
            return
        }
        let (before, after) = (options.contains(.drawsBeforeStartLocation), options.contains(.drawsAfterEndLocation))
        // A point lies on the circle t where |p - c(t)| = r(t): a quadratic equation in t. The largest t is on top.
        let a = x * x + y * y - r * r
        shade(gradient, options) { point in
            let (px, py) = (point.x - startCenter.x, point.y - startCenter.y)
            let b = px * x + py * y + startRadius * r
            let c = px * px + py * py - startRadius * startRadius
            func isDrawn(_ t: CGFloat) -> Bool {
                t.isFinite && startRadius + t * r >= 0 && (t >= 0 || before) && (t <= 1 || after)
            }
            if a == 0 { return b != 0 && isDrawn(c / (2 * b)) ? c / (2 * b) : nil }
            let root = b * b - a * c
            guard root >= 0 else { return nil }
            let (one, other) = ((b + root.squareRoot()) / a, (b - root.squareRoot()) / a)
            let (larger, smaller) = (max(one, other), min(one, other))
            return isDrawn(larger) ? larger : isDrawn(smaller) ? smaller : nil
        }
    }

    /// Paints all pixels of the clip whose centre has a location.
    private func shade(
        _ gradient: CGGradient, _ options: CGGradientDrawingOptions, _ location: (CGPoint) -> CGFloat?
    ) {
        // A document has no pixels.
        guard !isDocument else { return }
        let inverse = ctm.inverted()
        guard ctm.a * ctm.d - ctm.b * ctm.c != 0 else { return }
        let clip = state.clip
        for row in clip.rows {
            for x in clip.columns {
                let share = clip.coverage(x, row)
                let point = CGPoint(x: CGFloat(x) + 0.5, y: CGFloat(row) + 0.5).applying(inverse)
                guard share > 0, let t = location(point), !t.isNaN,
                    t >= 0 || options.contains(.drawsBeforeStartLocation),
                    t <= 1 || options.contains(.drawsAfterEndLocation)
                else { continue }
                blend(gradient.colour(at: Float(min(max(t, 0), 1))), coverage: share, x: x, row: row)
            }
        }
    }
}
