public import Foundation

/// Whether a path is filled, stroked, or both.
public enum CGPathDrawingMode: Int32, Sendable {
    /// Filled by the non-zero rule.
    case fill = 0
    /// Filled by the even-odd rule.
    case eoFill = 1
    /// Stroked.
    case stroke = 2
    /// Filled by the non-zero rule, then stroked.
    case fillStroke = 3
    /// Filled by the even-odd rule, then stroked.
    case eoFillStroke = 4
}

/// The current path. Points are transformed when they are added.
extension CGContext {
    /// Clears the path.
    public func beginPath() { currentPath = CGMutablePath() }

    /// Begins a subpath at a point in user coordinates.
    public func move(to point: CGPoint) { currentPath.move(to: point, transform: ctm) }

    /// Adds a line to a point in user coordinates. Does nothing if no subpath was begun.
    public func addLine(to point: CGPoint) { currentPath.addLine(to: point, transform: ctm) }

    /// Begins a subpath at the first point and continues it through the others.
    public func addLines(between points: [CGPoint]) { currentPath.addLines(between: points, transform: ctm) }

    /// Adds a cubic Bézier curve.
    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        currentPath.addCurve(to: end, control1: control1, control2: control2, transform: ctm)
    }

    /// Adds a quadratic Bézier curve.
    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        currentPath.addQuadCurve(to: end, control: control, transform: ctm)
    }

    /// Adds the outline of a rectangle.
    public func addRect(_ rect: CGRect) { currentPath.addRect(rect, transform: ctm) }

    /// Adds the outlines of rectangles.
    public func addRects(_ rects: [CGRect]) { currentPath.addRects(rects, transform: ctm) }

    /// Adds the ellipse inside a rectangle.
    public func addEllipse(in rect: CGRect) { currentPath.addEllipse(in: rect, transform: ctm) }

    /// Adds an arc of a circle, after a line from the current point to its start; angles in radians from the x axis
    /// towards the y axis.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        currentPath.addArc(
            center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise,
            transform: ctm)
    }

    /// Adds a line towards `tangent1End` and an arc that rounds the corner there, ending on the line to `tangent2End`.
    public func addArc(tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat) {
        currentPath.addArc(tangent1End: tangent1End, tangent2End: tangent2End, radius: radius, transform: ctm)
    }

    /// Adds the elements of a path.
    public func addPath(_ path: CGPath) { currentPath.addPath(path, transform: ctm) }

    /// Closes the subpath by a line to its start.
    public func closePath() { currentPath.closeSubpath() }

    /// Whether the path has no elements.
    public var isPathEmpty: Bool { currentPath.isEmpty }

    /// A copy of the path in user coordinates; nil if it is empty.
    public var path: CGPath? {
        guard !currentPath.isEmpty else { return nil }
        return CGPath(currentPath.outline.applying(ctm.inverted()))
    }

    /// The end of the path in user coordinates; (0, 0) if it is empty.
    public var currentPointOfPath: CGPoint { path?.currentPoint ?? .zero }

    /// The smallest rectangle around all points of the path, in user coordinates; `CGRect.null` if it is empty.
    public var boundingBoxOfPath: CGRect { path?.boundingBox ?? .null }

    /// Returns whether a point in user coordinates is inside of the path.
    public func pathContains(_ point: CGPoint, mode: CGPathDrawingMode) -> Bool {
        guard let path else { return false }
        switch mode {
        case .fill: return path.contains(point)
        case .eoFill: return path.contains(point, using: .evenOdd)
        case .stroke: return strokedPath(path).contains(point)
        case .fillStroke: return path.contains(point) || strokedPath(path).contains(point)
        case .eoFillStroke: return path.contains(point, using: .evenOdd) || strokedPath(path).contains(point)
        }
    }

    /// Replaces the path by the outline that stroking it would fill.
    public func replacePathWithStrokedPath() {
        guard let path else { return }
        let stroked = strokedPath(path)
        beginPath()
        addPath(stroked)
    }

    private func strokedPath(_ path: CGPath) -> CGPath {
        let stroke = state.stroking
        let dashed =
            stroke.dash.isSolid
            ? path : path.copy(dashingWithPhase: stroke.dash.phase, lengths: stroke.dash.lengths)
        return dashed.copy(
            strokingWithWidth: stroke.width, lineCap: stroke.cap, lineJoin: stroke.join, miterLimit: stroke.miterLimit)
    }

    // MARK: - Drawing

    /// Draws the path and clears it.
    public func drawPath(using mode: CGPathDrawingMode) {
        let outline = takePath()
        switch mode {
        case .fill, .fillStroke: fill(outline, .winding)
        case .eoFill, .eoFillStroke: fill(outline, .evenOdd)
        case .stroke: break
        }
        if mode != .fill, mode != .eoFill { stroke(outline) }
    }

    /// Fills the path with the fill colour and clears it. Open subpaths are closed. Edges are antialiased: a pixel gets
    /// as much of the colour as the path covers of it, measured on 16 lines.
    ///
    /// - Parameter rule: What is inside where parts of the path overlap.
    public func fillPath(using rule: CGPathFillRule = .winding) { fill(takePath(), rule) }

    /// Draws the lines of the path with the stroke colour and clears it.
    public func strokePath() { stroke(takePath()) }

    /// Draws one line for each pair of points.
    public func strokeLineSegments(between points: [CGPoint]) {
        beginPath()
        for index in stride(from: 0, to: points.count - 1, by: 2) {
            move(to: points[index])
            addLine(to: points[index + 1])
        }
        strokePath()
    }

    /// Fills the ellipse inside a rectangle in user coordinates with the fill colour.
    public func fillEllipse(in rect: CGRect) {
        fill(CGPath(ellipseIn: rect, transform: nil).outline.applying(ctm), .winding)
    }

    /// Draws the outline of the ellipse inside a rectangle with the stroke colour.
    public func strokeEllipse(in rect: CGRect) {
        stroke(CGPath(ellipseIn: rect, transform: nil).outline.applying(ctm))
    }

    /// Returns the path in pixels, y up, and clears it.
    func takePath() -> PathOutline {
        defer { beginPath() }
        return currentPath.outline
    }
}
