import Foundation
import ModelFixtures
import ModelTestSupport
import VisionInference
import XCTest

@testable import VisionModels

/// The network of a TensorFlow Lite file of MoveNet's layout: a convolution, a depthwise one, a step of the pyramid and
/// the heads.
final class MoveNetFileTests: XCTestCase {
    private let side = 32

    /// - Parameters:
    ///   - heads: The names and channels of the heads.
    ///   - isHalf: Whether the weights are of 16 bits.
    private func file(heads: [(name: String, channels: Int)] = MoveNetFile.heads, isHalf: Bool = true) -> [UInt8] {
        var builder = TFLiteBuilder()
        var generator = SystemRandomNumberGenerator.Seeded(seed: 53)
        func constant(_ name: String, _ shape: [Int]) -> Int {
            let values = (0..<shape.reduce(1, *)).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
            guard isHalf else { return builder.constant(name, shape, values) }
            return builder.add(6, [builder.constant(name + "16", shape, halves: values)], to: name, shape)
        }
        func convolution(
            _ input: Int, _ name: String, _ shape: [Int], kernel: [Int], stride: Int32 = 1, activation: Int8 = 0
        ) -> Int {
            let isDepthwise = kernel[0] == 1 && kernel[1] == 3
            let parts = [constant(name + ".w", kernel), constant(name + ".b", [shape[3]])]
            let window: [Int: FlatValue] = [0: .int8(0), 1: .int32(stride), 2: .int32(stride)]
            return builder.add(
                isDepthwise ? 4 : 3, [input] + parts, to: name, shape,
                options: isDepthwise
                    ? (2, window.merging([3: .int32(1), 4: .int8(activation)]) { $1 })
                    : (1, window.merging([3: .int8(activation)]) { $1 }))
        }
        let image = builder.input("x", [1, side, side, 3])
        let first = convolution(image, "first", [1, 16, 16, 4], kernel: [4, 3, 3, 3], stride: 2, activation: 3)
        let fine = convolution(first, "fine", [1, 8, 8, 4], kernel: [1, 3, 3, 4], stride: 2, activation: 3)
        let coarse = convolution(fine, "coarse", [1, 4, 4, 4], kernel: [1, 3, 3, 4], stride: 2)
        let size = builder.constant("size", [2], ints: [8, 8])
        let large = builder.add(
            23, [coarse, size], to: "large", [1, 8, 8, 4], options: (15, [2: .uint8(0), 3: .uint8(1)]))
        let sum = builder.add(0, [large, fine], to: "sum", [1, 8, 8, 4], options: (11, [:]))
        let features = convolution(sum, "features", [1, 8, 8, 5], kernel: [5, 1, 1, 4], activation: 1)
        for head in heads {
            builder.output(
                convolution(
                    features, head.name + "_0/conv", [1, 8, 8, head.channels], kernel: [head.channels, 1, 1, 5]))
        }
        return builder.file()
    }

    private func outputs(_ graph: Graph, _ pixels: [Float]) throws -> [[Float]] {
        let session = try Session(graph: graph)
        let image = try Tensor(pixels, shape: [1, side, side, 3])
        let results = try session.run([session.inputs[0].name: image])
        return try session.outputs.map { try XCTUnwrap(results[$0.name]?.values(as: Float.self)) }
    }

    func testTheNetworkIsThatOfTheFile() throws {
        let bytes = file()
        var generator = SystemRandomNumberGenerator.Seeded(seed: 7)
        let pixels = (0..<3 * side * side).map { _ in Float.random(in: -1...1, using: &generator) }
        let model = try MoveNetFile(bytes).onnx(name: "x", side: side)
        XCTAssertEqual(model.graph.outputs.map(\.name), MoveNetFile.heads.map(\.name))
        let made = try outputs(NetworkFile.graph(model.serialised()), pixels)
        let original = try outputs(NetworkFile.graph(Data(bytes)), pixels)
        XCTAssertEqual(made.count, MoveNetFile.heads.count)
        for (index, head) in MoveNetFile.heads.enumerated() {
            let cells = original[index].count / head.channels
            // The file has channels last.
            let turned = (0..<head.channels).flatMap { channel in
                (0..<cells).map { original[index][$0 * head.channels + channel] }
            }
            XCTAssertEqual(made[index].count, turned.count)
            for (one, other) in zip(made[index], turned) { XCTAssertEqual(one, other, accuracy: 1e-4, head.name) }
            XCTAssertGreaterThan((turned.max() ?? 0) - (turned.min() ?? 0), 0.01)
        }
    }

    private func assertMismatch(_ bytes: [UInt8], _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try MoveNetFile(bytes).onnx(name: "x", side: side), message, line: line) {
            XCTAssertEqual(($0 as? WeightFileError)?.kind, .mismatch, message, line: line)
        }
    }

    func testOtherFilesAreRefused() {
        assertMismatch([], "no bytes")
        assertMismatch([UInt8](repeating: 7, count: 4096), "no file of the format")
        assertMismatch(file(heads: Array(MoveNetFile.heads.dropLast())), "a head is missing")
        assertMismatch(file(heads: MoveNetFile.heads.reversed()), "another order")
        assertMismatch(file(heads: MoveNetFile.heads.map { ($0.name, $0.channels + 1) }), "other channels")
        assertMismatch(file(isHalf: false), "weights of 32 bits")
    }

    /// Files that are cut off and ones with damaged bits give an error or another network, and no trap.
    func testDamagedFilesDoNotTrap() {
        let bytes = file()
        var generator = SystemRandomNumberGenerator.Seeded(seed: 53)
        for length in stride(from: 8, to: bytes.count - 1, by: bytes.count / 40) {
            if (try? MoveNetFile(Array(bytes.prefix(length))).onnx(name: "x", side: side)) != nil {
                XCTAssertGreaterThan(length, bytes.count / 2, "a file without its weights was taken")
            }
        }
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<4 {
                let bit = UInt8.random(in: 0...7, using: &generator)
                damaged[.random(in: 0..<bytes.count, using: &generator)] ^= 1 << bit
            }
            _ = try? MoveNetFile(damaged).onnx(name: "x", side: side)
        }
    }
}
