/// A straight line through an image and where along it there are edges.
///
/// Its points are counted in columns t, or in rows where it `isUpright`: at t, in pixels with whole numbers at their centres, it
/// lies at `start + slope * t`.
package struct ImageLine: Sendable {
    package let isUpright: Bool
    package let start: Double
    package let slope: Double
    /// The outermost places along it that have edges.
    package let first: Int
    package let last: Int
    /// How many places have edges: the line's length as far as it is seen, counted in t.
    package let count: Int
    /// For each place t how many places before it have edges, and how many of these are brighter on the side of smaller rows (or
    /// columns) less those that are darker there.
    let covered: [Int32]
    let polarity: [Int32]
    /// The sum of the gradients before each place.
    let strength: [Int32]

    /// - Parameters:
    ///   - hits: The edges on it, an element a place, 0 where there is none.
    ///   - least: Nil with fewer edges than that.
    init?(isUpright: Bool, start: Double, slope: Double, hits: [Int32], least: Int) {
        var covered: [Int32] = [0], polarity: [Int32] = [0], strength: [Int32] = [0]
        covered.reserveCapacity(hits.count + 1)
        polarity.reserveCapacity(hits.count + 1)
        strength.reserveCapacity(hits.count + 1)
        var (first, last) = (-1, -1)
        var (count, signs, sum) = (Int32(0), Int32(0), Int32(0))
        for (t, hit) in hits.enumerated() {
            if hit != 0 {
                let value = hit >> 16
                count += 1
                signs += value > 0 ? -1 : 1
                sum += abs(value)
                if first < 0 { first = t }
                last = t
            }
            covered.append(count)
            polarity.append(signs)
            strength.append(sum)
        }
        guard count > 0, Int(count) >= least else { return nil }
        self.isUpright = isUpright
        (self.start, self.slope) = (start, slope)
        (self.first, self.last, self.count) = (first, last, Int(count))
        (self.covered, self.polarity, self.strength) = (covered, polarity, strength)
    }

    /// Pixels of the image for each unit of t.
    package var unit: Double { (1 + slope * slope).squareRoot() }

    /// The point at t, in pixels with whole numbers at their edges.
    package func point(_ t: Double) -> PlanarPoint {
        let across = start + slope * t
        return isUpright ? PlanarPoint(x: across + 0.5, y: t + 0.5) : PlanarPoint(x: t + 0.5, y: across + 0.5)
    }

    /// The ends of what is seen of it.
    package var ends: (PlanarPoint, PlanarPoint) { (point(Double(first)), point(Double(last))) }

    /// Where along the line the point nearest along its axis is.
    func place(of point: PlanarPoint) -> Double { (isUpright ? point.y : point.x) - 0.5 }

    /// Its direction, of length 1.
    var direction: PlanarPoint {
        let along = 1 / unit
        return isUpright ? PlanarPoint(x: slope * along, y: along) : PlanarPoint(x: along, y: slope * along)
    }

    /// Where two lines cross; nil for nearly parallel ones.
    func crossing(_ other: ImageLine) -> PlanarPoint? {
        let (p, q) = (point(0), other.point(0))
        let (d, e) = (direction, other.direction)
        let turn = d.cross(e)
        guard abs(turn) > 0.05 else { return nil }
        let along = (q - p).cross(e) / turn
        return PlanarPoint(x: p.x + d.x * along, y: p.y + d.y * along)
    }

    /// The share of the places between two that have edges, of those within the image; 0 where none is.
    func coverage(from a: Double, to b: Double) -> Double {
        let (low, high) = range(a, b)
        return high > low ? Double(covered[high] - covered[low]) / Double(high - low) : 0
    }

    /// The places between two that are within the image, as indices of the sums.
    func range(_ a: Double, _ b: Double) -> (low: Int, high: Int) {
        let limit = Double(covered.count - 1)
        let low = Int(min(max(min(a, b).rounded(), 0), limit)), high = Int(min(max(max(a, b).rounded(), 0), limit))
        return (low, high)
    }
}
