/// A parabola y = a x² + b x + c by least squares.
package struct QuadraticFit: Hashable, Sendable {
    package let a: Double
    package let b: Double
    package let c: Double
    /// The root of the mean squared distance of the points, along y.
    package let error: Double

    /// Fits a parabola to points, a straight line to two distinct x, and a constant to one.
    ///
    /// - Parameter points: At least one point.
    package init(_ points: [(x: Double, y: Double)]) {
        let count = Double(points.count)
        let meanX = points.reduce(0) { $0 + $1.x } / count
        // Scaled to about 1, so that the equations are well conditioned.
        let scale = max(points.reduce(0) { max($0, abs($1.x - meanX)) }, 1e-9)
        var moments = [Double](repeating: 0, count: 5), right = [Double](repeating: 0, count: 3)
        for point in points {
            let x = (point.x - meanX) / scale
            var power = 1.0
            for degree in 0..<5 {
                moments[degree] += power
                if degree < 3 { right[degree] += power * point.y }
                power *= x
            }
        }
        let distinct = Set(points.map(\.x)).count
        let degree = min(2, distinct - 1, points.count - 1)
        var values = [0.0, 0.0, 0.0]
        if let solved = Self.solve((0...degree).map { row in (0...degree).map { moments[row + $0] } }, right) {
            for index in 0...degree { values[index] = solved[index] }
        } else {
            values[0] = right[0] / count
        }
        // Back from the scaled x.
        let (p, q, r) = (values[2] / (scale * scale), values[1] / scale, values[0])
        let (a, b, c) = (p, q - 2 * p * meanX, r - q * meanX + p * meanX * meanX)
        (self.a, self.b, self.c) = (a, b, c)
        let squares = points.reduce(0.0) { sum, point in
            let x = point.x - meanX
            let difference = point.y - (p * x * x + q * x + r)
            return sum + difference * difference
        }
        error = (squares / count).squareRoot()
    }

    package func value(at x: Double) -> Double { (a * x + b) * x + c }

    /// Gaussian elimination with pivots; nil for a singular matrix.
    private static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
        var rows = matrix.enumerated().map { $1 + [right[$0]] }
        let count = rows.count
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-12
            else { return nil }
            rows.swapAt(column, pivot)
            for row in 0..<count where row != column {
                let factor = rows[row][column] / rows[column][column]
                for index in column...count { rows[row][index] -= factor * rows[column][index] }
            }
        }
        return (0..<count).map { rows[$0][count] / rows[$0][$0] }
    }
}
