public import Foundation

/// Lines: their width, ends, corners and dashes. All lengths are in user coordinates when the line is drawn.
extension CGContext {
    /// Sets the width of lines; 0 draws lines that are one pixel wide.
    public func setLineWidth(_ width: CGFloat) {
        if width.isFinite { state.stroking.width = max(0, width) }
    }

    /// Sets the shape of the ends of lines.
    public func setLineCap(_ cap: CGLineCap) { state.stroking.cap = cap }

    /// Sets the shape of corners.
    public func setLineJoin(_ join: CGLineJoin) { state.stroking.join = join }

    /// Sets the longest pointed corner, in widths of the line; longer ones are cut off.
    public func setMiterLimit(_ limit: CGFloat) {
        if limit.isFinite { state.stroking.miterLimit = limit }
    }

    /// Sets the dash pattern: the lengths of dash, gap, dash, gap … in user coordinates, starting at `phase`. An empty
    /// pattern makes lines solid.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
        state.stroking.dash = PathDash(phase: phase, lengths: lengths)
    }

    /// Draws the outline of a rectangle with the stroke colour; the line is centred on its edges.
    public func stroke(_ rect: CGRect) { stroke(rect, width: state.stroking.width) }

    /// Draws the outline of a rectangle with lines of the given width, centred on its edges.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        guard width > 0, width.isFinite, !rect.isNull, !rect.isInfinite else { return }
        let saved = state.stroking
        state.stroking.width = width
        stroke(CGPath(rect: rect, transform: nil).outline.applying(ctm))
        state.stroking = saved
    }

    /// Draws the lines of an outline in pixels.
    func stroke(_ outline: PathOutline) {
        let transform = ctm
        let determinant = abs(transform.a * transform.d - transform.b * transform.c)
        guard determinant > 0, determinant.isFinite else { return }
        let inverse = transform.inverted()
        let scale = determinant.squareRoot()
        var stroke = state.stroking
        if stroke.width == 0 { stroke.width = 1 / scale }
        // A pattern that is finer than a pixel would be grey, and take for ever.
        if !stroke.dash.isSolid, stroke.dash.period * scale < 0.5 { stroke.dash = PathDash() }
        let lines = outline.polylines(tolerance: 0.05).map { $0.map { $0.applying(inverse) } }
        let corners = [(0, 0), (width, 0), (0, height), (width, height)].map {
            CGPoint(x: $0.0, y: $0.1).applying(inverse)
        }
        let centre = CGPoint(x: CGFloat(width) / 2, y: CGFloat(height) / 2).applying(inverse)
        let radius = corners.map { hypot($0.x - centre.x, $0.y - centre.y) }.max() ?? 0
        let polygons = stroke.polygons(
            lines, tolerance: 0.02 / scale, visible: PathStroke.Circle(centre: centre, radius: radius))
        let mirrors = transform.a * transform.d - transform.b * transform.c < 0
        fill(
            lines: polygons.map { polygon in
                let mapped = polygon.map { $0.applying(transform) }
                return mirrors ? mapped.reversed() : mapped
            }, .winding, with: state.stroke)
    }
}
