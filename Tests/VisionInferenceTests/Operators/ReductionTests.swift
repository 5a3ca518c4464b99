import Foundation
import XCTest

@testable import VisionInference

final class ReductionTests: XCTestCase {
    private typealias Runner = OperatorRunner

    func testReductionsOfEveryKind() throws {
        let x = try Tensor.floats([1, -2, 3, 4, -5, 6], [2, 3])
        func reduce(_ kind: Reduce.Kind, _ axes: [Int]?, keeps: Bool = false) throws -> [Float] {
            try Runner.values(Reduce(kind: kind, axes: axes, keepsDimensions: keeps), [x])
        }
        XCTAssertEqual(try reduce(.sum, [1]), [2, 5])
        XCTAssertEqual(try reduce(.sum, [0]), [5, -7, 9])
        XCTAssertEqual(try reduce(.sum, nil), [7])
        assertClose(try reduce(.mean, [-1]), [2.0 / 3, 5.0 / 3])
        XCTAssertEqual(try reduce(.max, [0]), [4, -2, 6])
        XCTAssertEqual(try reduce(.min, [1]), [-2, -5])
        XCTAssertEqual(try reduce(.prod, [1]), [-6, -120])
        XCTAssertEqual(try reduce(.l1, [1]), [6, 15])
        assertClose(try reduce(.l2, [1]), [sqrt(14), sqrt(77)], 1e-5)
        XCTAssertEqual(try reduce(.sumSquare, [1]), [14, 77])
        assertClose(try reduce(.logSum, [1]), [log(2), log(5)])
        assertClose(
            try reduce(.logSumExp, [1]), [log(exp(1) + exp(-2) + exp(3)), log(exp(4) + exp(-5) + exp(6))], 1e-5)
        XCTAssertEqual(try Runner.run(Reduce(kind: .sum, axes: [0, 1]), [x])[0].shape, [1, 1])
        XCTAssertEqual(
            try Runner.run(Reduce(kind: .sum, noopWithEmptyAxes: true), [x])[0].floats, x.floats)
        let overflow = try Tensor.floats([1000, 1000])
        assertClose(try Runner.values(Reduce(kind: .logSumExp), [overflow]), [1000 + log(2)], 1e-3)
        Runner.assertInvalid(Reduce(kind: .sum, axes: [2]), [x])
        Runner.assertInvalid(Reduce(kind: .sum, axes: [1, -1]), [x])
        Runner.assertInvalid(Reduce(kind: .sum), [x, try Tensor.ints([-3])])
    }

    func testAxesMayBeAnInput() throws {
        let x = try Tensor.counting([2, 3])
        XCTAssertEqual(
            try Runner.values(Reduce(kind: .sum, keepsDimensions: false), [x, try Tensor.ints([0])]),
            [3, 5, 7] as [Float])
        XCTAssertEqual(
            try Runner.values(Reduce(kind: .sum, keepsDimensions: false), [x, try Tensor.ints([0])], constants: []),
            [3, 5, 7] as [Float])
    }

    func testReductionsOfMiddleAndScatteredAxes() throws {
        let shape = [3, 4, 5, 6]
        let x = try Tensor.counting(shape)
        let strides = shape.rowMajorStrides
        for mask in 1..<16 {
            let axes = (0..<4).filter { mask >> $0 & 1 == 1 }
            var sums = [Int: Float]()
            for position in 0..<shape.elementCount {
                let key = (0..<4).filter { !axes.contains($0) }.reduce(0) {
                    $0 * shape[$1] + position / strides[$1] % shape[$1]
                }
                sums[key, default: 0] += Float(position)
            }
            let expected = sums.keys.sorted().map { sums[$0] ?? 0 }
            assertClose(try Runner.values(Reduce(kind: .sum, axes: axes), [x]), expected, 0.1)
            let doubles = try Tensor((0..<shape.elementCount).map { Double($0) }, shape: shape)
            XCTAssertEqual(
                try Runner.values(Reduce(kind: .sum, axes: axes), [doubles]), expected.map { Double($0) })
        }
    }

    func testIntegersAndTruthAreReduced() throws {
        let x = try Tensor([Int32(7), -2, 4])
        XCTAssertEqual(try Runner.values(Reduce(kind: .mean), [x]), [3] as [Int32])
        XCTAssertEqual(try Runner.values(Reduce(kind: .min), [x]), [-2] as [Int32])
        XCTAssertEqual(try Runner.values(Reduce(kind: .any), [try Tensor.bools([false, true])]), [1] as [UInt8])
        XCTAssertEqual(try Runner.values(Reduce(kind: .all), [try Tensor.bools([false, true])]), [0] as [UInt8])
        XCTAssertEqual(try Runner.values(Reduce(kind: .min), [try Tensor.bools([true, true])]), [1] as [UInt8])
        Runner.assertInvalid(Reduce(kind: .sum), [try Tensor.bools([true])])
    }

    func testNothingReducesToTheNeutralElement() throws {
        let empty = try Tensor.floats([], [2, 0])
        XCTAssertEqual(try Runner.values(Reduce(kind: .sum, axes: [1]), [empty]), [0, 0] as [Float])
        XCTAssertEqual(try Runner.values(Reduce(kind: .prod, axes: [1]), [empty]), [1, 1] as [Float])
        XCTAssertEqual(
            try Runner.values(Reduce(kind: .max, axes: [1]), [empty]), [-.infinity, -.infinity] as [Float])
        XCTAssertEqual(try Runner.run(Reduce(kind: .sum, axes: [0]), [empty])[0].shape, [1, 0])
    }

    func testTheIndexOfTheExtreme() throws {
        let x = try Tensor.floats([1, 5, 5, -1, -1, 0], [2, 3])
        func index(_ operation: ArgReduce) throws -> [Int64] { try Runner.values(operation, [x]) }
        XCTAssertEqual(try index(ArgReduce(kind: .max, axis: 1)), [1, 2])
        XCTAssertEqual(try index(ArgReduce(kind: .max, axis: 1, selectsLast: true)), [2, 2])
        XCTAssertEqual(try index(ArgReduce(kind: .min, axis: -1, keepsDimensions: false)), [0, 0])
        XCTAssertEqual(try index(ArgReduce(kind: .min, axis: 0)), [1, 1, 1])
        XCTAssertEqual(
            try Runner.values(ArgReduce(kind: .max, axis: 1, indexType: .int32), [x]), [1, 2] as [Int32])
        Runner.assertInvalid(ArgReduce(kind: .max, axis: 1), [try Tensor.floats([], [2, 0])])
    }

    func testSoftmaxAlongAnyAxis() throws {
        let x = try Tensor.floats([0, 1, 2, 3, 1000, 1000], [2, 3])
        func check(_ axis: Int, _ lines: [[Int]]) throws {
            let values = x.floats ?? []
            var expected = [Float](repeating: 0, count: 6)
            for line in lines {
                let largest = line.map { values[$0] }.max() ?? 0
                let sum = line.reduce(Float(0)) { $0 + exp(values[$1] - largest) }
                for index in line { expected[index] = exp(values[index] - largest) / sum }
            }
            assertClose(try Runner.values(Softmax(axis: axis), [x]), expected)
            let doubles = try Tensor(values.map { Double($0) }, shape: [2, 3])
            assertClose(
                try Runner.run(Softmax(axis: axis), [doubles])[0].floats ?? [], expected)
            let logarithms: [Float] = try Runner.values(Softmax(axis: axis, isLogarithm: true), [x])
            assertClose(logarithms.map { exp($0) }, expected)
        }
        try check(1, [[0, 1, 2], [3, 4, 5]])
        try check(0, [[0, 3], [1, 4], [2, 5]])
        XCTAssertEqual(try Runner.values(Hardmax(axis: 1), [x]), [0, 0, 1, 0, 1, 0] as [Float])
        Runner.assertInvalid(Softmax(axis: 2), [x])
        Runner.assertInvalid(Softmax(), [try Tensor.ints([1])])
    }
}
