package import Foundation

/// The shape of the ends of open lines.
public enum CGLineCap: Int32, Sendable {
    /// The line ends at its end point.
    case butt = 0
    /// A half circle around the end point.
    case round = 1
    /// The line goes on for half of its width.
    case square = 2
}

/// The shape of corners between two lines.
public enum CGLineJoin: Int32, Sendable {
    /// A pointed corner; beyond the miter limit a bevel.
    case miter = 0
    /// A circle around the corner.
    case round = 1
    /// A triangle between the outer edges.
    case bevel = 2
}

/// How lines become areas.
package struct PathStroke: Sendable {
    package var width: CGFloat = 1
    package var cap = CGLineCap.butt
    package var join = CGLineJoin.miter
    /// The most that the length of a pointed corner may be, in widths.
    package var miterLimit: CGFloat = 10
    package var dash = PathDash()

    /// The widest line, so that outlines stay finite.
    static let maximumWidth: CGFloat = 1e8

    /// Returns polygons whose union is the area of the lines. All have the same orientation, so that the non-zero rule
    /// makes the union.
    ///
    /// - Parameters:
    ///   - lines: Polylines; one that ends where it starts is closed.
    ///   - tolerance: How far the sides of circles may be from the circle.
    ///   - visible: A circle beyond which nothing is needed; nil if everything is.
    package func polygons(_ lines: [[CGPoint]], tolerance: CGFloat, visible: Circle? = nil) -> [[CGPoint]] {
        let width = min(width, Self.maximumWidth)
        guard width > 0 else { return [] }
        var outline = StrokeOutline(half: width / 2, stroke: self, tolerance: tolerance)
        let reach = visible.map { Circle(centre: $0.centre, radius: $0.radius + width * max(1, min(miterLimit, 100))) }
        // Hostile patterns could ask for any number of dashes: such lines are solid.
        let isDashed = !dash.isSolid && dash.count(on: lines, within: reach) <= PathDash.limit
        for line in lines {
            // Points that repeat have no direction.
            var points: [CGPoint] = []
            for point in line where point != points.last { points.append(point) }
            guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { continue }
            let isClosed = line.count > 2 && points.count > 2 && points.first == points.last
            if !isDashed {
                outline.add(reach.map { $0.visibleParts(of: points) } ?? [points], isClosed: isClosed)
            } else {
                outline.add(dash.pieces(of: points, visible: reach), isClosed: isClosed)
            }
        }
        return outline.polygons
    }

    /// A circle.
    package struct Circle: Sendable {
        package var centre: CGPoint
        package var radius: CGFloat

        /// Returns the part of a segment within about the radius, as distances from its start.
        func part(of segment: PathSegment) -> (from: CGFloat, to: CGFloat)? {
            let (along, x, y) = (segment.along, centre.x - segment.start.x, centre.y - segment.start.y)
            let passing = x * along.x + y * along.y
            guard abs(x * along.y - y * along.x) <= radius else { return nil }
            let part = (from: max(0, passing - radius), to: min(segment.length, passing + radius))
            return part.from < part.to ? part : nil
        }

        /// Divides a polyline where it leaves the circle, so that no point is far away.
        func visibleParts(of points: [CGPoint]) -> [[CGPoint]] {
            guard points.count > 1 else { return [points] }
            var parts: [[CGPoint]] = []
            var isOpen = false
            for (start, end) in zip(points, points.dropFirst()) {
                let segment = PathSegment(from: start, to: end)
                guard segment.length.isFinite, let part = part(of: segment) else {
                    isOpen = false
                    continue
                }
                if !isOpen || part.from > 0 { parts.append([segment.point(part.from)]) }
                parts[parts.count - 1].append(segment.point(part.to))
                isOpen = part.to == segment.length
            }
            return parts
        }
    }
}

/// A side of a polyline.
struct PathSegment {
    let start: CGPoint
    let end: CGPoint
    let length: CGFloat
    /// The direction, of length 1.
    let along: CGPoint

    init(from start: CGPoint, to end: CGPoint) {
        (self.start, self.end) = (start, end)
        length = hypot(end.x - start.x, end.y - start.y)
        along = CGPoint(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
    }

    /// Returns the point at a distance from the start; the ends exactly, so that neighbours meet.
    func point(_ distance: CGFloat) -> CGPoint {
        if distance == 0 { return start }
        if distance == length { return end }
        return CGPoint(x: start.x + along.x * distance, y: start.y + along.y * distance)
    }
}

/// Collects the polygons of lines.
private struct StrokeOutline {
    let half: CGFloat
    let stroke: PathStroke
    private(set) var polygons: [[CGPoint]] = []
    /// The corners of a circle around the origin.
    private let circle: [CGPoint]

    init(half: CGFloat, stroke: PathStroke, tolerance: CGFloat) {
        (self.half, self.stroke) = (half, stroke)
        // The sagitta of a side is r·(1 - cos(π / n)).
        let share = max(1e-6, min(0.5, tolerance / half))
        let count = max(8, min(512, Int((CGFloat.pi / acos(1 - share)).rounded(.up))))
        circle = (0..<count).map {
            let angle = 2 * CGFloat.pi * CGFloat($0) / CGFloat(count)
            return CGPoint(x: half * cos(angle), y: half * sin(angle))
        }
    }

    /// Adds the parts of one line.
    ///
    /// - Parameter isClosed: Whether the line ends where it starts. Then its first and last part meet there.
    mutating func add(_ parts: [[CGPoint]], isClosed: Bool) {
        var parts = parts
        if isClosed, parts.count > 1, let first = parts.first, let last = parts.last, first.first == last.last {
            parts[0] = last + first.dropFirst()
            parts.removeLast()
        }
        for part in parts { add(part, isClosed: isClosed && parts.count == 1 && part.first == part.last) }
    }

    private mutating func add(_ points: [CGPoint], isClosed: Bool) {
        guard let start = points.first else { return }
        guard points.count > 1 else { return addDot(start) }
        let directions = zip(points, points.dropFirst()).map { a, b in
            let length = hypot(b.x - a.x, b.y - a.y)
            return CGPoint(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
        }
        for (index, along) in directions.enumerated() {
            var (a, b) = (points[index], points[index + 1])
            if stroke.cap == .square, !isClosed {
                if index == 0 { a = CGPoint(x: a.x - along.x * half, y: a.y - along.y * half) }
                if index == directions.count - 1 { b = CGPoint(x: b.x + along.x * half, y: b.y + along.y * half) }
            }
            let (x, y) = (-along.y * half, along.x * half)
            append([
                CGPoint(x: a.x - x, y: a.y - y), CGPoint(x: b.x - x, y: b.y - y), CGPoint(x: b.x + x, y: b.y + y),
                CGPoint(x: a.x + x, y: a.y + y),
            ])
            if index > 0 { addJoin(at: points[index], directions[index - 1], along) }
        }
        if isClosed {
            addJoin(at: start, directions[directions.count - 1], directions[0])
        } else if stroke.cap == .round, let end = points.last {
            addCircle(start)
            addCircle(end)
        }
    }

    /// A line without length shows its caps only.
    private mutating func addDot(_ point: CGPoint) {
        switch stroke.cap {
        case .butt: break
        case .round: addCircle(point)
        case .square:
            append([
                CGPoint(x: point.x - half, y: point.y - half), CGPoint(x: point.x + half, y: point.y - half),
                CGPoint(x: point.x + half, y: point.y + half), CGPoint(x: point.x - half, y: point.y + half),
            ])
        }
    }

    private mutating func addCircle(_ centre: CGPoint) {
        append(circle.map { CGPoint(x: centre.x + $0.x, y: centre.y + $0.y) })
    }

    private mutating func addJoin(at corner: CGPoint, _ before: CGPoint, _ after: CGPoint) {
        if stroke.join == .round { return addCircle(corner) }
        let cross = before.x * after.y - before.y * after.x
        let dot = before.x * after.x + before.y * after.y
        guard cross != 0 || dot < 0 else { return }
        // The outer side is to the right of a left turn.
        let side: CGFloat = cross > 0 ? half : -half
        let first = CGPoint(x: corner.x + before.y * side, y: corner.y - before.x * side)
        let second = CGPoint(x: corner.x + after.y * side, y: corner.y - after.x * side)
        // The length of a miter in widths is 1 / sin(θ / 2) for the angle θ between the lines, and cos θ is -dot.
        let sine = max(0, (1 + dot) / 2).squareRoot()
        guard stroke.join == .miter, sine > 0, 1 / sine <= stroke.miterLimit else {
            return append([corner, first, second])
        }
        let (x, y) = (first.x + second.x - 2 * corner.x, first.y + second.y - 2 * corner.y)
        let length = hypot(x, y)
        guard length > 0 else { return }
        let reach = half / sine / length
        append([corner, first, CGPoint(x: corner.x + x * reach, y: corner.y + y * reach), second])
    }

    /// Adds a polygon, counter-clockwise.
    private mutating func append(_ polygon: [CGPoint]) {
        var area: CGFloat = 0
        // Relative to a corner, because far from the origin the products lose their digits.
        let origin = polygon[0]
        for (a, b) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
            area += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
        }
        polygons.append(area < 0 ? polygon.reversed() : polygon)
    }
}
