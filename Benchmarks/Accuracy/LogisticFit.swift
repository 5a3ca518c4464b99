import Foundation

/// Weights of a logistic function, by Newton's method with a little weight decay.
enum LogisticFit {
    static func weights(of rows: [[Double]], _ isTrue: [Bool], decay: Double = 0.01) -> [Double] {
        guard let count = rows.first?.count else { return [] }
        var weights = [Double](repeating: 0, count: count)
        for _ in 0..<60 {
            var gradient = weights.map { decay * $0 }
            var curvature = (0..<count).map { row in (0..<count).map { $0 == row ? decay : 0 } }
            for (row, isTrue) in zip(rows, isTrue) {
                let value = 1 / (1 + exp(-zip(row, weights).reduce(0) { $0 + $1.0 * $1.1 }))
                for i in 0..<count {
                    gradient[i] += (value - (isTrue ? 1 : 0)) * row[i]
                    for j in 0..<count { curvature[i][j] += value * (1 - value) * row[i] * row[j] }
                }
            }
            weights = zip(weights, solved(curvature, gradient)).map { $0 - $1 }
        }
        return weights
    }

    /// Gauss's elimination of a positive definite system.
    private static func solved(_ matrix: [[Double]], _ right: [Double]) -> [Double] {
        var (rows, values) = (matrix, right)
        for pivot in rows.indices {
            for row in rows.indices where row != pivot {
                let part = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot..<rows.count { rows[row][column] -= part * rows[pivot][column] }
                values[row] -= part * values[pivot]
            }
        }
        return rows.indices.map { values[$0] / rows[$0][$0] }
    }
}
