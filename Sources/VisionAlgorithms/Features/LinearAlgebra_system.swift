import CLAPACKE

/// The small dense problems of estimation, solved by LAPACK.
enum LinearAlgebra {
    private static let rowMajor: Int32 = 101
    private static let upper = CChar(UInt8(ascii: "U"))

    /// Returns the unit eigenvector of a symmetric matrix's smallest eigenvalue. `matrix` has `size` × `size` elements,
    /// of which the upper triangle is read. Nil for matrices that are not finite.
    static func smallestEigenvector(of matrix: [Double], size: Int) -> [Double]? {
        precondition(size > 0 && matrix.count == size * size)
        guard matrix.allSatisfy(\.isFinite) else { return nil }
        var vectors = matrix
        var values = [Double](repeating: 0, count: size)
        let n = Int32(size)
        let failure = vectors.withUnsafeMutableBufferPointer { vectors in
            values.withUnsafeMutableBufferPointer { values in
                LAPACKE_dsyevd(
                    rowMajor, CChar(UInt8(ascii: "V")), upper, n, vectors.baseAddress, n, values.baseAddress)
            }
        }
        guard failure == 0 else { return nil }
        // Eigenvectors are columns, in ascending order of their eigenvalues.
        let least = (0..<size).map { vectors[$0 * size] }
        return least.allSatisfy(\.isFinite) ? least : nil
    }

    /// Solves a system whose matrix is symmetric and positive definite, by Cholesky factorisation; nil for others.
    static func solution(of matrix: [Double], _ right: [Double]) -> [Double]? {
        let size = right.count
        precondition(size > 0 && matrix.count == size * size)
        guard matrix.allSatisfy(\.isFinite), right.allSatisfy(\.isFinite) else { return nil }
        var factors = matrix
        var solution = right
        let n = Int32(size)
        let failure = factors.withUnsafeMutableBufferPointer { factors in
            solution.withUnsafeMutableBufferPointer { solution in
                LAPACKE_dposv(rowMajor, upper, n, 1, factors.baseAddress, n, solution.baseAddress, 1)
            }
        }
        return failure == 0 && solution.allSatisfy(\.isFinite) ? solution : nil
    }
}
