public import Foundation

// Paths of straight lines: enough to draw boxes, quadrilaterals and trajectories over a picture. Lines end flat and are
// not joined at corners.
extension CGContext {
    /// Forgets the path made so far.
    public func beginPath() { path = [] }

    /// Begins a line at a point of the user's coordinates.
    public func move(to point: CGPoint) { path.append([point.applying(ctm)]) }

    /// Continues the line to a point of the user's coordinates. Does nothing where no line was begun.
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

    /// Leads the line back to where it began.
    public func closePath() {
        guard let first = path.last?.first else { return }
        path[path.count - 1].append(first)
    }

    /// Lines of dashes: the lengths of dash, gap, dash, gap … in the user's coordinates, beginning `phase` into them. No
    /// lengths make lines solid.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
        let usable = phase.isFinite && lengths.allSatisfy { $0 >= 0 && $0.isFinite } && lengths.contains { $0 > 0 }
        state.dash = usable ? (phase, lengths) : (0, [])
    }

    /// Draws the lines of the path with the stroke colour and forgets it.
    public func strokePath() {
        // Lengths are the user's; the path is in pixels. An uneven transform has no single scale: its mean serves.
        let scale = abs(ctm.a * ctm.d - ctm.b * ctm.c).squareRoot()
        let width = max(state.lineWidth * scale, 1)
        for line in path {
            var travelled = state.dash.phase * scale
            for (start, end) in zip(line, line.dropFirst()) {
                let length = hypot(end.x - start.x, end.y - start.y)
                guard length > 0, length < 1e7 else { continue }
                for piece in dashes(from: travelled, length: length, scale: scale) {
                    let along = CGPoint(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
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

    /// The parts of a line that are drawn, as distances from its start.
    private func dashes(from phase: CGFloat, length: CGFloat, scale: CGFloat) -> [ClosedRange<CGFloat>] {
        let lengths = state.dash.lengths.map { $0 * scale }
        // An odd pattern repeats with dashes and gaps exchanged.
        let pattern = lengths.count % 2 == 0 ? lengths : lengths + lengths
        let period = pattern.reduce(0, +)
        guard period > 0.5 else { return [0...length] }
        var pieces: [ClosedRange<CGFloat>] = []
        var position = -(phase - (phase / period).rounded(.down) * period)
        while position < length {
            for (index, part) in pattern.enumerated() {
                let (from, to) = (max(0, position), min(length, position + part))
                if index % 2 == 0, from < to { pieces.append(from...to) }
                position += part
            }
        }
        return pieces
    }

    /// Fills a bar of the given width about a piece of a line: in coordinates turned along the line it is a rectangle.
    private func paintBar(from start: CGPoint, along: CGPoint, _ piece: ClosedRange<CGFloat>, width: CGFloat) {
        saveGState()
        state.transform = CGAffineTransform(a: along.x, b: along.y, c: -along.y, d: along.x, tx: start.x, ty: start.y)
        let bar = CGRect(
            x: piece.lowerBound, y: -width / 2, width: piece.upperBound - piece.lowerBound, height: width)
        paint(bar, with: state.stroke)
        restoreGState()
    }
}
