import XCTest

@testable import VisionInference

final class MovementTests: XCTestCase {
    private typealias Runner = OperatorRunner

    func testTransposesOfEveryOrderAndSize() throws {
        var seed: UInt64 = 7
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1
            return Int(seed >> 33) % bound
        }
        for _ in 0..<100 {
            let rank = 1 + random(5)
            let shape = (0..<rank).map { _ in 1 + random(rank < 3 ? 40 : 7) }
            var permutation = Array(0..<rank)
            for index in permutation.indices { permutation.swapAt(index, random(rank)) }
            let expected = naiveTranspose((0..<shape.elementCount).map { $0 }, shape, permutation)
            let output = permutation.map { shape[$0] }
            XCTAssertEqual(
                try Runner.values(Transpose(permutation: permutation), [try Tensor.counting(shape)], shape: output),
                expected.map { Float($0) })
            let bytes = try Tensor((0..<shape.elementCount).map { UInt16(truncatingIfNeeded: $0) }, shape: shape)
            XCTAssertEqual(
                try Runner.values(Transpose(permutation: permutation), [bytes]),
                expected.map { UInt16(truncatingIfNeeded: $0) })
        }
        XCTAssertEqual(try Runner.values(Transpose(), [try Tensor.counting([2, 3])]), [0, 3, 1, 4, 2, 5] as [Float])
        Runner.assertInvalid(Transpose(permutation: [0, 0]), [try Tensor.counting([2, 3])])
        Runner.assertInvalid(Transpose(permutation: [0, 2]), [try Tensor.counting([2, 3])])
    }

    private func naiveTranspose(_ values: [Int], _ shape: Shape, _ permutation: [Int]) -> [Int] {
        let output = permutation.map { shape[$0] }
        let strides = shape.rowMajorStrides
        return (0..<values.count).map { position in
            var rest = position
            var offset = 0
            for axis in output.indices.reversed() {
                offset += rest % output[axis] * strides[permutation[axis]]
                rest /= output[axis]
            }
            return values[offset]
        }
    }

    func testLargeTransposesAreSharedByThreads() throws {
        let shape = [1, 37, 101, 53]
        let expected = naiveTranspose(Array(0..<shape.elementCount), shape, [0, 2, 3, 1])
        for threads in [1, 2, 4] {
            let output = try Runner.run(
                Transpose(permutation: [0, 2, 3, 1]), [try Tensor.counting(shape)], threads: threads)[0]
            XCTAssertEqual(output.floats, expected.map { Float($0) })
        }
    }

    func testReshapeKeepsAndFillsSizes() throws {
        let x = try Tensor.counting([2, 3, 4])
        func shape(_ wanted: [Int64], allowZero: Bool = false) throws -> Shape {
            try Runner.run(Reshape(allowZero: allowZero), [x, try Tensor.ints(wanted)])[0].shape
        }
        XCTAssertEqual(try shape([0, -1]), [2, 12])
        XCTAssertEqual(try shape([4, 6]), [4, 6])
        XCTAssertEqual(try shape([-1, 1]), [24, 1])
        XCTAssertEqual(
            try Runner.run(
                Reshape(allowZero: true), [try Tensor.floats([], [0, 3]), try Tensor.ints([3, 0])])[0].shape, [3, 0])
        for wrong: [Int64] in [[5, 5], [-1, -1], [-2, 12], [0, 0, 0, 0], [-1, 0, 0, 0], [.max, .max], [-1, 7]] {
            Runner.assertInvalid(Reshape(), [x, try Tensor.ints(wrong)])
        }
        // A shape that is known during the run only.
        XCTAssertEqual(
            try Runner.run(Reshape(), [x, try Tensor.ints([6, 4])], constants: [])[0].shape, [6, 4])
    }

    func testAxesOfSizeOneComeAndGo() throws {
        let x = try Tensor.counting([1, 3, 1])
        XCTAssertEqual(try Runner.run(Squeeze(), [x])[0].shape, [3])
        XCTAssertEqual(try Runner.run(Squeeze(), [x, try Tensor.ints([-1])])[0].shape, [1, 3])
        XCTAssertEqual(try Runner.run(Unsqueeze(), [x, try Tensor.ints([-1, 0])])[0].shape, [1, 1, 3, 1, 1])
        XCTAssertEqual(try Runner.run(Flatten(axis: -1), [x])[0].shape, [3, 1])
        XCTAssertEqual(try Runner.run(Flatten(axis: 3), [x])[0].shape, [3, 1])
        XCTAssertEqual(try Runner.run(Flatten(axis: 0), [x])[0].shape, [1, 3])
        Runner.assertInvalid(Squeeze(), [x, try Tensor.ints([1])])
        Runner.assertInvalid(Unsqueeze(), [x, try Tensor.ints([0, 0])])
        Runner.assertInvalid(Unsqueeze(), [x, try Tensor.ints([9])])
        Runner.assertInvalid(Flatten(axis: 4), [x])
    }

    func testShapesAreConstants() throws {
        let x = try Tensor.counting([2, 3, 4])
        XCTAssertEqual(try Runner.values(ShapeOf(), [x]), [2, 3, 4] as [Int64])
        XCTAssertEqual(try Runner.values(ShapeOf(start: -2), [x]), [3, 4] as [Int64])
        XCTAssertEqual(try Runner.values(ShapeOf(start: 1, end: -1), [x]), [3] as [Int64])
        XCTAssertEqual(try Runner.values(ShapeOf(start: .min, end: .max), [x]), [2, 3, 4] as [Int64])
        XCTAssertEqual(try Runner.values(Size(), [x], shape: []), [24] as [Int64])
        let seven = try Tensor(scalar: Int32(7))
        XCTAssertEqual(
            try Runner.values(
                ConstantOfShape(value: seven), [try Tensor.ints([2, 2])], shape: [2, 2], constants: [0]),
            [7, 7, 7, 7] as [Int32])
        Runner.assertInvalid(ConstantOfShape(value: seven), [try Tensor.ints([1 << 40])], constants: [0])
        Runner.assertInvalid(ConstantOfShape(value: seven), [try Tensor.ints([-1])], constants: [0])
    }

    func testConcatAndSplitAreOpposite() throws {
        let a = try Tensor.counting([2, 1, 2])
        let b = try Tensor.counting([2, 3, 2])
        let whole = try Runner.run(Concat(axis: -2), [a, b], constants: [])[0]
        XCTAssertEqual(whole.shape, [2, 4, 2])
        XCTAssertEqual(whole.floats, [0, 1, 0, 1, 2, 3, 4, 5, 2, 3, 6, 7, 8, 9, 10, 11])
        let parts = try Runner.run(Split(axis: 1, outputs: 2), [whole, try Tensor.ints([1, 3])], outputs: 2)
        XCTAssertEqual(parts[0].floats, a.floats)
        XCTAssertEqual(parts[1].floats, b.floats)
        let equal = try Runner.run(Split(axis: 0, outputs: 3), [try Tensor.floats([1, 2, 3, 4, 5, 6, 7])], outputs: 3)
        XCTAssertEqual(equal.map(\.shape), [[3], [3], [1]])
        Runner.assertInvalid(Concat(axis: 0), [a, b])
        Runner.assertInvalid(Concat(axis: 3), [a, a])
        Runner.assertInvalid(Split(axis: 1, outputs: 2), [whole, try Tensor.ints([1, 2])])
        Runner.assertInvalid(Split(axis: 1, outputs: 2), [whole, try Tensor.ints([5, -1])])
        Runner.assertInvalid(Split(axis: 1, outputs: 2), [whole, try Tensor.ints([.max, .max])])
        Runner.assertInvalid(Split(axis: 1, outputs: 0), [whole])
    }

    func testSlicesGoBothWaysAndAreCut() throws {
        let x = try Tensor.counting([4, 5])
        func slice(_ numbers: [Int64]...) throws -> [Float] {
            try Runner.values(Slice(), [x] + numbers.map { try Tensor.ints($0) })
        }
        XCTAssertEqual(try slice([1, 0], [3, 2]), [5, 6, 10, 11])
        XCTAssertEqual(try slice([-1], [.max], [1]), [4, 9, 14, 19])
        XCTAssertEqual(try slice([3, 4], [.min, .min], [0, 1], [-2, -3]), [19, 16, 9, 6])
        XCTAssertEqual(try slice([2], [1], [0]), [])
        XCTAssertEqual(try slice([100], [200], [0]), [])
        XCTAssertEqual(try slice([0, 0], [9, 9], [0, 1], [.max, .max]), [0])
        XCTAssertEqual(try slice([9, 9], [.min, .min], [0, 1], [.min, .min]), [19])
        for wrong: [[Int64]] in [
            [[0], [1], [0], [0]], [[0], [1, 2]], [[0], [1], [2]], [[0, 0], [1, 1], [1, -1]], [[0], [1], [0, 1]],
        ] {
            Runner.assertInvalid(Slice(), [x] + (try wrong.map { try Tensor.ints($0) }))
        }
        XCTAssertEqual(
            try Runner.run(Slice(), [x, try Tensor.ints([1]), try Tensor.ints([2])], constants: [])[0].floats,
            [5, 6, 7, 8, 9])
    }

    func testPadsOfEveryMode() throws {
        let x = try Tensor.floats([1, 2, 3])
        func pad(_ mode: Pad.Mode, _ pads: [Int64]) throws -> [Float] {
            try Runner.values(Pad(mode: mode), [x, try Tensor.ints(pads)])
        }
        XCTAssertEqual(try pad(.constant, [1, 2]), [0, 1, 2, 3, 0, 0])
        XCTAssertEqual(try pad(.constant, [-1, 1]), [2, 3, 0])
        XCTAssertEqual(try pad(.constant, [-4, 3]), [0, 0])
        XCTAssertEqual(try pad(.constant, [3, -5]), [0])
        XCTAssertEqual(try pad(.reflect, [5, 2]), [2, 1, 2, 3, 2, 1, 2, 3, 2, 1])
        XCTAssertEqual(try pad(.symmetric, [4, 2]), [3, 3, 2, 1, 1, 2, 3, 3, 2])
        XCTAssertEqual(try pad(.edge, [1, 2]), [1, 1, 2, 3, 3, 3])
        XCTAssertEqual(try pad(.wrap, [4, 1]), [3, 1, 2, 3, 1, 2, 3, 1])
        XCTAssertEqual(
            try Runner.values(
                Pad(),
                [
                    try Tensor.counting([1, 2]), try Tensor.ints([1, 0]), try Tensor(scalar: Float(9)),
                    try Tensor.ints([-1]),
                ], shape: [1, 3]), [9, 0, 1] as [Float])
        for wrong: [Int64] in [[1], [.max, .max], [-2, -2], [.min, 0], [1 << 40, 0]] {
            Runner.assertInvalid(Pad(), [x, try Tensor.ints(wrong)])
        }
        Runner.assertInvalid(Pad(mode: .reflect), [try Tensor.floats([]), try Tensor.ints([1, 1])])
    }

    func testExpandAndTileRepeat() throws {
        let x = try Tensor.floats([1, 2], [2, 1])
        XCTAssertEqual(
            try Runner.values(Expand(), [x, try Tensor.ints([2, 1, 3])], shape: [2, 2, 3]),
            [1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2] as [Float])
        XCTAssertEqual(
            try Runner.values(Tile(), [try Tensor.counting([2, 2]), try Tensor.ints([2, 2])], shape: [4, 4]),
            [0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3] as [Float])
        XCTAssertEqual(try Runner.values(Tile(), [x, try Tensor.ints([0, 1])], shape: [0, 1]), [] as [Float])
        Runner.assertInvalid(Expand(), [x, try Tensor.ints([3, 3])])
        Runner.assertInvalid(Expand(), [x, try Tensor.ints([1 << 31, 1 << 31, 1, 1])])
        Runner.assertInvalid(Tile(), [x, try Tensor.ints([.max, .max])])
        Runner.assertInvalid(Tile(), [x, try Tensor.ints([-1, 1])])
    }

    func testGathersCheckTheirIndices() throws {
        let x = try Tensor.counting([3, 2])
        XCTAssertEqual(
            try Runner.values(Gather(axis: 0), [x, try Tensor.ints([-1, 0], [1, 2])], shape: [1, 2, 2]),
            [4, 5, 0, 1] as [Float])
        XCTAssertEqual(
            try Runner.values(Gather(axis: -1), [x, try Tensor(scalar: Int32(1))], shape: [3]), [1, 3, 5] as [Float])
        XCTAssertEqual(
            try Runner.values(
                Gather(axis: 1, batchDimensions: 1), [x, try Tensor.ints([1, 0, 1], [3, 1])], shape: [3, 1]),
            [1, 2, 5] as [Float])
        XCTAssertEqual(
            try Runner.values(GatherElements(axis: 0), [x, try Tensor.ints([2, 0], [1, 2])], shape: [1, 2]),
            [4, 1] as [Float])
        XCTAssertEqual(
            try Runner.values(GatherND(), [x, try Tensor.ints([2, 1, -3, 0], [2, 2])], shape: [2]), [5, 0] as [Float])
        XCTAssertEqual(
            try Runner.values(GatherND(batchDimensions: 1), [x, try Tensor.ints([1, 0, -1], [3, 1])], shape: [3]),
            [1, 2, 5] as [Float])
        for wrong: Int64 in [3, -4, .max, .min] {
            let index = try Tensor.ints([wrong, wrong], [1, 2])
            for constants: Set<Int> in [[], [1]] {
                Runner.assertInvalid(Gather(axis: 0), [x, index], constants: constants)
                Runner.assertInvalid(GatherElements(axis: 0), [x, index], constants: constants)
                Runner.assertInvalid(GatherND(), [x, index], constants: constants)
                Runner.assertInvalid(
                    ScatterND(), [x, index, try Tensor.floats([1])], constants: constants)
                Runner.assertInvalid(
                    ScatterElements(), [x, index, try Tensor.floats([1, 2], [1, 2])], constants: constants)
            }
        }
        Runner.assertInvalid(GatherND(), [x, try Tensor.ints([0, 0, 0])])
        Runner.assertInvalid(GatherElements(axis: 0), [x, try Tensor.ints([0, 0, 0], [1, 3])])
    }

    func testScattersWriteAndCombine() throws {
        let x = try Tensor.counting([3, 2])
        let index = try Tensor.ints([0, 0, 0, 2], [2, 2])
        let updates = try Tensor.floats([10, 20, 30, 40], [2, 2])
        func scatter(_ reduction: ScatterReduction) throws -> [Float] {
            try Runner.values(ScatterElements(axis: 0, reduction: reduction), [x, index, updates])
        }
        XCTAssertEqual(try scatter(.none), [30, 20, 2, 3, 4, 40])
        XCTAssertEqual(try scatter(.add), [40, 21, 2, 3, 4, 45])
        XCTAssertEqual(try scatter(.mul), [0, 20, 2, 3, 4, 200])
        XCTAssertEqual(try scatter(.max), [30, 20, 2, 3, 4, 40])
        XCTAssertEqual(try scatter(.min), [0, 1, 2, 3, 4, 5])
        XCTAssertEqual(
            try Runner.values(
                ScatterND(reduction: .add), [x, try Tensor.ints([2, 2], [2, 1]), updates]),
            [0, 1, 2, 3, 44, 65] as [Float])
        Runner.assertInvalid(ScatterND(), [x, try Tensor.ints([2], [1, 1]), updates])
        Runner.assertInvalid(ScatterElements(), [x, index, try Tensor.floats([1, 2], [1, 2])])
    }

    func testDepthAndSpaceAreExchanged() throws {
        // One pixel, eight channels, blocks of two: channel = (row * 2 + column) * 2 + c.
        let pixel = try Tensor.counting([1, 1, 1, 8])
        let spread = try Runner.run(DepthToSpace(block: 2), [pixel])[0]
        XCTAssertEqual(spread.shape, [1, 2, 2, 2])
        XCTAssertEqual(spread.floats, [0, 1, 2, 3, 4, 5, 6, 7])
        XCTAssertEqual(try Runner.run(SpaceToDepth(block: 2), [spread])[0].floats, pixel.floats)
        let shuffled = try Runner.run(DepthToSpace(block: 2, mode: .columnRowDepth), [pixel])[0]
        XCTAssertEqual(shuffled.floats, [0, 4, 1, 5, 2, 6, 3, 7])
        for mode in [DepthToSpace.Mode.depthColumnRow, .columnRowDepth] {
            let x = try Tensor.counting([2, 8, 3, 5])
            let first = try Runner.run(DepthToSpace(block: 2, mode: mode, channelsFirst: true), [x])[0]
            let last = try Runner.run(Transpose(permutation: [0, 2, 3, 1]), [x])[0]
            let other = try Runner.run(DepthToSpace(block: 2, mode: mode), [last])[0]
            XCTAssertEqual(
                try Runner.run(Transpose(permutation: [0, 3, 1, 2]), [other])[0].floats, first.floats)
            let back = try Runner.run(SpaceToDepth(block: 2, channelsFirst: true), [first])[0]
            XCTAssertEqual(back.shape, x.shape)
            if mode == .depthColumnRow { XCTAssertEqual(back.floats, x.floats) }
        }
        Runner.assertInvalid(DepthToSpace(block: 3), [pixel])
        Runner.assertInvalid(DepthToSpace(block: 0), [pixel])
        Runner.assertInvalid(SpaceToDepth(block: 2), [pixel])
    }

    func testSequencesAreReversedAndSummed() throws {
        let x = try Tensor.counting([3, 2])
        XCTAssertEqual(
            try Runner.values(ReverseSequence(), [x, try Tensor.ints([2, 3])]), [2, 5, 0, 3, 4, 1] as [Float])
        Runner.assertInvalid(ReverseSequence(), [x, try Tensor.ints([2, 4])])
        Runner.assertInvalid(ReverseSequence(batchAxis: 0), [x, try Tensor.ints([1, 1])])
        func sums(_ operation: CumSum, _ axis: Int32) throws -> [Float] {
            try Runner.values(operation, [x, try Tensor(scalar: axis)])
        }
        XCTAssertEqual(try sums(CumSum(), 0), [0, 1, 2, 4, 6, 9])
        XCTAssertEqual(try sums(CumSum(exclusive: true), -1), [0, 0, 0, 2, 0, 4])
        XCTAssertEqual(try sums(CumSum(reverse: true), 0), [6, 9, 6, 8, 4, 5])
        XCTAssertEqual(try sums(CumSum(exclusive: true, reverse: true), 0), [6, 8, 4, 5, 0, 0])
        Runner.assertInvalid(CumSum(), [x, try Tensor(scalar: Int32(2))])
    }
}
