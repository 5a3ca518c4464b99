public import Foundation

// Paths of straight lines: enough to draw boxes, quadrilaterals and trajectories over an image. Lines have butt ends
// and no joins.
extension CGContext {
    /// Clears the path.
    public func beginPath() { path = [] }

    /// Begins a line at a point in user coordinates.
    public func move(to point: CGPoint) { path.append([point.applying(ctm)]) }

    /// Continues the line to a point in user coordinates. Does nothing if no line was begun.
    public func addLine(to point: CGPoint) {
        guard !path.isEmpty else { return }
        path[path.count - 1].append(point.applying(ctm))
    }

    /// Begins a line at the first point and continues it through the others.
    public func addLines(between points: [CGPoint]) {
        guard let first = points.first else { return }
        move(to: first)
        points.dropFirst().forEach(addLine)
    }

    /// Adds the outline of a rectangle.
    public func addRect(_ rect: CGRect) {
        let r = rect.standardized
        addLines(between: [
            CGPoint(x: r.minX, y: r.minY), CGPoint(x: r.maxX, y: r.minY), CGPoint(x: r.maxX, y: r.maxY),
            CGPoint(x: r.minX, y: r.maxY),
        ])
        closePath()
    }

    /// Adds the lines of a path; its curves become short straight lines.
    public func addPath(_ path: CGPath) {
        // A quarter of a pixel is not seen.
        self.path += path.outline.applying(ctm).polylines(tolerance: 0.25)
    }

    /// Closes the line by returning to its start.
    public func closePath() {
        guard let first = path.last?.first else { return }
        path[path.count - 1].append(first)
    }

    /// Sets the dash pattern: the lengths of dash, gap, dash, gap … in user coordinates, starting at `phase`. An empty
    /// pattern makes lines solid.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
        let usable = phase.isFinite && lengths.allSatisfy { $0 >= 0 && $0.isFinite } && lengths.contains { $0 > 0 }
        state.dash = usable ? (phase, lengths) : (0, [])
    }

    /// Draws the lines of the path with the stroke colour and clears it.
    public func strokePath() {
        // Lengths are in user coordinates; the path is in pixels. An anisotropic transform has no single scale: the
        // mean is used.
        let scale = abs(ctm.a * ctm.d - ctm.b * ctm.c).squareRoot()
        let width = max(state.lineWidth * scale, 1)
        for line in path {
            var travelled = state.dash.phase * scale
            for (start, end) in zip(line, line.dropFirst()) {
                let length = hypot(end.x - start.x, end.y - start.y)
                guard length > 0, length.isFinite else { continue }
                let along = CGPoint(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
                // Only the part within the context is cut into dashes, so that their number is bounded by the context
                // and not the line.
                let (columns, rows) = (CGFloat(self.width), CGFloat(self.height))
                let passing = (columns / 2 - start.x) * along.x + (rows / 2 - start.y) * along.y
                let reach = (columns + rows) / 2
                let part = (from: max(0, passing - reach), to: min(length, passing + reach))
                for piece in dashes(of: part, phase: travelled, scale: scale) {
                    paintBar(from: start, along: along, piece, width: width)
                }
                travelled += length
            }
        }
        path = []
    }

    /// Draws one line for each pair of points.
    public func strokeLineSegments(between points: [CGPoint]) {
        beginPath()
        for index in stride(from: 0, to: points.count - 1, by: 2) {
            move(to: points[index])
            addLine(to: points[index + 1])
        }
        strokePath()
    }

    /// Returns the drawn parts of a line segment, as distances from the line's start.
    private func dashes(
        of line: (from: CGFloat, to: CGFloat), phase: CGFloat, scale: CGFloat
    ) -> [ClosedRange<CGFloat>] {
        guard line.from < line.to else { return [] }
        let lengths = state.dash.lengths.map { $0 * scale }
        // An odd pattern repeats with dashes and gaps exchanged.
        let pattern = lengths.count % 2 == 0 ? lengths : lengths + lengths
        let period = pattern.reduce(0, +)
        guard period > 0.5, period.isFinite, phase.isFinite else { return [line.from...line.to] }
        var pieces: [ClosedRange<CGFloat>] = []
        // Exact for any phase, and always less than a period: from here every iteration advances.
        let ahead = (line.from + phase.truncatingRemainder(dividingBy: period)).truncatingRemainder(dividingBy: period)
        for turn in stride(from: line.from - (ahead < 0 ? ahead + period : ahead), to: line.to, by: period) {
            var position = turn
            for (index, part) in pattern.enumerated() {
                let (from, to) = (max(line.from, position), min(line.to, position + part))
                if index % 2 == 0, from < to { pieces.append(from...to) }
                position += part
            }
        }
        return pieces
    }

    /// Fills a bar of the given width about a line segment: a rectangle in coordinates rotated along the line.
    private func paintBar(from start: CGPoint, along: CGPoint, _ piece: ClosedRange<CGFloat>, width: CGFloat) {
        saveGState()
        state.transform = CGAffineTransform(a: along.x, b: along.y, c: -along.y, d: along.x, tx: start.x, ty: start.y)
        let bar = CGRect(
            x: piece.lowerBound, y: -width / 2, width: piece.upperBound - piece.lowerBound, height: width)
        paint(bar, with: state.stroke)
        restoreGState()
    }
}
