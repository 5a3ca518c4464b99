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
        guard points.count >= 3, let area = PolygonArea(inside: points), area.isRound else { return nil }
        // The second moment of a square along any axis.
        let (p, q, r) = area.affineMap(moment: side * side / 12)
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
}
