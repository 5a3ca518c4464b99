package import Foundation

extension PathOutline {
    /// Returns the smallest rectangle around points; `CGRect.null` without points. A point that is not a number counts
    /// for nothing.
    package static func box(of points: [CGPoint]) -> CGRect {
        var (left, right, low, high) = (CGFloat.infinity, -CGFloat.infinity, CGFloat.infinity, -CGFloat.infinity)
        for point in points where point.x.isFinite && point.y.isFinite {
            (left, right) = (min(left, point.x), max(right, point.x))
            (low, high) = (min(low, point.y), max(high, point.y))
        }
        return left <= right ? CGRect(x: left, y: low, width: right - left, height: high - low) : .null
    }

    /// Calls closures with each line and curve; closed subpaths end with a line to their start.
    ///
    /// - Parameter closesAll: Whether open subpaths get such a line as well.
    package func forEachSegment(
        closesAll: Bool, line: (CGPoint, CGPoint) -> Void, curve: (CGPoint, CGPoint, CGPoint, CGPoint) -> Void
    ) {
        var (start, current) = (CGPoint.zero, CGPoint.zero)
        forEach { type, values in
            let first = values.startIndex
            switch type {
            case .moveToPoint:
                if closesAll, current != start { line(current, start) }
                (start, current) = (values[first], values[first])
            case .addLineToPoint:
                line(current, values[first])
                current = values[first]
            case .addQuadCurveToPoint:
                let (control, end) = (values[first], values[first + 1])
                // A quadratic curve is a cubic one with control points two thirds of the way.
                func toward(_ point: CGPoint) -> CGPoint {
                    CGPoint(x: point.x + (control.x - point.x) * 2 / 3, y: point.y + (control.y - point.y) * 2 / 3)
                }
                curve(current, toward(current), toward(end), end)
                current = end
            case .addCurveToPoint:
                curve(current, values[first], values[first + 1], values[first + 2])
                current = values[first + 2]
            case .closeSubpath:
                line(current, start)
                current = start
            }
        }
        if closesAll, current != start { line(current, start) }
    }

    /// Returns the ends of all elements, and the points where curves turn back along an axis.
    package func extremes() -> [CGPoint] {
        var found: [CGPoint] = []
        forEach { type, values in
            if let end = values.last, type != .closeSubpath { found.append(end) }
        }
        forEachSegment(closesAll: false, line: { _, _ in }) { a, b, c, d in
            for axis in [\CGPoint.x, \CGPoint.y] {
                let (p0, p1, p2, p3) = (a[keyPath: axis], b[keyPath: axis], c[keyPath: axis], d[keyPath: axis])
                // The derivative is 3 (k t² + 2 l t + m).
                let (k, l, m) = (p3 - 3 * p2 + 3 * p1 - p0, p2 - 2 * p1 + p0, p1 - p0)
                var times: [CGFloat] = []
                if abs(k) > 1e-12 * (abs(l) + abs(m)) {
                    let root = l * l - k * m
                    if root >= 0 { times = [(-l + root.squareRoot()) / k, (-l - root.squareRoot()) / k] }
                } else if l != 0 {
                    times = [-m / (2 * l)]
                }
                for t in times where t > 0 && t < 1 { found.append(Self.point(a, b, c, d, at: t)) }
            }
        }
        return found
    }

    private static func point(
        _ a: CGPoint, _ b: CGPoint, _ c: CGPoint, _ d: CGPoint, at t: CGFloat
    ) -> CGPoint {
        let s = 1 - t
        let (wa, wb, wc, wd) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
        return CGPoint(x: wa * a.x + wb * b.x + wc * c.x + wd * d.x, y: wa * a.y + wb * b.y + wc * c.y + wd * d.y)
    }

    /// Returns the subpaths as polylines; a closed one ends where it starts.
    ///
    /// - Parameter tolerance: About how far the lines may be from the curves.
    package func polylines(tolerance: CGFloat) -> [[CGPoint]] {
        var lines: [[CGPoint]] = []
        var (start, current) = (CGPoint.zero, CGPoint.zero)
        func append(_ point: CGPoint) {
            // After a closed subpath the next one may begin without a move.
            if lines.isEmpty || lines[lines.count - 1].isEmpty { lines.append([current]) }
            lines[lines.count - 1].append(point)
            current = point
        }
        forEach { type, values in
            let first = values.startIndex
            switch type {
            case .moveToPoint:
                (start, current) = (values[first], values[first])
                lines.append([start])
            case .addLineToPoint: append(values[first])
            case .addQuadCurveToPoint, .addCurveToPoint:
                var single = PathOutline()
                single.move(to: current)
                single.add(type, Array(values))
                single.forEachSegment(closesAll: false, line: { _, _ in }) { a, b, c, d in
                    for point in Self.pieces(a, b, c, d, tolerance: tolerance) { append(point) }
                }
            case .closeSubpath:
                append(start)
                lines.append([])
            }
        }
        return lines.filter { $0.count > 1 }
    }

    /// Returns the points that divide a curve into nearly straight pieces, the start excluded.
    private static func pieces(
        _ a: CGPoint, _ b: CGPoint, _ c: CGPoint, _ d: CGPoint, tolerance: CGFloat
    ) -> [CGPoint] {
        // A bound of the second derivative gives the number of pieces (Wang, 1984).
        let bend = max(
            hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y), hypot(b.x - 2 * c.x + d.x, b.y - 2 * c.y + d.y))
        let wanted = (0.75 * bend / max(tolerance, .leastNormalMagnitude)).squareRoot().rounded(.up)
        let count = wanted.isFinite ? Int(max(1, min(512, wanted))) : 1
        return (1...count).map { $0 == count ? d : point(a, b, c, d, at: CGFloat($0) / CGFloat(count)) }
    }

    /// Returns how often the outline winds around a point counter-clockwise, and how often a ray from it crosses it.
    package func winding(around point: CGPoint) -> (turns: Int, crossings: Int) {
        var (turns, crossings) = (0, 0)
        func cross(_ a: CGPoint, _ b: CGPoint) {
            guard (a.y <= point.y) != (b.y <= point.y) else { return }
            let side = (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y)
            if a.y <= point.y, side > 0 {
                turns += 1
                crossings += 1
            } else if a.y > point.y, side < 0 {
                turns -= 1
                crossings += 1
            }
        }
        forEachSegment(closesAll: true, line: cross) { a, b, c, d in
            let box = Self.box(of: [a, b, c, d])
            // Far from the point a curve counts as its chord.
            guard point.y >= box.minY, point.y <= box.maxY, point.x <= box.maxX else { return cross(a, d) }
            var last = a
            for next in Self.pieces(a, b, c, d, tolerance: max(box.width, box.height) * 1e-5) {
                cross(last, next)
                last = next
            }
        }
        return (turns, crossings)
    }

    /// Returns the rectangle that the outline is, if it is one with sides along the axes.
    package func rectangle() -> CGRect? {
        var types = types, points = points
        if types.last == .closeSubpath { types.removeLast() }
        if points.count == 5, points[4] == points[0] {
            types.removeLast()
            points.removeLast()
        }
        guard types == [.moveToPoint, .addLineToPoint, .addLineToPoint, .addLineToPoint], points.count == 4 else {
            return nil
        }
        let (a, b, c, d) = (points[0], points[1], points[2], points[3])
        let isLevelFirst = a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x
        let isUprightFirst = a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y
        return isLevelFirst || isUprightFirst ? Self.box(of: points) : nil
    }
}
