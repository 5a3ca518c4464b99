import Foundation
import XCTest

@testable import VisionInference

final class SignalTests: XCTestCase {
    private typealias Runner = OperatorRunner

    private func naive(_ signal: [Float], _ sign: Double) -> [Float] {
        let count = Double(signal.count)
        return signal.indices.flatMap { bin -> [Float] in
            var (real, imaginary) = (0.0, 0.0)
            for (index, value) in signal.enumerated() {
                let angle = sign * 2 * Double.pi * Double(bin * index) / count
                real += Double(value) * cos(angle)
                imaginary += Double(value) * sin(angle)
            }
            return [Float(real), Float(imaginary)]
        }
    }

    func testTransformsOfAnyLength() throws {
        for count in [1, 2, 3, 8, 12, 35, 37, 60] {
            let signal = (0..<count).map { Float(($0 * 7919) % 13) - 6 }
            let expected = naive(signal, -1)
            let x = try Tensor.floats(signal, [1, count, 1])
            let spectrum = try Runner.run(DFT(), [x])[0]
            assertClose(spectrum.floats ?? [], expected, 1e-3)
            assertClose(
                try Runner.values(DFT(isOneSided: true), [x], shape: [1, count / 2 + 1, 2]),
                Array(expected[..<(2 * (count / 2 + 1))]), 1e-3)
            let back = try Runner.run(DFT(isInverse: true), [spectrum])[0].floats ?? []
            assertClose(stride(from: 0, to: 2 * count, by: 2).map { back[$0] }, signal, 1e-4)
        }
        assertClose(
            try Runner.values(
                DFT(),
                [try Tensor.floats([1, 2, 9], [3, 1]), try Tensor(scalar: Int64(2)), try Tensor(scalar: Int64(0))]),
            [3, 0, -1, 0])
        Runner.assertInvalid(DFT(), [try Tensor.floats([1, 2], [1, 2, 1]), try Tensor(scalar: Int64(0))])
        Runner.assertInvalid(DFT(), [try Tensor.floats([1, 2], [1, 2, 1]), nil, try Tensor(scalar: Int64(2))])
    }

    func testWindowsOfASignal() throws {
        let signal: [Float] = [1, 2, 3, 4, 5]
        let window: [Float] = [1, 0.5]
        let result: [Float] = try Runner.values(
            STFT(isOneSided: false),
            [try Tensor.floats(signal, [1, 5, 1]), try Tensor(scalar: Int64(2)), try Tensor.floats(window)],
            shape: [1, 2, 2, 2])
        assertClose(result, [2, 0, 0, 0, 5, 0, 1, 0])
        Runner.assertInvalid(
            STFT(), [try Tensor.floats(signal, [1, 5, 1]), try Tensor(scalar: Int64(0)), try Tensor.floats(window)])
        Runner.assertInvalid(
            STFT(),
            [try Tensor.floats(signal, [1, 5, 1]), try Tensor(scalar: Int64(1)), nil, try Tensor(scalar: Int64(6))])
    }

    func testWeights() throws {
        func window(_ operation: SignalWindow, _ count: Int32) throws -> [Float] {
            try Runner.values(operation, [try Tensor(scalar: count)], constants: [0])
        }
        assertClose(try window(SignalWindow(kind: .hann), 4), [0, 0.5, 1, 0.5])
        assertClose(try window(SignalWindow(kind: .hann, isPeriodic: false), 3), [0, 1, 0])
        assertClose(try window(SignalWindow(kind: .hamming), 2), [4.0 / 46, 1])
        assertClose(try window(SignalWindow(kind: .blackman), 2), [0, 1])
        Runner.assertInvalid(SignalWindow(kind: .hann), [try Tensor(scalar: Int32(-1))], constants: [0])
        let matrix = try Runner.run(
            MelWeightMatrix(),
            [
                try Tensor(scalar: Int32(8)), try Tensor(scalar: Int32(16)), try Tensor(scalar: Int32(8192)),
                try Tensor(scalar: Float(0)), try Tensor(scalar: Float(4096)),
            ], constants: [0, 1, 2, 3, 4])[0]
        XCTAssertEqual(matrix.shape, [9, 8])
        let values = matrix.floats ?? []
        XCTAssert(values.allSatisfy { (0...1).contains($0) })
        for band in 0..<8 { XCTAssertEqual((0..<9).map { values[$0 * 8 + band] }.max(), 1) }
    }

    func testCachesAreUpdated() throws {
        let cache = try Tensor.counting([2, 3, 1])
        let update = try Tensor.floats([-1, -2, -3, -4], [2, 2, 1])
        XCTAssertEqual(
            try Runner.values(TensorScatter(), [cache, update, try Tensor.ints([0, 1])]),
            [-1, -2, 2, 3, -3, -4] as [Float])
        XCTAssertEqual(
            try Runner.values(TensorScatter(isCircular: true), [cache, update, try Tensor.ints([2, 0])]),
            [-2, 1, -1, -3, -4, 5] as [Float])
        Runner.assertInvalid(TensorScatter(), [cache, update, try Tensor.ints([2, 0])])
    }

    func testDeterminants() throws {
        XCTAssertEqual(
            try Runner.values(Det(), [try Tensor.floats([1, 2, 3, 4, 0, 1, 1, 0], [2, 2, 2])], shape: [2]),
            [-2, -1] as [Float])
        Runner.assertInvalid(Det(), [try Tensor.floats([1, 2], [1, 2])])
    }
}
