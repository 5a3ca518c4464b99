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
    // The upper triangle: matrix = transposed(factor) · factor.
    for i in 0..<n {
        var diagonal = factor[i * n + i]
        for k in 0..<i { diagonal -= factor[k * n + i] * factor[k * n + i] }
        guard diagonal > 1e-13 * max(matrix[i * n + i], 1e-30), diagonal.isFinite else { return nil }
        let root = diagonal.squareRoot()
        factor[i * n + i] = root
        for j in (i + 1)..<max(n, i + 1) {
            var value = factor[i * n + j]
            for k in 0..<i { value -= factor[k * n + i] * factor[k * n + j] }
            factor[i * n + j] = value / root
        }
    }
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
