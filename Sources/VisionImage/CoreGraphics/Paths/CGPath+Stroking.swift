public import Foundation

extension CGPath {
    /// Returns the outline of the lines as a path that is filled by the non-zero rule: a polygon for each segment,
    /// corner and end. Curves become short lines.
    ///
    /// - Parameters:
    ///   - lineWidth: The width of the lines. Without a width the copy is empty.
    ///   - lineCap: The shape of ends.
    ///   - lineJoin: The shape of corners.
    ///   - miterLimit: The longest pointed corner, in widths.
    ///   - transform: Applied to the path first.
    public func copy(
        strokingWithWidth lineWidth: CGFloat, lineCap: CGLineCap, lineJoin: CGLineJoin, miterLimit: CGFloat,
        transform: CGAffineTransform = .identity
    ) -> CGPath {
        var stroke = PathStroke()
        stroke.width = lineWidth.isFinite ? lineWidth : 0
        (stroke.cap, stroke.join, stroke.miterLimit) = (lineCap, lineJoin, miterLimit)
        let tolerance = tolerance(for: transform)
        return CGPath(
            polygons: stroke.polygons(outline.applying(transform).polylines(tolerance: tolerance), tolerance: tolerance)
        )
    }

    /// Returns the dashes of the lines as open subpaths. Curves become short lines.
    ///
    /// - Parameters:
    ///   - phase: Where in the pattern each subpath begins.
    ///   - lengths: The lengths of dash, gap, dash, gap … An empty pattern, and one with more than 100 000 dashes and
    ///     gaps, gives the path itself.
    ///   - transform: Applied to the path first.
    public func copy(
        dashingWithPhase phase: CGFloat, lengths: [CGFloat], transform: CGAffineTransform = .identity
    ) -> CGPath {
        let dash = PathDash(phase: phase, lengths: lengths)
        let changed = outline.applying(transform)
        let lines = changed.polylines(tolerance: tolerance(for: transform))
        guard !dash.isSolid, dash.count(on: lines, within: nil) <= PathDash.limit else { return CGPath(changed) }
        let result = CGMutablePath()
        for line in lines { for piece in dash.pieces(of: line, visible: nil) { result.addLines(between: piece) } }
        return CGPath(result.outline)
    }

    /// A ten thousandth of the size: a path has no pixels.
    private func tolerance(for transform: CGAffineTransform) -> CGFloat {
        let box = PathOutline.box(of: outline.applying(transform).points)
        return box.isNull ? 1 : max(max(box.width, box.height) * 1e-4, .leastNormalMagnitude)
    }

    private convenience init(polygons: [[CGPoint]]) {
        var outline = PathOutline()
        for polygon in polygons {
            guard let first = polygon.first else { continue }
            outline.move(to: first)
            for point in polygon.dropFirst() { outline.addLine(to: point) }
            outline.close()
        }
        self.init(outline)
    }
}
