import Foundation
import XCTest

@testable import VisionInference

final class ElementwiseTests: XCTestCase {
    private typealias Runner = OperatorRunner

    func testUnaryFunctionsOfFloatsAndIntegers() throws {
        let x = try Tensor.floats([-2.5, -0.5, 0, 0.5, 2.5])
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .round), [x]), [-2, -0, 0, 0, 2] as [Float])
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .sign), [x]), [-1, -1, 0, 1, 1] as [Float])
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .floor), [x]), [-3, -1, 0, 0, 2] as [Float])
        assertClose(
            try Runner.values(UnaryOperation(kind: .exp), [x]), [-2.5, -0.5, 0, 0.5, 2.5].map { exp($0) }, 1e-5)
        assertClose(try Runner.values(UnaryOperation(kind: .atan), [x]), [-2.5, -0.5, 0, 0.5, 2.5].map { atan($0) })
        let integers = try Tensor([Int8.min, -3, 0, 7])
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .abs), [integers]), [Int8.min, 3, 0, 7])
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .bitwiseNot), [integers]), [127, 2, -1, -8] as [Int8])
        let half = try Tensor([Float16(-1.5), 4])
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .square), [half]), [2.25, 16] as [Float16])
        Runner.assertInvalid(UnaryOperation(kind: .exp), [integers])
        Runner.assertInvalid(UnaryOperation(kind: .not), [x])
    }

    func testTestsOfFloatsGiveTruth() throws {
        let x = try Tensor.floats([.nan, .infinity, -.infinity, 1])
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .isNaN), [x]), [1, 0, 0, 0] as [UInt8])
        XCTAssertEqual(
            try Runner.values(UnaryOperation(kind: .isInf(detectNegative: false, detectPositive: true)), [x]),
            [0, 1, 0, 0] as [UInt8])
        let truth = try Tensor.bools([true, false])
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .not), [truth]), [0, 1] as [UInt8])
    }

    func testLargeArraysAreTheSameInPortionsAsInOneGo() throws {
        let numbers = (0..<50_001).map { sin(Float($0)) * 4 }
        let x = try Tensor.floats(numbers)
        assertClose(
            try Runner.values(ActivationOperation(activation: Activation(.sigmoid)), [x]),
            numbers.map { 1 / (1 + exp(-$0)) })
        assertClose(
            try Runner.values(BinaryOperation(kind: .mul), [x, x], constants: []), numbers.map { $0 * $0 })
    }

    func testActivationsOfEveryType() throws {
        let kinds: [Activation.Kind] = [
            .identity, .clamp(low: -1, high: 2), .leaky(slope: 0.1), .sigmoid, .hardSigmoid(alpha: 0.2, beta: 0.5),
            .silu(alpha: 1.5), .hardSwish, .tanh, .gelu, .geluTanh, .elu(alpha: 2), .softplus, .mish,
        ]
        let numbers: [Double] = [-30, -3, -1, -0.25, 0, 0.5, 1, 2.75, 40]
        for kind in kinds {
            let operation = ActivationOperation(activation: Activation(kind))
            let exact = numbers.map { Activation(kind)($0) }
            assertClose(
                try Runner.values(operation, [try Tensor.floats(numbers.map { Float($0) })]), exact.map { Float($0) },
                1e-5)
            XCTAssertEqual(try Runner.values(operation, [try Tensor(numbers)]), exact)
            XCTAssertEqual(
                try Runner.values(operation, [try Tensor(numbers.map { Float16($0) })]), exact.map { Float16($0) })
        }
        XCTAssertEqual(
            try Runner.values(ActivationOperation(activation: .relu), [try Tensor([Int64(-4), 5])]), [0, 5] as [Int64])
    }

    func testClipTakesBoundsThatMayBeLeftOut() throws {
        let x = try Tensor.floats([-5, 0.5, 5])
        let (low, high) = (try Tensor(scalar: Float(-1)), try Tensor(scalar: Float(2)))
        XCTAssertEqual(try Runner.values(Clip(), [x, low, high]), [-1, 0.5, 2] as [Float])
        XCTAssertEqual(try Runner.values(Clip(), [x, low, high], constants: []), [-1, 0.5, 2] as [Float])
        XCTAssertEqual(try Runner.values(Clip(), [x, nil, high]), [-5, 0.5, 2] as [Float])
        XCTAssertEqual(
            Clip().activation([TensorDescription(x), TensorDescription(low), TensorDescription(high)]),
            Activation(.clamp(low: -1, high: 2)))
        Runner.assertInvalid(Clip(), [x, x, high])
        Runner.assertInvalid(Clip(), [x, try Tensor.ints([1])])
    }

    func testPReluBroadcastsItsSlopes() throws {
        let x = try Tensor.floats([-1, -2, -3, 4, 5, -6], [2, 3])
        XCTAssertEqual(
            try Runner.values(PRelu(), [x, try Tensor.floats([1, 2, 3])]), [-1, -4, -9, 4, 5, -18] as [Float])
        XCTAssertEqual(
            try Runner.values(PRelu(), [x, try Tensor.floats([2, 3], [2, 1])]), [-2, -4, -6, 4, 5, -18] as [Float])
        Runner.assertInvalid(PRelu(), [x, try Tensor.floats([1, 2])])
    }

    func testBroadcastingIsThatOfNumPy() throws {
        var seed: UInt64 = 1
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1
            return Int(seed >> 33) % bound
        }
        for _ in 0..<200 {
            let rank = random(5)
            let output = (0..<rank).map { _ in 1 + random(5) }
            func operand() -> Shape {
                Shape(output.map { random(3) == 0 ? 1 : $0 }.dropFirst(random(rank + 1)))
            }
            let (a, b) = (operand(), operand())
            let shape = try a.broadcast(with: b)
            let (x, y) = (try Tensor.counting(a), try Tensor.counting(b))
            let expected = (0..<shape.elementCount).map { position in
                Float(offset(position, shape, a)) - 100 * Float(offset(position, shape, b))
            }
            let hundred = try Runner.run(
                BinaryOperation(kind: .mul), [y, try Tensor(scalar: Float(100))], constants: [])[0]
            XCTAssertEqual(
                try Runner.values(BinaryOperation(kind: .sub), [x, hundred], shape: shape, constants: []), expected)
            let integers = try Tensor(y.floats?.map { Int32($0) } ?? [], shape: b)
            let others = try Tensor(x.floats?.map { Int32($0) } ?? [], shape: a)
            XCTAssertEqual(
                try Runner.values(BinaryOperation(kind: .less), [others, integers], shape: shape),
                (0..<shape.elementCount).map { offset($0, shape, a) < offset($0, shape, b) ? UInt8(1) : 0 })
        }
    }

    /// Which element of a tensor of `shape` is broadcast to an element of `output`.
    private func offset(_ position: Int, _ output: Shape, _ shape: Shape) -> Int {
        var rest = position
        var offset = 0
        var step = 1
        for axis in 0..<output.count {
            let index = rest % output[output.count - 1 - axis]
            rest /= output[output.count - 1 - axis]
            guard axis < shape.count else { continue }
            let size = shape[shape.count - 1 - axis]
            offset += (size == 1 ? 0 : index) * step
            step *= size
        }
        return offset
    }

    func testIntegersNeverTrap() throws {
        let a = try Tensor([Int32.min, 7, -7, 5])
        let b = try Tensor([Int32(-1), -3, 3, 0])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .div), [a, b]), [Int32.min, -2, -2, 0])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .floorDiv), [a, b]), [Int32.min, -3, -3, 0])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .mod(fmod: false)), [a, b]), [0, -2, 2, 0] as [Int32])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .mod(fmod: true)), [a, b]), [0, 1, -1, 0] as [Int32])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .sub), [a, a]), [0, 0, 0, 0] as [Int32])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .add), [a, b])[0] as Int32, Int32.max)
        let shifts = try Tensor([UInt8(1), 7, 8, 200])
        let bits = try Tensor([UInt8(3), 3, 3, 3])
        XCTAssertEqual(
            try Runner.values(BinaryOperation(kind: .shiftLeft), [bits, shifts]), [6, 128, 0, 0] as [UInt8])
    }

    func testPowersTakeExponentsOfAnotherType() throws {
        let x = try Tensor.floats([1, 2, 3])
        XCTAssertEqual(
            try Runner.values(BinaryOperation(kind: .pow), [x, try Tensor.ints([2])]), [1, 4, 9] as [Float])
        XCTAssertEqual(
            try Runner.values(BinaryOperation(kind: .pow), [try Tensor.ints([2, 3]), try Tensor.floats([0.5, 3])]),
            [1, 27] as [Int64])
        XCTAssertEqual(
            try Runner.values(
                BinaryOperation(kind: .mod(fmod: false)), [try Tensor.floats([-4.5]), try Tensor.floats([2])]),
            [1.5] as [Float])
    }

    func testMinimumAndMaximumKeepNaN() throws {
        for type in [0, 1] {
            func tensor(_ values: [Double]) throws -> Tensor {
                type == 0 ? try Tensor(values) : try Tensor(values.map { Float($0) })
            }
            let result = try Runner.run(
                BinaryOperation(kind: .max), [tensor([.nan, 1, 2]), tensor([1, .nan, 3])])[0]
            XCTAssertEqual(result.floats?.map(\.isNaN), [true, true, false])
        }
    }

    func testTruthIsCombined() throws {
        let (a, b) = (try Tensor.bools([false, false, true, true]), try Tensor.bools([false, true, false, true]))
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .and), [a, b]), [0, 0, 0, 1] as [UInt8])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .or), [a, b]), [0, 1, 1, 1] as [UInt8])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .xor), [a, b]), [0, 1, 1, 0] as [UInt8])
        XCTAssertEqual(try Runner.values(BinaryOperation(kind: .equal), [a, b]), [1, 0, 0, 1] as [UInt8])
        Runner.assertInvalid(BinaryOperation(kind: .add), [a, b])
        Runner.assertInvalid(BinaryOperation(kind: .add), [try Tensor.floats([1]), try Tensor.ints([1])])
        Runner.assertInvalid(BinaryOperation(kind: .add), [try Tensor.floats([1, 2]), try Tensor.floats([1, 2, 3])])
    }

    func testEmptyTensorsStayEmpty() throws {
        let empty = try Tensor.floats([], [0, 3])
        XCTAssertEqual(
            try Runner.values(BinaryOperation(kind: .add), [empty, try Tensor.floats([1, 2, 3])], shape: [0, 3]),
            [] as [Float])
        XCTAssertEqual(
            try Runner.values(ActivationOperation(activation: .relu), [empty], shape: [0, 3]), [] as [Float])
        let long = try Tensor(.float32, shape: [0, 1 << 20, 3], storage: TensorStorage(byteCount: 0))
        XCTAssertEqual(try Runner.values(UnaryOperation(kind: .neg), [long], shape: long.shape), [] as [Float])
        // Products of the sizes beside the zero must not overflow either.
        XCTAssertThrowsError(
            try Tensor(.float32, shape: [0, 1 << 62, 1 << 62], storage: TensorStorage(byteCount: 0)))
    }

    func testWhereChooses() throws {
        let condition = try Tensor.bools([true, false], [2, 1])
        XCTAssertEqual(
            try Runner.values(
                Where(), [condition, try Tensor.floats([1, 2, 3]), try Tensor(scalar: Float(9))], shape: [2, 3],
                constants: []),
            [1, 2, 3, 9, 9, 9] as [Float])
        Runner.assertInvalid(Where(), [try Tensor.floats([1]), try Tensor.floats([1]), try Tensor.floats([1])])
    }

    func testCastCutsAndStaysInRange() throws {
        let x = try Tensor.floats([-1.9, 0, 2.9, 300, .nan, .infinity])
        XCTAssertEqual(try Runner.values(Cast(to: .int8), [x]), [-1, 0, 2, 127, 0, 127] as [Int8])
        XCTAssertEqual(try Runner.values(Cast(to: .int64), [x])[5] as Int64, .max)
        XCTAssertEqual(try Runner.values(Cast(to: .bool), [x]), [1, 0, 1, 1, 1, 1] as [UInt8])
        XCTAssertEqual(try Runner.values(Cast(to: .float16), [x])[3] as Float16, 300)
        XCTAssertEqual(
            try Runner.values(Cast(to: .uint8), [try Tensor([Int32(-1), 257])]), [255, 1] as [UInt8])
        XCTAssertEqual(try Runner.values(Cast(to: .int16), [x])[3] as Int16, 300)
    }
}
