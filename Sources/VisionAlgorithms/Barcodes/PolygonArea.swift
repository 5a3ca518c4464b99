/// The second moments of a polygon's area about its centre.
struct PolygonArea {
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

    /// Returns the elements (xx, xy, yy) of the symmetric map from a shape with that second moment along every axis to
    /// the polygon, which are known up to a rotation of the shape.
    func affineMap(moment: Double) -> (Double, Double, Double) {
        let (a, b, d) = (xx / moment, xy / moment, yy / moment)
        // The symmetric square root of the moments.
        let root = max(0, a * d - b * b).squareRoot()
        let trace = (a + d + 2 * root).squareRoot()
        return ((a + root) / trace, b / trace, (d + root) / trace)
    }
}
