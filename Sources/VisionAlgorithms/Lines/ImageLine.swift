/// A straight line through an image, and the positions along it that have edges.
///
/// Positions are columns t, or rows if `isUpright`: at t, in pixels with whole numbers at their centres, the line lies
/// at `start + slope * t`.
package struct ImageLine: Sendable {
    package let isUpright: Bool
    package let start: Double
    package let slope: Double
    /// The outermost positions with edges.
    package let first: Int
    package let last: Int
    /// The number of positions with edges: the visible length of the line, in units of t.
    package let count: Int
    /// For each position t, the number of positions before it that have edges; and the number of these that are
    /// brighter on the side of smaller rows (or columns), less those that are darker there.
    let covered: [Int32]
    let polarity: [Int32]
    /// The sum of the gradients before each position.
    let strength: [Int32]

    /// Nil if there are fewer edges than `least`.
    ///
    /// - Parameter hits: The edges on the line, an element a position, 0 for none.
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

    /// The length of a unit of t, in pixels of the image.
    package var unit: Double { (1 + slope * slope).squareRoot() }

    /// Returns the point at t, in pixels with whole numbers at their edges.
    package func point(_ t: Double) -> PlanarPoint {
        let across = start + slope * t
        return isUpright ? PlanarPoint(x: across + 0.5, y: t + 0.5) : PlanarPoint(x: t + 0.5, y: across + 0.5)
    }

    /// The outermost points with edges.
    package var ends: (PlanarPoint, PlanarPoint) { (point(Double(first)), point(Double(last))) }

    /// Returns the position t of a point that is projected along the other axis.
    func position(of point: PlanarPoint) -> Double { (isUpright ? point.y : point.x) - 0.5 }

    /// The unit direction.
    var direction: PlanarPoint {
        let along = 1 / unit
        return isUpright ? PlanarPoint(x: slope * along, y: along) : PlanarPoint(x: along, y: slope * along)
    }

    /// Returns the intersection of two lines; nil for nearly parallel ones.
    func crossing(_ other: ImageLine) -> PlanarPoint? {
        let (p, q) = (point(0), other.point(0))
        let (d, e) = (direction, other.direction)
        let determinant = d.cross(e)
        guard abs(determinant) > 0.05 else { return nil }
        let along = (q - p).cross(e) / determinant
        return PlanarPoint(x: p.x + d.x * along, y: p.y + d.y * along)
    }

    /// Returns the share of the positions between two, within the image, that have edges; 0 if none is within the
    /// image.
    func coverage(from a: Double, to b: Double) -> Double {
        let (low, high) = range(a, b)
        return high > low ? Double(covered[high] - covered[low]) / Double(high - low) : 0
    }

    /// Returns the positions between two that are within the image, as indices of the sums.
    func range(_ a: Double, _ b: Double) -> (low: Int, high: Int) {
        let limit = Double(covered.count - 1)
        let low = Int(min(max(min(a, b).rounded(), 0), limit)), high = Int(min(max(max(a, b).rounded(), 0), limit))
        return (low, high)
    }
}
