/// A matrix of four rows and five columns: each row's coefficients of red, green, blue and alpha, and a constant.
package struct ColourMatrix: Sendable {
    /// The rows of red, green, blue and alpha, one after the other.
    package var rows: [Float]

    /// - Parameters:
    ///   - rows: The coefficients for red, green, blue and alpha.
    ///   - bias: What is added to them.
    package init(_ rows: [SIMD4<Float>], bias: SIMD4<Float> = .zero) {
        self.rows = rows.indices.flatMap { [rows[$0].x, rows[$0].y, rows[$0].z, rows[$0].w, bias[$0]] }
    }

    /// For pixels that begin with blue.
    var fromBlue: [Float] {
        let order = [2, 1, 0, 3]
        return order.flatMap { row in order.map { rows[5 * row + $0] } + [rows[5 * row + 4]] }
    }

    /// Whether colours of 0…1 stay within it. (Alpha is limited.)
    package var keepsRange: Bool {
        (0..<3).allSatisfy { row in
            let row = rows[5 * row..<5 * row + 5]
            // Coefficients that have the sum 1 may have a little more in floats.
            let (low, high) = (row.filter { $0 < 0 }.reduce(0, +), row.filter { $0 > 0 }.reduce(0, +))
            guard let bias = row.last, row.allSatisfy(\.isFinite) else { return false }
            return low + max(bias, 0) >= -1e-5 && high + min(bias, 0) <= 1 + 1e-5
        }
    }

    /// The largest change of a component, colours being multiplied by alpha before and afterwards, where those of the
    /// pixels change by one at most; infinite if alpha changes.
    package var gain: Float {
        guard Array(rows[15..<20]) == [0, 0, 0, 1, 0] else { return .infinity }
        // m c + n a² + b a, in which c, a ≤ 1 change.
        return (0..<3).reduce(1) { largest, index in
            let row = rows[5 * index..<5 * index + 5].map(\.magnitude)
            return max(largest, row[0] + row[1] + row[2] + 2 * row[3] + row[4])
        }
    }
}
