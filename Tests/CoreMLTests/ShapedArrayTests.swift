import CoreML
import XCTest

/// Shaped arrays: values with a shape, their parts, and conversions.
final class ShapedArrayTests: XCTestCase {
    private let matrix = MLShapedArray<Float>(scalars: [1, 2, 3, 4, 5, 6], shape: [2, 3])

    func testAnArrayKnowsItsShapeAndNumbers() {
        XCTAssertEqual(matrix.shape, [2, 3])
        XCTAssertEqual(matrix.strides, [3, 1])
        XCTAssertEqual(matrix.count, 2)
        XCTAssertEqual(matrix.scalarCount, 6)
        XCTAssertFalse(matrix.isScalar)
        XCTAssertNil(matrix.scalar)
        XCTAssertEqual(matrix.scalars, [1, 2, 3, 4, 5, 6])
        XCTAssertEqual(matrix[scalarAt: 1, 0], 4)
        XCTAssertEqual(matrix[scalarAt: [0, 2]], 3)
        XCTAssertEqual(MLShapedArray<Double>(repeating: 7, shape: [2]).scalars, [7, 7])
        XCTAssertEqual(MLShapedArray<Int32>(scalars: 0..., shape: [2, 2]).scalars, [0, 1, 2, 3])
        XCTAssertEqual(MLShapedArray<Int32>(scalar: 5).scalar, 5)
        XCTAssertEqual(MLShapedArray<Int32>(scalar: 5).shape, [])
        let literal: MLShapedArray<Double> = [1, 2, 3]
        XCTAssertEqual(literal.shape, [3])
        XCTAssertEqual(MLShapedArray<Float>(identityMatrixOfSize: 2).scalars, [1, 0, 0, 1])
        XCTAssertEqual(MLShapedArray<Int32>(identityMatrixOfSize: 2).scalars, [1, 0, 0, 1])
        XCTAssertTrue(
            MLShapedArray<Float>(randomScalarsIn: 2..<3, shape: [4]).scalars.allSatisfy { (2..<3).contains($0) })
        XCTAssertEqual("\(literal)", "Double 3 [1.0, 2.0, 3.0]")
    }

    func testPartsShareAndChangesDoNotReachCopies() {
        var array = matrix
        XCTAssertEqual(array[1].scalars, [4, 5, 6])
        XCTAssertEqual(array[1, 2].scalar, 6)
        XCTAssertEqual(array[0..<1].shape, [1, 3])
        XCTAssertEqual(array[1...].scalars, [4, 5, 6])
        XCTAssertEqual(array[0...1, 1...2].scalars, [2, 3, 5, 6])
        XCTAssertEqual(array[...].shape, [2, 3])
        array[scalarAt: 0, 0] = 9
        XCTAssertEqual(matrix[scalarAt: 0, 0], 1)
        array[1] = [7, 8, 9]
        XCTAssertEqual(array.scalars, [9, 2, 3, 7, 8, 9])
        array[0][scalarAt: 1] = -1
        XCTAssertEqual(array.scalars, [9, -1, 3, 7, 8, 9])
        array[0...1, 0...0] = MLShapedArraySlice(scalars: [0, 0], shape: [2, 1])
        XCTAssertEqual(array.scalars, [0, -1, 3, 0, 8, 9])
        array[0] = array[1]
        XCTAssertEqual(array.scalars, [0, 8, 9, 0, 8, 9])
        array.scalars = [1, 2, 3, 4, 5, 6]
        XCTAssertEqual(array, matrix)
        array.fill(with: [1, 2])
        XCTAssertEqual(array.scalars, [1, 2, 1, 2, 1, 2])
        array.fill(with: 3)
        XCTAssertEqual(Set(array.scalars), [3])
        XCTAssertEqual(matrix.map { $0.scalars.reduce(0, +) }, [6, 15])
        var slice = matrix[1]
        slice[scalarAt: 0] = 0
        XCTAssertEqual(slice.scalars, [0, 5, 6])
        XCTAssertEqual(matrix.scalars, [1, 2, 3, 4, 5, 6])
    }

    func testAxesAreReorderedWithoutLoss() {
        let transposed = matrix.transposed()
        XCTAssertEqual(transposed.shape, [3, 2])
        XCTAssertEqual(transposed.scalars, [1, 4, 2, 5, 3, 6])
        XCTAssertEqual(transposed.transposed(permutation: [1, 0]), matrix)
        XCTAssertEqual(transposed[2].scalars, [3, 6])
        XCTAssertEqual(transposed.reshaped(to: [6]).scalars, [1, 4, 2, 5, 3, 6])
        XCTAssertEqual(matrix.reshaped(to: [3, 1, 2]).shape, [3, 1, 2])
        XCTAssertEqual(matrix.reshaped(to: [3, 1, 2]).squeezingShape().shape, [3, 2])
        XCTAssertEqual(matrix.expandingShape(at: 1).shape, [2, 1, 3])
        var changed = transposed
        changed[scalarAt: 0, 1] = 0
        XCTAssertEqual(changed.scalars, [1, 0, 2, 5, 3, 6])
        XCTAssertEqual(MLShapedArray(concatenating: [matrix, matrix], alongAxis: -1)[1].scalars, [4, 5, 6, 4, 5, 6])
        XCTAssertEqual(MLShapedArray(concatenating: [matrix[0], matrix[1]], alongAxis: 0), matrix.reshaped(to: [6]))
    }

    func testMemoryIsShownAndFreed() {
        let doubled = MLShapedArray<Float>(unsafeUninitializedShape: [2, 2]) { buffer, strides in
            XCTAssertEqual(strides, [2, 1])
            for index in buffer.indices { buffer.initializeElement(at: index, to: Float(2 * index)) }
        }
        XCTAssertEqual(doubled.scalars, [0, 2, 4, 6])
        let sum = matrix.transposed().withUnsafeShapedBufferPointer { buffer, shape, strides -> Float in
            XCTAssertEqual(shape, [3, 2])
            XCTAssertEqual(strides, [1, 3])
            return buffer.reduce(0, +)
        }
        XCTAssertEqual(sum, 21)
        var array = matrix
        array.withUnsafeMutableShapedBufferPointer { buffer, _, _ in buffer[0] = 100 }
        XCTAssertEqual([array[scalarAt: 0, 0], matrix[scalarAt: 0, 0]], [100, 1])

        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: 4)
        for index in 0..<4 { memory[index] = Int32(index) }
        var freed = 0
        do {
            var borrowed = MLShapedArray<Int32>(
                bytesNoCopy: memory, shape: [2, 2],
                deallocator: .custom { address, count in
                    XCTAssertEqual(count, 16)
                    address.deallocate()
                    freed += 1
                })
            XCTAssertEqual(borrowed.scalars, [0, 1, 2, 3])
            borrowed[scalarAt: 0, 0] = 9
            XCTAssertEqual(borrowed.scalars, [9, 1, 2, 3])
        }
        XCTAssertEqual(freed, 1)
        let data = Data([0, 1, 0, 0, 0, 2, 0, 0, 0])
        XCTAssertEqual(MLShapedArray<Int32>(data: data.dropFirst(), shape: [2]).scalars, [1, 2])
    }

    func testMultiArraysBecomeShapedArraysAndBack() throws {
        let array = try MLMultiArray([1.5, -2.5, 1e20] as [Double])
        XCTAssertEqual(MLShapedArray<Double>(array).scalars, [1.5, -2.5, 1e20])
        XCTAssertEqual(MLShapedArray<Int32>(converting: array).scalars, [1, -2, .max])
        XCTAssertEqual(
            MLShapedArray<Float16>(converting: MLShapedArray<Float>(scalars: [0.5], shape: [1])).scalars, [0.5])
        // A shaped array is a value: what is written to it does not reach the multi-array.
        var shaped = MLShapedArray<Double>(array)
        shaped[scalarAt: 0] = 0
        XCTAssertEqual(array[0], 1.5)
        let back = MLMultiArray(matrix.transposed())
        XCTAssertEqual(back.shape, [3, 2])
        XCTAssertEqual(back.dataType, .float32)
        XCTAssertEqual((0..<6).map { back[$0].intValue }, [1, 4, 2, 5, 3, 6])
        let value = MLFeatureValue(shapedArray: matrix[1])
        XCTAssertEqual(value.multiArrayValue?.shape, [3])
        XCTAssertEqual(value.shapedArrayValue(of: Float.self)?.scalars, [4, 5, 6])
        XCTAssertNil(value.shapedArrayValue(of: Double.self))
        XCTAssertNil(MLFeatureValue(double: 1).shapedArrayValue(of: Double.self))
        // Memory with gaps between its rows.
        let numbers: [Float] = [1, 2, 0, 3, 4, 0]
        try numbers.withUnsafeBytes { bytes in
            let address = try XCTUnwrap(bytes.baseAddress)
            let gapped = try MLMultiArray(
                dataPointer: UnsafeMutableRawPointer(mutating: address), shape: [2, 2], dataType: .float32,
                strides: [3, 1])
            XCTAssertEqual(MLShapedArray<Float>(gapped).scalars, [1, 2, 3, 4])
        }
    }

    func testArraysAreCoded() throws {
        let data = try JSONEncoder().encode(matrix.transposed())
        XCTAssertEqual(try JSONDecoder().decode(MLShapedArray<Float>.self, from: data), matrix.transposed())
        let wrong = Data("{\"shape\": [9223372036854775807, 2], \"scalars\": [1]}".utf8)
        XCTAssertThrowsError(try JSONDecoder().decode(MLShapedArray<Float>.self, from: wrong))
    }

    func testEmptyArraysHaveNoNumbers() {
        let empty = MLShapedArray<Float>(scalars: [], shape: [0, 3])
        XCTAssertEqual(empty.count, 0)
        XCTAssertEqual(empty.scalars, [])
        XCTAssertEqual(matrix[2..<2].scalars, [])
        XCTAssertEqual(matrix[2..<2].shape, [0, 3])
        XCTAssertEqual(MLMultiArray(empty).count, 0)
    }
}
