/// A projective map of the plane, as rows of a 3 × 3 matrix: (x, y) maps to (row0 · p / row2 · p, row1 · p / row2 · p)
/// with p = (x, y, 1). The scale of the matrix has no meaning; the last element is normalised to 1 where possible.
package struct Homography: Equatable, Sendable {
    package var row0: SIMD3<Double>
    package var row1: SIMD3<Double>
    package var row2: SIMD3<Double>

    package init(_ row0: SIMD3<Double>, _ row1: SIMD3<Double>, _ row2: SIMD3<Double>) {
        let last = abs(row2.z) > 1e-12 ? row2.z : 1
        self.row0 = row0 / last
        self.row1 = row1 / last
        self.row2 = row2 / last
    }

    package static let identity = Homography([1, 0, 0], [0, 1, 0], [0, 0, 1])

    package static func translation(x: Double, y: Double) -> Homography {
        Homography([1, 0, x], [0, 1, y], [0, 0, 1])
    }

    package static func scale(x: Double, y: Double) -> Homography { Homography([x, 0, 0], [0, y, 0], [0, 0, 1]) }

    /// Returns a rotation and scaling about a point.
    package static func similarity(
        about centre: PlanarPoint, cosine: Double, sine: Double, scale: Double
    ) -> Homography {
        let (c, s) = (cosine * scale, sine * scale)
        return Homography(
            [c, -s, centre.x - c * centre.x + s * centre.y], [s, c, centre.y - s * centre.x - c * centre.y], [0, 0, 1])
    }

    /// The map of the square from -1 to 1 to a quad: (-1, -1) maps to its top left corner. Nil for quads that are not
    /// convex.
    ///
    /// Heckbert, "Fundamentals of texture mapping and image warping" (1989).
    package init?(squareTo quad: PlanarQuad) {
        guard quad.isFinite, quad.isConvex else { return nil }
        let (p0, p1, p2, p3) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        let (d1, d2, d3) = (p1 - p2, p3 - p2, p0 - p1 + (p2 - p3))
        let area = d1.cross(d2)
        guard abs(area) > 0 else { return nil }
        let (g, h) = (d3.cross(d2) / area, d1.cross(d3) / area)
        let unit = Homography(
            [p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x],
            [p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y], [g, h, 1])
        // From the square -1 ... 1 to the 0 ... 1 of the formula.
        self = unit * Homography([0.5, 0, 0.5], [0, 0.5, 0.5], [0, 0, 1])
        guard isFinite, isProper else { return nil }
    }

    package static func * (a: Homography, b: Homography) -> Homography {
        func row(_ r: SIMD3<Double>) -> SIMD3<Double> { r.x * b.row0 + r.y * b.row1 + r.z * b.row2 }
        return Homography(row(a.row0), row(a.row1), row(a.row2))
    }

    package var isFinite: Bool {
        let sum = row0.sum() + row1.sum() + row2.sum()
        return sum.isFinite
    }

    package var determinant: Double {
        let x = row1.y * row2.z - row1.z * row2.y
        let y = row1.x * row2.z - row1.z * row2.x
        let z = row1.x * row2.y - row1.y * row2.x
        return row0.x * x - row0.y * y + row0.z * z
    }

    /// The inverse map, or nil for a singular matrix.
    package var inverse: Homography? {
        let determinant = determinant
        guard determinant.isFinite, abs(determinant) > 1e-300 else { return nil }
        func minor(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ i: Int, _ j: Int) -> Double { a[i] * b[j] - a[j] * b[i] }
        let result = Homography(
            [minor(row1, row2, 1, 2), -minor(row0, row2, 1, 2), minor(row0, row1, 1, 2)],
            [-minor(row1, row2, 0, 2), minor(row0, row2, 0, 2), -minor(row0, row1, 0, 2)],
            [minor(row1, row2, 0, 1), -minor(row0, row2, 0, 1), minor(row0, row1, 0, 1)])
        return result.isFinite ? result : nil
    }

    /// Returns the denominator at a point: above 0 on the visible side of the horizon.
    func depth(_ x: Double, _ y: Double) -> Double { row2.x * x + row2.y * y + row2.z }

    package func apply(_ x: Double, _ y: Double) -> PlanarPoint {
        let w = depth(x, y)
        return PlanarPoint(x: (row0.x * x + row0.y * y + row0.z) / w, y: (row1.x * x + row1.y * y + row1.z) / w)
    }

    package func apply(_ point: PlanarPoint) -> PlanarPoint { apply(point.x, point.y) }

    /// The image of the square from -1 to 1.
    package var quad: PlanarQuad {
        PlanarQuad(
            topLeft: apply(-1, -1), topRight: apply(1, -1), bottomRight: apply(1, 1), bottomLeft: apply(-1, 1))
    }

    /// Whether the whole square from -1 to 1 lies before the horizon, by a margin, and maps to a convex quad.
    package var isProper: Bool {
        guard isFinite else { return false }
        let depths = [depth(-1, -1), depth(1, -1), depth(1, 1), depth(-1, 1)]
        guard let least = depths.min(), let most = depths.max(), least > 0, most < least * 20 else { return false }
        let quad = quad
        return quad.isFinite && quad.isConvex
    }

    /// Returns this map after a small move in the square: `step` holds the first eight elements of the move's matrix
    /// less the identity, in rows; the last element stays 1.
    func moved(by step: [Double]) -> Homography {
        self
            * Homography(
                [1 + step[0], step[1], step[2]], [step[3], 1 + step[4], step[5]], [step[6], step[7], 1])
    }
}
