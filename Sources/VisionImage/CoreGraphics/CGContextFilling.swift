public import Foundation

extension CGContext {
    /// Fills a rectangle in user coordinates with the fill colour.
    public func fill(_ rect: CGRect) { paint(rect, with: state.fill) }

    /// Fills rectangles in user coordinates with the fill colour.
    public func fill(_ rects: [CGRect]) { rects.forEach(fill) }

    /// Sets all components in a rectangle in user coordinates to zero.
    public func clear(_ rect: CGRect) {
        let (mode, alpha) = (state.blendMode, state.alpha)
        (state.blendMode, state.alpha) = (.clear, 1)
        paint(rect, with: .black)
        (state.blendMode, state.alpha) = (mode, alpha)
    }

    /// Whether edges get as much of the colour as is covered, or all or nothing by the half.
    public func setShouldAntialias(_ shouldAntialias: Bool) { state.antialiases = shouldAntialias }

    /// Allows antialiasing in the whole context.
    public func setAllowsAntialiasing(_ allowsAntialiasing: Bool) { allowsAntialias = allowsAntialiasing }

    /// Sets how far lines may be from curves. Ignored: it is less than a pixel anyway.
    public func setFlatness(_ flatness: CGFloat) {}

    /// Fills an outline in pixels with the fill colour.
    func fill(_ outline: PathOutline, _ rule: CGPathFillRule) {
        if isDocument { return fillPage(outline, rule, with: state.fill) }
        fill(lines: outline.polylines(tolerance: 0.01), rule, with: state.fill)
    }

    private func paint(_ rect: CGRect, with colour: Colour) {
        guard !rect.isNull, !rect.isInfinite else { return }
        let outline = CGPath(rect: rect, transform: nil).outline.applying(ctm)
        if isDocument { return fillPage(outline, .winding, with: colour) }
        let lines = outline.polylines(tolerance: 1)
        guard lines.count == 1, let pixels = Self.wholePixels(of: lines[0]) else {
            return fill(lines: lines, .winding, with: colour)
        }
        // Whole pixels have no edges to be found.
        withShadow {
            let (clip, source) = (state.clip, colour.components)
            for row in clip.rows.overlap(pixels.rows) {
                for x in clip.columns.overlap(pixels.columns) {
                    blend(source, coverage: clip.coverage(x, row), x: x, row: row)
                }
            }
        }
    }

    /// Fills an outline of a document's page. Nothing is cleared there.
    private func fillPage(_ outline: PathOutline, _ rule: CGPathFillRule, with colour: Colour) {
        guard state.blendMode != .clear else { return }
        document?.fill(outline, rule, colour, opacity: state.alpha)
    }

    /// Fills polygons in pixels.
    func fill(lines: [[CGPoint]], _ rule: CGPathFillRule, with colour: Colour) {
        if isDocument {
            // Outlines of lines.
            let outline = lines.reduce(into: PathOutline()) { outline, line in
                guard let first = line.first else { return }
                outline.move(to: first)
                line.dropFirst().forEach { outline.addLine(to: $0) }
                outline.close()
            }
            return fillPage(outline, rule, with: colour)
        }
        withShadow {
            let source = colour.components
            forEachCoveredRow(lines, rule) { row, columns, coverage in
                for column in columns where coverage[column] > 0 {
                    blend(source, coverage: min(coverage[column], 1), x: column, row: row)
                }
            }
        }
    }

    /// Calls the closure for each row of the clip, from the bottom, with the columns that polygons touch and how much
    /// of their pixels they cover within the clip, 0…1.
    func forEachCoveredRow(
        _ lines: [[CGPoint]], _ rule: CGPathFillRule,
        _ body: (_ row: Int, _ columns: Range<Int>, _ coverage: [Float]) -> Void
    ) {
        let clip = state.clip
        guard !clip.isEmpty else { return }
        let antialiases = state.antialiases && allowsAntialias
        PathCoverage(lines: lines, width: width, height: height).forEachRow(rule, rows: clip.rows) {
            row, columns, coverage in
            let columns = columns.clamped(to: clip.columns)
            guard !columns.isEmpty else { return }
            if clip.mask == nil, antialiases { return body(row, columns, coverage) }
            var coverage = coverage
            for column in columns {
                if !antialiases { coverage[column] = coverage[column] >= 0.5 ? 1 : 0 }
                coverage[column] *= clip.coverage(column, row)
            }
            body(row, columns, coverage)
        }
    }
}

/// How much of each pixel polygons cover: exact along a row, on 16 lines of it.
struct PathCoverage {
    private struct Edge {
        /// From the lower to the upper end.
        let x, y, top, slope: Double
        /// Whether the polygon goes upwards here.
        let direction: Int
    }

    private static let linesPerRow = 16

    private let width, height: Int
    /// Edges by the row in which they begin.
    private var starting: [[Edge]]

    /// - Parameter lines: Polygons in pixels, y up; those with a coordinate that is not finite are left out.
    init(lines: [[CGPoint]], width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        starting = Array(repeating: [], count: height)
        for line in lines where line.allSatisfy({ $0.x.magnitude < 1e9 && $0.y.magnitude < 1e9 }) {
            for (start, end) in zip(line, line.dropFirst() + line.prefix(1)) where start.y != end.y {
                let (low, high) = start.y < end.y ? (start, end) : (end, start)
                guard high.y > 0, low.y < CGFloat(height) else { continue }
                let edge = Edge(
                    x: Double(low.x), y: Double(low.y), top: Double(high.y),
                    slope: Double((high.x - low.x) / (high.y - low.y)), direction: start.y < end.y ? 1 : -1)
                starting[min(height - 1, max(0, Int(low.y.rounded(.down))))].append(edge)
            }
        }
    }

    /// Calls the closure for each row from the bottom that has covered pixels, with their columns and the coverage of
    /// the row's pixels, 0…1.
    ///
    /// - Parameter rows: The rows that are wanted.
    func forEachRow(
        _ rule: CGPathFillRule, rows: Range<Int>,
        _ body: (_ row: Int, _ columns: Range<Int>, _ coverage: [Float]) -> Void
    ) {
        var active: [Edge] = []
        var coverage = [Float](repeating: 0, count: width)
        for row in 0..<rows.upperBound {
            active.removeAll { $0.top <= Double(row) }
            active += starting[row]
            guard !active.isEmpty, row >= rows.lowerBound else { continue }
            var (left, right) = (width, 0)
            for line in 0..<Self.linesPerRow {
                let y = Double(row) + (Double(line) + 0.5) / Double(Self.linesPerRow)
                let crossings = active.filter { $0.y <= y && y < $0.top }
                    .map { (x: $0.x + (y - $0.y) * $0.slope, direction: $0.direction) }.sorted { $0.x < $1.x }
                var turns = 0
                for (crossing, next) in zip(crossings, crossings.dropFirst()) {
                    turns += rule == .winding ? crossing.direction : 1
                    guard rule == .winding ? turns != 0 : turns % 2 != 0 else { continue }
                    let (from, to) = (max(0, crossing.x), min(Double(width), next.x))
                    guard from < to else { continue }
                    let (first, last) = (Int(from), min(width - 1, Int(to)))
                    for column in first...last {
                        let part = min(to, Double(column + 1)) - max(from, Double(column))
                        coverage[column] += Float(part / Double(Self.linesPerRow))
                    }
                    (left, right) = (min(left, first), max(right, last + 1))
                }
            }
            guard left < right else { continue }
            body(row, left..<right, coverage)
            for column in left..<right { coverage[column] = 0 }
        }
    }
}
