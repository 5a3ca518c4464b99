import XCTest

@testable import VisionInference

/// That an operator behind a transpose is what it says it is before one.
final class SinkingTests: XCTestCase {
    private var seed: UInt64 = 3

    private func random(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }

    private func tensor(_ shape: Shape) throws -> Tensor {
        try Tensor((0..<shape.elementCount).map { _ in Float(random(2001) - 1000) / 100 }, shape: shape)
    }

    /// - Parameters:
    ///   - shapes: of the inputs behind the transpose.
    ///   - parameters: inputs that are never transposed, after those.
    private func check(
        _ operation: any Operator, _ shapes: [Shape], parameters: [Tensor?] = [], outputs: Int = 1,
        permutations: [[Int]] = [[0, 3, 1, 2], [0, 2, 3, 1], [3, 1, 0, 2], [1, 0, 2, 3], [2, 3, 1, 0]],
        line: UInt = #line
    ) throws {
        for permutation in permutations {
            // What the transpose makes into the wanted shapes.
            let before = try shapes.map { shape -> Tensor in
                var original = shape
                for (place, axis) in permutation.enumerated() { original[axis] = shape[place] }
                return try tensor(original)
            }
            let turned = try before.map {
                try OperatorRunner.run(Transpose(permutation: permutation), [$0])[0]
            }
            let constants = Set(shapes.count..<shapes.count + parameters.count)
            let expected = try OperatorRunner.run(
                operation, turned + parameters, outputs: outputs, constants: constants)
            let descriptions = (turned + parameters).map { $0.map { TensorDescription($0) } }
            let sinking = try XCTUnwrap(
                operation.sinking(permutation, descriptions, expected.map { TensorDescription($0) }), line: line)
            let inputs = shapes.indices.map { sinking.inputs.contains($0) ? before[$0] : turned[$0] }
            let results = try OperatorRunner.run(
                sinking.replacement, inputs + parameters, outputs: outputs, constants: constants)
            for (index, result) in results.enumerated() {
                let back = try OperatorRunner.run(
                    Transpose(permutation: sinking.outputPermutations[index]), [result])[0]
                XCTAssertEqual(back.shape, expected[index].shape, "\(permutation)", line: line)
                if let integers = expected[index].integers {
                    XCTAssertEqual(back.integers, integers, "\(permutation)", line: line)
                } else {
                    assertClose(back.floats ?? [], expected[index].floats ?? [], 1e-3, line: line)
                }
            }
        }
    }

    private let shape = [2, 3, 4, 5]

    func testElementwiseOperators() throws {
        try check(UnaryOperation(kind: .abs), [shape])
        try check(ActivationOperation(activation: Activation(.hardSwish)), [shape])
        try check(Cast(to: .int32), [shape])
        try check(Identity(), [shape])
        try check(Clip(), [shape], parameters: [nil, try Tensor(scalar: Float(1))])
        try check(BinaryOperation(kind: .sub), [shape, shape])
        try check(BinaryOperation(kind: .sub), [shape, [2, 1, 4, 1]])
        try check(BinaryOperation(kind: .sub), [shape], parameters: [try Tensor(scalar: Float(2))])
        try check(PRelu(), [shape, [1, 3, 1, 1]])
        XCTAssertNil(
            BinaryOperation(kind: .add).sinking(
                [0, 3, 1, 2], [TensorDescription(.float32, shape), TensorDescription(.float32, [5])],
                [TensorDescription(.float32, shape)]))
    }

    func testReductions() throws {
        for keeps in [true, false] {
            try check(Reduce(kind: .sum, axes: [2, -1], keepsDimensions: keeps), [shape])
            try check(Reduce(kind: .max, keepsDimensions: keeps), [shape], parameters: [try Tensor.ints([1])])
            try check(ArgReduce(kind: .max, axis: 1, keepsDimensions: keeps), [shape])
        }
        try check(Softmax(axis: 1), [shape])
        try check(Softmax(axis: -1, isLogarithm: true), [shape])
        try check(Hardmax(axis: 2), [shape])
        try check(LRN(axis: 1, size: 3), [shape])
    }

    func testMovement() throws {
        try check(Concat(axis: 1), [shape, [2, 2, 4, 5]])
        try check(Split(axis: -1, outputs: 2), [shape], parameters: [try Tensor.ints([2, 3])], outputs: 2)
        try check(
            Slice(), [shape],
            parameters: [
                try Tensor.ints([1, -1]), try Tensor.ints([3, -9]), try Tensor.ints([2, 3]), try Tensor.ints([1, -2]),
            ])
        try check(Slice(), [shape], parameters: [try Tensor.ints([0, 1]), try Tensor.ints([9, 3])])
        for axis in [0, 2, -1] {
            try check(Gather(axis: axis), [shape], parameters: [try Tensor(scalar: Int64(1))])
            try check(Gather(axis: axis), [shape], parameters: [try Tensor.ints([1, 0, -1])])
        }
        XCTAssertNil(
            Gather(axis: 1).sinking(
                [0, 3, 1, 2], [TensorDescription(.float32, shape), TensorDescription(.int64, [2, 2])],
                [TensorDescription(.float32, [2, 2, 2, 4, 5])]))
        for mode in [Pad.Mode.constant, .reflect, .edge, .wrap] {
            try check(Pad(mode: mode), [shape], parameters: [try Tensor.ints([0, 1, 0, 2, 0, -1, 2, 1])])
            try check(
                Pad(mode: mode), [shape], parameters: [try Tensor.ints([1, 0, 0, 2]), nil, try Tensor.ints([-1, 1])])
        }
    }

    func testAxesOfSizeOne() throws {
        try check(Squeeze(), [[1, 3, 1, 5]])
        try check(Squeeze(), [[1, 3, 1, 5]], parameters: [try Tensor.ints([2])])
        try check(Unsqueeze(), [shape], parameters: [try Tensor.ints([1, -1])])
    }

    func testResizing() throws {
        let sizes = try Tensor.ints([7, 4])
        for mode in [Resize.Mode.nearest(.floor), .linear, .cubic(a: -0.75)] {
            try check(Resize(mode: mode, axes: [2, 3]), [shape], parameters: [nil, nil, sizes])
            try check(
                Resize(mode: mode, coordinates: .asymmetric), [shape],
                parameters: [nil, try Tensor.floats([1, 1, 2, 1.5])])
        }
    }

    func testPicturesWithChannelsFirst() throws {
        let order = [[0, 3, 1, 2]]
        for mode in [DepthToSpace.Mode.depthColumnRow, .columnRowDepth] {
            try check(
                DepthToSpace(block: 2, mode: mode, channelsFirst: true), [[2, 8, 3, 5]], permutations: order)
        }
        try check(SpaceToDepth(block: 2, channelsFirst: true), [[2, 3, 4, 6]], permutations: order)
    }

    /// Two transposes that wander one after the other.
    func testOperatorsSinkTwice() throws {
        let operators: [(any Operator, [Tensor?])] = [
            (Slice(), [try Tensor.ints([1]), try Tensor.ints([3]), try Tensor.ints([2])]),
            (Pad(), [try Tensor.ints([1, 2]), nil, try Tensor.ints([3])]),
            (Reduce(kind: .sum, axes: [1]), []),
        ]
        for (operation, parameters) in operators {
            let x = TensorDescription(.float32, shape)
            let described = [x] + parameters.map { $0.map { TensorDescription($0) } }
            let once = try XCTUnwrap(operation.sinking([0, 2, 3, 1], described, [x])).replacement
            // The input of what has sunk once, before another transpose.
            try check(once, [[2, 5, 3, 4]], parameters: parameters)
        }
    }
}
