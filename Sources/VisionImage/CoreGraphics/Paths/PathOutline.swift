package import Foundation

/// The elements of a path: their kinds, and the points of all of them in a row.
package struct PathOutline: Hashable, Sendable {
    package private(set) var types: [CGPathElementType] = []
    package private(set) var points: [CGPoint] = []
    /// The start of the current subpath.
    private var start: CGPoint?
    /// The end of the last element; nil without elements.
    package private(set) var current: CGPoint?

    package init() {}

    package mutating func reserve(elements: Int) {
        types.reserveCapacity(types.count + elements)
        points.reserveCapacity(points.count + elements)
    }

    package mutating func move(to point: CGPoint) {
        types.append(.moveToPoint)
        points.append(point)
        (start, current) = (point, point)
    }

    /// Adds a line or a curve; does nothing without a current point.
    package mutating func add(_ type: CGPathElementType, _ values: [CGPoint]) {
        guard current != nil, let end = values.last else { return }
        types.append(type)
        points.append(contentsOf: values)
        current = end
    }

    /// Adds a line without an array for its point.
    package mutating func addLine(to point: CGPoint) {
        guard current != nil else { return }
        types.append(.addLineToPoint)
        points.append(point)
        current = point
    }

    package mutating func close() {
        guard current != nil, types.last != .closeSubpath else { return }
        types.append(.closeSubpath)
        current = start
    }

    package mutating func append(_ other: PathOutline) {
        types.append(contentsOf: other.types)
        points.append(contentsOf: other.points)
        (start, current) = other.current == nil ? (start, current) : (other.start, other.current)
    }

    package func applying(_ transform: CGAffineTransform) -> PathOutline {
        guard !transform.isIdentity else { return self }
        var result = self
        result.points = points.map { $0.applying(transform) }
        result.start = start?.applying(transform)
        result.current = current?.applying(transform)
        return result
    }

    /// Calls a closure with each element and its points.
    package func forEach(_ body: (CGPathElementType, ArraySlice<CGPoint>) -> Void) {
        var first = 0
        for type in types {
            let next = first + type.pointCount
            body(type, points[first..<next])
            first = next
        }
    }

    // MARK: - Shapes

    package mutating func addRect(_ rect: CGRect, _ transform: CGAffineTransform) {
        let r = rect.standardized
        move(to: CGPoint(x: r.minX, y: r.minY).applying(transform))
        addLine(to: CGPoint(x: r.maxX, y: r.minY).applying(transform))
        addLine(to: CGPoint(x: r.maxX, y: r.maxY).applying(transform))
        addLine(to: CGPoint(x: r.minX, y: r.maxY).applying(transform))
        close()
    }

    /// The distance of a control point from the end of a quarter of a circle of radius 1, by which the Bézier curve
    /// deviates least.
    private static let quarter: CGFloat = 0.5522847498307936

    package mutating func addEllipse(in rect: CGRect, _ transform: CGAffineTransform) {
        let r = rect.standardized
        addRoundedRect(r, cornerWidth: r.width / 2, cornerHeight: r.height / 2, transform)
    }

    package mutating func addRoundedRect(
        _ rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, _ transform: CGAffineTransform
    ) {
        let r = rect.standardized
        let (w, h) = (max(0, min(cornerWidth, r.width / 2)), max(0, min(cornerHeight, r.height / 2)))
        guard w > 0, h > 0 else { return addRect(rect, transform) }
        func at(_ x: CGFloat, _ y: CGFloat) -> CGPoint { CGPoint(x: x, y: y).applying(transform) }
        let (left, right, low, high) = (r.minX, r.maxX, r.minY, r.maxY)
        let (restW, restH) = (w * (1 - Self.quarter), h * (1 - Self.quarter))
        // From the middle of the right side, with rising angles.
        move(to: at(right, r.midY))
        if r.height > 2 * h { addLine(to: at(right, high - h)) }
        add(.addCurveToPoint, [at(right, high - restH), at(right - restW, high), at(right - w, high)])
        if r.width > 2 * w { addLine(to: at(left + w, high)) }
        add(.addCurveToPoint, [at(left + restW, high), at(left, high - restH), at(left, high - h)])
        if r.height > 2 * h { addLine(to: at(left, low + h)) }
        add(.addCurveToPoint, [at(left, low + restH), at(left + restW, low), at(left + w, low)])
        if r.width > 2 * w { addLine(to: at(right - w, low)) }
        add(.addCurveToPoint, [at(right - restW, low), at(right, low + restH), at(right, low + h)])
        close()
    }

    package mutating func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat, _ transform: CGAffineTransform
    ) {
        func at(_ angle: CGFloat, _ along: CGFloat) -> CGPoint {
            let (c, s) = (cos(angle), sin(angle))
            return CGPoint(
                x: center.x + radius * (c - along * s), y: center.y + radius * (s + along * c)
            ).applying(transform)
        }
        let begin = at(startAngle, 0)
        if current == nil { move(to: begin) } else { addLine(to: begin) }
        guard delta != 0, delta.isFinite, startAngle.isFinite, radius.isFinite else { return }
        // More than two turns give the same points again, and end where the rest ends. Pieces of at most a quarter.
        let turn = 2 * CGFloat.pi
        let rest = delta.truncatingRemainder(dividingBy: turn)
        let sweep = abs(delta) <= 2 * turn ? delta : rest + (delta < 0 ? -turn : turn)
        let count = max(1, Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)))
        let step = sweep / CGFloat(count), reach = 4 / 3 * tan(step / 4)
        for index in 0..<count {
            let (from, to) = (startAngle + CGFloat(index) * step, startAngle + CGFloat(index + 1) * step)
            add(.addCurveToPoint, [at(from, reach), at(to, -reach), at(to, 0)])
        }
    }
}
