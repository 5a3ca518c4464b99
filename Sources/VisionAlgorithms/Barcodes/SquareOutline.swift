import Foundation

/// A square in an image in perspective, from points on its outline: the second moments of the enclosed area give its
/// affine map up to a rotation, and the corners give the rotation.
struct SquareOutline {
    var centre: SIMD2<Double>
    /// The vectors in the image from one module to the next, along two sides.
    var along, down: SIMD2<Double>

    /// - Parameters:
    ///   - points: The points in their order around the square.
    ///   - side: The length of its side in modules.
    init?(points: [SIMD2<Double>], side: Double) {
        guard points.count >= 3, let area = Area(inside: points), area.isRound else { return nil }
        // The second moment of a square along any axis.
        let moment = side * side / 12
        let (a, b, d) = (area.xx / moment, area.xy / moment, area.yy / moment)
        // The symmetric square root of the moments is the map, up to a rotation.
        let root = (a * d - b * b).squareRoot()
        let trace = (a + d + 2 * root).squareRoot()
        let (p, q, r) = ((a + root) / trace, b / trace, (d + root) / trace)
        let determinant = p * r - q * q
        guard determinant > 0.25 else { return nil }
        var (real, imaginary) = (0.0, 0.0)
        for point in points {
            let offset = point - area.centre
            let x = (r * offset.x - q * offset.y) / determinant
            let y = (p * offset.y - q * offset.x) / determinant
            let (radius, angle) = ((x * x + y * y).squareRoot(), atan2(y, x))
            real -= radius * cos(4 * angle)
            imaginary -= radius * sin(4 * angle)
        }
        let turn = atan2(imaginary, real) / 4
        let (c, s) = (cos(turn), sin(turn))
        centre = area.centre
        along = SIMD2(p * c + q * s, q * c + r * s)
        down = SIMD2(q * c - p * s, r * c - q * s)
    }

    /// The second moments of a polygon's area about its centre.
    private struct Area {
        var centre: SIMD2<Double>
        var xx, xy, yy: Double

        init?(inside points: [SIMD2<Double>]) {
            let origin = points[0]
            var (area, sum) = (0.0, SIMD2<Double>.zero)
            var (xx, xy, yy) = (0.0, 0.0, 0.0)
            for index in points.indices {
                let (a, b) = (points[index] - origin, points[(index + 1) % points.count] - origin)
                let cross = a.x * b.y - a.y * b.x
                area += cross / 2
                sum += (a + b) * (cross / 6)
                xx += cross * (a.x * a.x + a.x * b.x + b.x * b.x) / 12
                yy += cross * (a.y * a.y + a.y * b.y + b.y * b.y) / 12
                xy += cross * (2 * a.x * a.y + a.x * b.y + b.x * a.y + 2 * b.x * b.y) / 24
            }
            guard area > 4 else { return nil }
            let middle = sum / area
            centre = middle + origin
            self.xx = xx / area - middle.x * middle.x
            self.xy = xy / area - middle.x * middle.y
            self.yy = yy / area - middle.y * middle.y
        }

        /// Whether the viewing angle is at most about 70°.
        var isRound: Bool {
            let difference = ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()
            return xx + yy - difference > 0.1 * (xx + yy + difference)
        }
    }
}
