public import Foundation

extension CGContext {
    /// Fills the path with the fill colour and clears it. Each line is closed. Edges are antialiased: a pixel gets as
    /// much of the colour as the path covers of it, measured on 16 lines.
    ///
    /// - Parameter rule: What is inside where parts of the path overlap.
    public func fillPath(using rule: CGPathFillRule = .winding) {
        fill(lines: path, rule)
        path = []
    }

    /// Adds the ellipse inside a rectangle.
    public func addEllipse(in rect: CGRect) { addPath(CGPath(ellipseIn: rect, transform: nil)) }

    /// Fills the ellipse inside a rectangle in user coordinates with the fill colour. Edges are antialiased.
    public func fillEllipse(in rect: CGRect) {
        fill(lines: CGPath(ellipseIn: rect, transform: nil).outline.applying(ctm).polylines(tolerance: 0.01), .winding)
    }

    /// Draws the outline of the ellipse inside a rectangle with the stroke colour.
    public func strokeEllipse(in rect: CGRect) {
        beginPath()
        addEllipse(in: rect)
        strokePath()
    }

    private func fill(lines: [[CGPoint]], _ rule: CGPathFillRule) {
        let colour = state.fill
        let components = SIMD3(Float(colour.red), Float(colour.green), Float(colour.blue)) * colour.alpha
        PathCoverage(lines: lines, width: width, height: height).forEachRow(rule) { row, columns, coverage in
            let line = memory.address + (height - 1 - row) * bytesPerRow
            for column in columns where coverage[column] > 0 {
                blend(
                    components, alpha: colour.alpha, opacity: Float(state.alpha) * min(coverage[column], 1),
                    into: line + column * layout.bytesPerPixel)
            }
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
    func forEachRow(_ rule: CGPathFillRule, _ body: (_ row: Int, _ columns: Range<Int>, _ coverage: [Float]) -> Void) {
        var active: [Edge] = []
        var coverage = [Float](repeating: 0, count: width)
        for row in 0..<height {
            active.removeAll { $0.top <= Double(row) }
            active += starting[row]
            guard !active.isEmpty else { continue }
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
