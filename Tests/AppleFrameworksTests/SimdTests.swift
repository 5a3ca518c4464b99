import CoreMedia
import XCTest
import simd

final class SimdTests: XCTestCase {
    /// Fails unless a matrix with whole entries has the determinant and an inverse.
    private func assertIsInverted<Matrix: SIMDMatrix>(
        _ matrix: Matrix, determinant: Matrix.Scalar, file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertEqual(matrix.determinant, determinant, file: file, line: line)
        let product = matrix * matrix.inverse - Matrix(1)
        for column in 0..<Matrix.Column.scalarCount {
            for row in 0..<Matrix.Column.scalarCount {
                XCTAssertEqual(Double(product[column, row]), 0, accuracy: 1e-5, file: file, line: line)
            }
        }
        XCTAssertEqual(matrix.transpose.transpose, matrix, file: file, line: line)
        XCTAssertEqual(simd_determinant(simd_transpose(matrix)), determinant, file: file, line: line)
    }

    func testMatricesOfAllSizesAreInverted() {
        assertIsInverted(simd_float2x2(SIMD2(1, 2), SIMD2(3, 4)), determinant: -2)
        assertIsInverted(double2x2([SIMD2(1, 2), SIMD2(3, 4)]), determinant: -2)
        assertIsInverted(float3x3([SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(2, 3, 1)]), determinant: 1)
        assertIsInverted(matrix_double3x3(SIMD3(2, 0, 1), SIMD3(1, 3, 0), SIMD3(0, 1, 1)), determinant: 7)
        assertIsInverted(
            simd_double4x4(rows: [SIMD4(1, 2, 0, 0), SIMD4(0, 1, 0, 3), SIMD4(0, 0, 1, 1), SIMD4(1, 0, 0, 1)]),
            determinant: 7)
        assertIsInverted(float4x4(diagonal: SIMD4(1, 2, 3, 4)), determinant: 24)
        XCTAssertTrue(simd_double2x2(SIMD2(1, 2), SIMD2(2, 4)).inverse[0, 0].isInfinite)
    }

    func testMatricesAreColumnsAndMultiplyVectors() {
        var matrix = simd_float2x2(columns: (SIMD2(1, 2), SIMD2(3, 4)))
        XCTAssertEqual(matrix * SIMD2(1, 10), SIMD2(31, 42))
        XCTAssertEqual(SIMD2(1, 10) * matrix, SIMD2(21, 43))
        XCTAssertEqual(matrix * matrix, simd_float2x2(rows: [SIMD2(7, 15), SIMD2(10, 22)]))
        XCTAssertEqual(2 * matrix + matrix - matrix * 3, simd_float2x2())
        matrix[1, 0] = -1
        XCTAssertEqual(matrix.columns.1, SIMD2(-1, 4))
        XCTAssertEqual(-matrix, matrix * -1)
        let shift = simd_double3x3(rows: [SIMD3(1, 0, 5), SIMD3(0, 1, -2), SIMD3(0, 0, 1)])
        XCTAssertEqual(simd_mul(shift, SIMD3(1, 1, 1)), double3(6, -1, 1))
        XCTAssertEqual(simd_mul(shift, shift)[2], SIMD3(10, -4, 1))
        XCTAssertEqual(matrix_identity_double4x4 * double4(1, 2, 3, 4), SIMD4(1, 2, 3, 4))
        XCTAssertEqual(Set([shift, shift, matrix_identity_double3x3]).count, 2)
        XCTAssertEqual(simd_float3x3(2), simd_float3x3(diagonal: SIMD3(repeating: 2)))
    }

    func testTimesAreAddedAndCompared() {
        let (third, half) = (CMTime(value: 1, timescale: 3), CMTime(value: 1, timescale: 2))
        XCTAssertEqual(CMTimeCompare(third, half), -1)
        XCTAssertEqual(CMTimeCompare(half, CMTime(value: 300, timescale: 600)), 0)
        XCTAssertEqual(CMTimeCompare(.invalid, half), 1)
        XCTAssertEqual(CMTimeAdd(half, half).seconds, 1)
        XCTAssertEqual(CMTimeSubtract(half, half).seconds, 0)
        XCTAssertEqual(CMTimeMaximum(third, half), half)
        XCTAssertEqual(CMTimeMinimum(third, half), third)
        XCTAssertEqual(CMTimeRangeGetEnd(CMTimeRangeMake(start: half, duration: half)).seconds, 1)
    }
}
