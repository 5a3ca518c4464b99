import Foundation
import XCTest

@testable import VisionInference

final class NormalisationTests: XCTestCase {
    private typealias Runner = OperatorRunner

    private func normal(_ values: [Float], epsilon: Float = 1e-5) -> [Float] {
        let mean = values.reduce(0, +) / Float(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)
        return values.map { ($0 - mean) / sqrt(variance + epsilon) }
    }

    func testRowsAreNormalised() throws {
        let numbers: [Float] = [1, 2, 4, 8, -3, 0, 5, 7]
        let scale: [Float] = [1, 2, 3, 4]
        let bias: [Float] = [0, 1, 0, -1]
        let expected = (normal(Array(numbers[..<4])) + normal(Array(numbers[4...]))).enumerated().map {
            $1 * scale[$0 % 4] + bias[$0 % 4]
        }
        let results = try Runner.run(
            LayerNormalization(),
            [try Tensor.floats(numbers, [2, 4]), try Tensor.floats(scale), try Tensor.floats(bias)],
            outputs: 3)
        assertClose(results[0].floats ?? [], expected, 1e-5)
        XCTAssertEqual(results[1].shape, [2, 1])
        assertClose(results[1].floats ?? [], [3.75, 2.25])
        let doubles = try Runner.run(
            LayerNormalization(axis: 1),
            [
                try Tensor(numbers.map { Double($0) }, shape: [2, 4]), try Tensor(scale.map { Double($0) }),
                try Tensor(bias.map { Double($0) }),
            ])[0]
        assertClose(doubles.floats ?? [], expected, 1e-5)
        Runner.assertInvalid(LayerNormalization(), [try Tensor.floats(numbers), try Tensor.floats(scale)])
    }

    func testChannelsAreNormalised() throws {
        let shape = [2, 4, 3]
        let numbers = (0..<24).map { sin(Float($0) * 1.7) * 3 }
        let x = try Tensor.floats(numbers, shape)
        let (scale, bias): ([Float], [Float]) = ([1, 2, 3, 4], [0.5, 0, -1, 2])
        let parameters = [try Tensor.floats(scale), try Tensor.floats(bias)]
        let instance = (0..<8).flatMap { line in
            normal(Array(numbers[line * 3..<line * 3 + 3])).map { $0 * scale[line % 4] + bias[line % 4] }
        }
        assertClose(try Runner.values(InstanceNormalization(), [x] + parameters), instance, 1e-4)
        var group: [Float] = []
        for part in 0..<4 {
            for (index, value) in normal(Array(numbers[part * 6..<part * 6 + 6])).enumerated() {
                let channel = part % 2 * 2 + index / 3
                group.append(value * scale[channel] + bias[channel])
            }
        }
        assertClose(try Runner.values(GroupNormalization(groups: 2), [x] + parameters), group, 1e-4)
        let (mean, variance): ([Float], [Float]) = ([0, 1, 2, 3], [1, 2, 3, 4])
        let batch = numbers.indices.map { index -> Float in
            let channel = index / 3 % 4
            let deviation = sqrt(variance[channel] + 1e-5)
            return (numbers[index] - mean[channel]) / deviation * scale[channel] + bias[channel]
        }
        let all = parameters + [try Tensor.floats(mean), try Tensor.floats(variance)]
        assertClose(try Runner.values(BatchNormalization(), [x] + all), batch, 1e-4)
        assertClose(try Runner.values(BatchNormalization(), [x] + all, constants: []), batch, 1e-4)
        // The same with the channels last, each operator being what remains when a transpose has passed.
        let turned = try Runner.run(Transpose(permutation: [0, 2, 1]), [x])[0]
        let operators: [(any Operator, [Tensor], [Float])] = [
            (InstanceNormalization(), parameters, instance), (GroupNormalization(groups: 2), parameters, group),
            (BatchNormalization(), all, batch),
        ]
        for (operation, parameters, expected) in operators {
            let sinking = try XCTUnwrap(
                operation.sinking([0, 2, 1], ([x] + parameters).map { TensorDescription($0) }, [TensorDescription(x)]))
            let result = try Runner.run(sinking.replacement, [turned] + parameters)[0]
            let back = try Runner.run(Transpose(permutation: sinking.outputPermutations[0]), [result])[0]
            assertClose(back.floats ?? [], expected, 1e-4)
        }
        Runner.assertInvalid(GroupNormalization(groups: 3), [x] + parameters)
        Runner.assertInvalid(GroupNormalization(groups: 0), [x] + parameters)
        Runner.assertInvalid(InstanceNormalization(), [x, try Tensor.floats([1]), try Tensor.floats([1])])
    }

    func testNeighbouringChannelsInhibit() throws {
        let x = try Tensor.floats([1, 2, 3, 4], [1, 4, 1, 1])
        let sums: [Float] = [1 + 4, 1 + 4 + 9, 4 + 9 + 16, 9 + 16]
        assertClose(
            try Runner.values(LRN(size: 3, alpha: 0.3, beta: 0.5, bias: 2), [x]),
            zip([1, 2, 3, 4], sums).map { $0 / sqrt(2 + 0.1 * $1) }, 1e-5)
        Runner.assertInvalid(LRN(size: 0), [x])
    }
}
