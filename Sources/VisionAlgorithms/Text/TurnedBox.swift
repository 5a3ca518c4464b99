import Foundation

/// A rectangle that may be turned: a line of text, seen straight from the front.
package struct TurnedBox: Hashable, Sendable {
    /// Pixels, y down.
    package var centre: SIMD2<Double>
    /// The direction of its length, of length 1: that of reading.
    package var axis: SIMD2<Double>
    /// Along the axis and across it, both from edge to edge.
    package var length: Double
    package var height: Double

    package init(centre: SIMD2<Double>, axis: SIMD2<Double>, length: Double, height: Double) {
        self.centre = centre
        self.axis = axis
        self.length = length
        self.height = height
    }

    /// Across the lines, down the page: the axis a quarter turn clockwise as seen in the picture.
    package var down: SIMD2<Double> { SIMD2(-axis.y, axis.x) }

    package var area: Double { length * height }

    package var quad: PlanarQuad {
        func corner(_ x: Double, _ y: Double) -> PlanarPoint {
            let point = centre + axis * (x * length / 2) + down * (y * height / 2)
            return PlanarPoint(x: point.x, y: point.y)
        }
        return PlanarQuad(
            topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1), bottomLeft: corner(-1, 1))
    }

    /// A point in the box's own coordinates: along the axis and down from its centre.
    package func local(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let offset = point - centre
        return SIMD2((offset * axis).sum(), (offset * down).sum())
    }

    /// The box with as much more at each end of its length, and at each long side.
    package func grown(length more: Double, height across: Double) -> TurnedBox {
        var box = self
        box.length += 2 * more
        box.height += 2 * across
        return box
    }

    /// The smallest box along the axis given around points, not empty.
    package init(around points: some Sequence<SIMD2<Double>>, axis: SIMD2<Double>) {
        var low = SIMD2(repeating: Double.infinity)
        var high = -low
        let down = SIMD2(-axis.y, axis.x)
        for point in points {
            let place = SIMD2((point * axis).sum(), (point * down).sum())
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        let middle = (low + high) / 2
        self.init(
            centre: axis * middle.x + down * middle.y, axis: axis, length: high.x - low.x, height: high.y - low.y)
    }

    /// Text is read along the longer side; where that does not say it, to the right. A line that stands on its end is read
    /// from the top down or from the bottom up: which of them is not known, and what is nearer to upright is taken.
    func inReadingDirection(squareUpTo ratio: Double) -> TurnedBox {
        var box = self
        let isLong = length >= height * ratio
        let isTall = height > length * ratio
        // About as wide as high: a few letters. They stand upright more often than not.
        let turns = isTall || (!isLong && abs(axis.y) > abs(axis.x))
        if turns {
            box.axis = down
            (box.length, box.height) = (height, length)
        }
        // Exactly upright lines are read downwards, as on the backs of books.
        if box.axis.x < -1e-9 || (abs(box.axis.x) <= 1e-9 && box.axis.y < 0) { box.axis = -box.axis }
        return box
    }
}

/// The convex hull of points, and the smallest rectangle around it.
enum ConvexHull {
    /// The corners in order (Andrew's monotone chain), without points on straight sides.
    static func corners(of points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else { return sorted }
        func chain(_ points: some Sequence<SIMD2<Double>>) -> [SIMD2<Double>] {
            var chain: [SIMD2<Double>] = []
            for point in points {
                while let last = chain.last, chain.count >= 2 {
                    let (a, b) = (last - chain[chain.count - 2], point - last)
                    guard a.x * b.y - a.y * b.x <= 0 else { break }
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain
        }
        return chain(sorted).dropLast() + chain(sorted.reversed()).dropLast()
    }

    /// The rectangle of the least area around a hull; one of its sides lies on a side of the hull.
    static func smallestBox(around hull: [SIMD2<Double>]) -> TurnedBox? {
        guard hull.count > 2, let last = hull.last else { return nil }
        var best: TurnedBox?
        var before = last
        for corner in hull {
            let side = corner - before
            before = corner
            let length = (side * side).sum().squareRoot()
            guard length > 1e-9 else { continue }
            let box = TurnedBox(around: hull, axis: side / length)
            if best.map({ box.area < $0.area }) ?? true { best = box }
        }
        return best
    }
}
