/// Returns the solution of a small system whose matrix is symmetric and positive definite; nil for other matrices.
///
/// It runs on the calling thread alone and always in the same order, so its bits depend on nothing else.
///
/// - Parameters:
///   - matrix: The elements by rows, of which those on and right of the diagonal are read.
///   - right: The right side of the system.
package func choleskySolution(of matrix: [Double], _ right: [Double]) -> [Double]? {
    let n = right.count
    precondition(matrix.count == n * n)
    var factor = matrix
    var x = right
    // The upper triangle: matrix = transposed(factor) · factor. A row that is done is subtracted from those below it:
    // so the innermost loop runs along rows.
    let isDefinite = factor.withUnsafeMutableBufferPointer { factor in
        guard let rows = factor.baseAddress else { return true }
        for i in 0..<n {
            let row = rows + i * n, diagonal = row[i]
            guard diagonal > 1e-13 * max(matrix[i * n + i], 1e-30), diagonal.isFinite else { return false }
            let root = diagonal.squareRoot()
            row[i] = root
            for j in (i + 1)..<max(n, i + 1) { row[j] /= root }
            for below in (i + 1)..<max(n, i + 1) {
                let share = row[below], other = rows + below * n
                var j = below
                while j < n {
                    other[j] -= share * row[j]
                    j &+= 1
                }
            }
        }
        return true
    }
    guard isDefinite else { return nil }
    for i in 0..<n {
        for k in 0..<i { x[i] -= factor[k * n + i] * x[k] }
        x[i] /= factor[i * n + i]
    }
    for i in stride(from: n - 1, through: 0, by: -1) {
        for k in (i + 1)..<max(n, i + 1) { x[i] -= factor[i * n + k] * x[k] }
        x[i] /= factor[i * n + i]
    }
    return x.allSatisfy(\.isFinite) ? x : nil
}
