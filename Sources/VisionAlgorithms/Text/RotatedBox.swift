/// A rotated rectangle: the box of a text line.
package struct RotatedBox: Hashable, Sendable {
    /// In pixels, y down.
    package var centre: SIMD2<Double>
    /// The unit direction of the length, which is the reading direction.
    package var axis: SIMD2<Double>
    /// The full extents along the axis and across it.
    package var length: Double
    package var height: Double

    package init(centre: SIMD2<Double>, axis: SIMD2<Double>, length: Double, height: Double) {
        self.centre = centre
        self.axis = axis
        self.length = length
        self.height = height
    }

    /// The unit direction across the text lines, down the page: the axis rotated clockwise by 90° in the image.
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

    /// Converts a point to the box's own coordinates: along the axis and down, from its centre.
    package func local(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let offset = point - centre
        return SIMD2((offset * axis).sum(), (offset * down).sum())
    }

    /// Returns the box with `more` added at both ends of its length and `across` at both long sides.
    package func grown(length more: Double, height across: Double) -> RotatedBox {
        var box = self
        box.length += 2 * more
        box.height += 2 * across
        return box
    }

    /// Creates the smallest box along `axis` around points, of which there must be at least one.
    package init(around points: some Sequence<SIMD2<Double>>, axis: SIMD2<Double>) {
        var low = SIMD2(repeating: Double.infinity)
        var high = -low
        let down = SIMD2(-axis.y, axis.x)
        for point in points {
            let projected = SIMD2((point * axis).sum(), (point * down).sum())
            low = pointwiseMin(low, projected)
            high = pointwiseMax(high, projected)
        }
        let middle = (low + high) / 2
        self.init(
            centre: axis * middle.x + down * middle.y, axis: axis, length: high.x - low.x, height: high.y - low.y)
    }

    /// Returns the box with its axis in the reading direction: along the longer side, to the right if that is not
    /// decisive. For vertical text, reading down and up cannot be told apart; the direction nearer to horizontal text
    /// is taken.
    func inReadingDirection(squareUpTo ratio: Double) -> RotatedBox {
        var box = self
        let isLong = length >= height * ratio
        let isTall = height > length * ratio
        // About as wide as high: a few letters, which are upright more often than not.
        let swapsAxes = isTall || (!isLong && abs(axis.y) > abs(axis.x))
        if swapsAxes {
            box.axis = down
            (box.length, box.height) = (height, length)
        }
        // Exactly vertical lines are read downwards, as on the backs of books.
        if box.axis.x < -1e-9 || (abs(box.axis.x) <= 1e-9 && box.axis.y < 0) { box.axis = -box.axis }
        return box
    }
}

/// Convex hulls and minimum-area rectangles.
enum ConvexHull {
    /// Returns the corners in order (Andrew's monotone chain), without collinear points.
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

    /// Returns the rectangle of the least area around a hull; one of its sides lies on a side of the hull.
    static func smallestBox(around hull: [SIMD2<Double>]) -> RotatedBox? {
        guard hull.count > 2, let last = hull.last else { return nil }
        var best: RotatedBox?
        var before = last
        for corner in hull {
            let side = corner - before
            before = corner
            let length = (side * side).sum().squareRoot()
            guard length > 1e-9 else { continue }
            let box = RotatedBox(around: hull, axis: side / length)
            if best.map({ box.area < $0.area }) ?? true { best = box }
        }
        return best
    }
}
