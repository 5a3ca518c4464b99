import ModelFixtures
import XCTest

@testable import VisionInference

/// Runs layers of Core ML's neural networks.
class NeuralNetworkTestCase: XCTestCase {
    typealias Builder = CoreMLFileBuilder

    /// Runs layers that read “x” and make “y”.
    func run(
        _ layers: [ProtoValue], _ shape: [Int], _ values: [Float], exact: Bool = false, declared: [Int] = []
    ) throws -> (shape: [Int], values: [Float]) {
        var builder = Builder()
        builder.inputs = [Builder.array("x", shape)]
        builder.outputs = [Builder.array("y", declared)]
        let file = builder.file(500, [1: .repeated(layers), 5: .int(exact ? 1 : 0), 6: .int(exact ? 1 : 0)])
        let graph = try NetworkFile(ModelBytes(Data(file))).graph()
        // Not within `XCTUnwrap`, which would record errors that are expected.
        let outputs = try Session(graph: graph).run(["x": Tensor(values, shape: shape)])
        let result = try XCTUnwrap(outputs["y"])
        return (result.shape, try XCTUnwrap(result.floats))
    }

    func assertRun(
        _ layers: [ProtoValue], _ shape: [Int], _ values: [Float], exact: Bool = false, _ expectedShape: [Int],
        _ expected: [Float], line: UInt = #line
    ) throws {
        let result = try run(layers, shape, values, exact: exact)
        XCTAssertEqual(result.shape, expectedShape, line: line)
        XCTAssertEqual(result.values.count, expected.count, line: line)
        for (a, b) in zip(result.values, expected) { XCTAssertEqual(a, b, accuracy: 1e-5, line: line) }
    }

    func layer(_ type: Int, _ parameters: ProtoFields = [:], _ inputs: [String] = ["x"]) -> ProtoValue {
        Builder.layer("layer", inputs, ["y"], type, parameters)
    }

    /// A layer that makes a constant, for layers with several inputs.
    func constant(_ name: String, _ values: [Float], _ shape: [Int]? = nil) -> ProtoValue {
        Builder.layer(name, [], [name], 1070, [1: .ints(shape ?? [values.count]), 2: Builder.weights(values)])
    }
}
