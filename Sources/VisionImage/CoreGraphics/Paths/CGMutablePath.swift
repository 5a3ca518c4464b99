public import Foundation

/// A path that is built step by step. Not thread-safe.
///
/// Points that are not finite are taken as they are. What needs a current point does nothing in an empty path.
public final class CGMutablePath: CGPath {
    /// Begins a subpath at a point.
    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
        outline.move(to: point.applying(transform))
    }

    /// Adds a straight line.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        outline.add(.addLineToPoint, [point.applying(transform)])
    }

    /// Begins a subpath at the first point and adds lines through the others.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }

    /// Adds a quadratic Bézier curve.
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        outline.add(.addQuadCurveToPoint, [control.applying(transform), end.applying(transform)])
    }

    /// Adds a cubic Bézier curve.
    public func addCurve(
        to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
    ) {
        outline.add(
            .addCurveToPoint, [control1.applying(transform), control2.applying(transform), end.applying(transform)])
    }

    /// Closes the subpath by a line to its start, which becomes the current point.
    public func closeSubpath() { outline.close() }

    /// Adds the outline of a rectangle as a subpath.
    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) { outline.addRect(rect, transform) }

    /// Adds the outlines of rectangles.
    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }

    /// Adds the ellipse that touches the sides of a rectangle.
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        outline.addEllipse(in: rect, transform)
    }

    /// Adds a rectangle with rounded corners; the radii are limited to half of the sides.
    public func addRoundedRect(
        in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
    ) {
        outline.addRoundedRect(rect, cornerWidth: cornerWidth, cornerHeight: cornerHeight, transform)
    }

    /// Adds an arc of a circle, after a line from the current point to its start.
    ///
    /// - Parameters:
    ///   - startAngle: The angle of the start, in radians from the x axis towards the y axis.
    ///   - endAngle: The angle of the end.
    ///   - clockwise: Whether angles fall from start to end.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        let turn = CGFloat.pi * 2
        var delta = endAngle - startAngle
        if clockwise {
            if delta < -turn { delta = -turn }
            if delta > 0 { delta = delta.truncatingRemainder(dividingBy: turn) - turn }
        } else {
            if delta > turn { delta = turn }
            if delta < 0 { delta = delta.truncatingRemainder(dividingBy: turn) + turn }
        }
        outline.addArc(center: center, radius: radius, startAngle: startAngle, delta: delta, transform)
    }

    /// Adds an arc of a circle, after a line from the current point to its start.
    ///
    /// - Parameters:
    ///   - startAngle: The angle of the start, in radians from the x axis towards the y axis.
    ///   - delta: The angle between start and end; negative for an arc along which angles fall.
    public func addRelativeArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat,
        transform: CGAffineTransform = .identity
    ) {
        outline.addArc(center: center, radius: radius, startAngle: startAngle, delta: delta, transform)
    }

    /// Adds a line towards `tangent1End` and an arc that rounds the corner there, ending on the line to `tangent2End`.
    public func addArc(
        tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat, transform: CGAffineTransform = .identity
    ) {
        guard let current = outline.current else { return }
        // In the coordinates before the transform; without an inverse there is no circle.
        let start = transform.isIdentity ? current : current.applying(transform.inverted())
        func vector(_ point: CGPoint) -> SIMD2<Double> { SIMD2(Double(point.x), Double(point.y)) }
        let corner = vector(tangent1End)
        let (a, b) = (vector(start) - corner, vector(tangent2End) - corner)
        let lengths = ((a * a).sum() * (b * b).sum()).squareRoot()
        let cross = a.x * b.y - a.y * b.x
        guard lengths > 0, lengths.isFinite, abs(cross) > 1e-12 * lengths, radius > 0 else {
            addLine(to: tangent1End, transform: transform)
            return
        }
        let half = acos(max(-1, min(1, (a * b).sum() / lengths))) / 2
        let (u, v) = (a / (a * a).sum().squareRoot(), b / (b * b).sum().squareRoot())
        let middle = u + v
        let centre = corner + middle / (middle * middle).sum().squareRoot() * (Double(radius) / sin(half))
        let first = corner + u * (Double(radius) / tan(half)) - centre
        let sweep = Double.pi - 2 * half
        outline.addArc(
            center: CGPoint(x: centre.x, y: centre.y), radius: radius, startAngle: CGFloat(atan2(first.y, first.x)),
            delta: CGFloat(cross < 0 ? sweep : -sweep), transform)
    }

    /// Adds the elements of another path.
    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
        outline.append(path.outline.applying(transform))
    }
}
