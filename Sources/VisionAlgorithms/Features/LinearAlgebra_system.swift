import COpenBLAS

/// Solves the small dense problems of estimation with LAPACK.
///
/// LAPACK stores matrices by columns, so the upper triangle of the row-major matrices here is its lower one.
enum LinearAlgebra {
    private static let vectors = CChar(UInt8(ascii: "V"))
    private static let lower = CChar(UInt8(ascii: "L"))

    /// Returns the unit vector that minimises |Mv|: the eigenvector of the smallest eigenvalue of a symmetric matrix.
    ///
    /// - Parameter matrix: `size` × `size` elements by rows, of which those on and right of the diagonal are read.
    /// - Returns: `size` elements, or nil where the matrix is not finite.
    static func smallestEigenvector(of matrix: [Double], size: Int) -> [Double]? {
        precondition(size > 0 && matrix.count == size * size)
        guard matrix.allSatisfy(\.isFinite) else { return nil }
        var matrix = matrix
        var values = [Double](repeating: 0, count: size)
        // The sizes that LAPACK's documentation of dsyevd asks for.
        var work = [Double](repeating: 0, count: 1 + 6 * size + 2 * size * size)
        var integers = [Int32](repeating: 0, count: 3 + 5 * size)
        var failure: Int32 = 0
        withUnsafePointer(to: Int32(size)) { n in
            withUnsafePointer(to: Int32(work.count)) { workSize in
                withUnsafePointer(to: Int32(integers.count)) { integersSize in
                    withUnsafePointer(to: vectors) { job in
                        withUnsafePointer(to: lower) { triangle in
                            dsyevd_(
                                job, triangle, n, &matrix, n, &values, &work, workSize, &integers, integersSize,
                                &failure, 1, 1)
                        }
                    }
                }
            }
        }
        guard failure == 0 else { return nil }
        let least = Array(matrix[..<size])
        return least.allSatisfy(\.isFinite) ? least : nil
    }

    /// Returns the solution of a system whose matrix is symmetric and positive definite, by Cholesky decomposition; nil
    /// for other matrices.
    static func solution(of matrix: [Double], _ right: [Double]) -> [Double]? {
        let size = right.count
        precondition(size > 0 && matrix.count == size * size)
        guard matrix.allSatisfy(\.isFinite), right.allSatisfy(\.isFinite) else { return nil }
        var factors = matrix
        var solution = right
        var failure: Int32 = 0
        withUnsafePointer(to: Int32(size)) { n in
            withUnsafePointer(to: Int32(1)) { one in
                withUnsafePointer(to: lower) { triangle in
                    dposv_(triangle, n, one, &factors, n, &solution, n, &failure, 1)
                }
            }
        }
        return failure == 0 && solution.allSatisfy(\.isFinite) ? solution : nil
    }
}
