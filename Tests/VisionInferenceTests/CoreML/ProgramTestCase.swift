import ModelFixtures
import ModelTestSupport
import XCTest

@testable import VisionInference

/// Writes and runs ML programs.
class ProgramTestCase: XCTestCase {
    typealias Builder = CoreMLFileBuilder

    // MARK: Writing programs

    static func type(_ shape: [Int], _ number: Int = 11) -> ProtoValue {
        .message([
            1: .message([
                1: .int(number), 2: .int(shape.count),
                3: .repeated(shape.map { .message([1: .message([1: .int($0)])]) }),
            ])
        ])
    }

    static func value(_ shape: [Int], _ number: Int, _ kind: Int, _ list: ProtoValue) -> ProtoValue {
        .message([2: type(shape, number), 3: .message([1: .message([kind: .message([1: list])])])])
    }

    static func floats(_ values: [Float], _ shape: [Int]) -> ProtoValue { value(shape, 11, 1, .floats(values)) }
    static func ints(_ values: [Int]) -> ProtoValue { value([values.count], 23, 2, .ints(values)) }
    static func int(_ number: Int) -> ProtoValue { value([], 23, 2, .ints([number])) }
    static func float(_ number: Float) -> ProtoValue { value([], 11, 1, .floats([number])) }
    static func truth(_ flag: Bool) -> ProtoValue { value([], 1, 3, .ints([flag ? 1 : 0])) }
    static func text(_ text: String) -> ProtoValue { value([], 2, 4, .repeated([.string(text)])) }
    static func bytes(_ bytes: [UInt8], _ shape: [Int], _ number: Int) -> ProtoValue {
        value(shape, number, 7, .bytes(bytes))
    }

    static func entry(_ key: String, _ value: ProtoValue) -> ProtoValue {
        .message([1: .string(key), 2: value])
    }

    static func name(_ name: String) -> ProtoValue { .message([1: .repeated([.message([1: .string(name)])])]) }
    static func stated(_ value: ProtoValue) -> ProtoValue { .message([1: .repeated([.message([2: value])])]) }

    static func operation(
        _ type: String, _ inputs: [(String, ProtoValue)], _ outputs: [String], attributes: [(String, ProtoValue)] = [],
        result: ProtoValue = type([])
    ) -> ProtoValue {
        .message([
            1: .string(type), 2: .repeated(inputs.map { entry($0.0, $0.1) }),
            3: .repeated(outputs.map { .message([1: .string($0), 2: result]) }),
            5: .repeated(attributes.map { entry($0.0, $0.1) }),
        ])
    }

    static func program(_ operations: [ProtoValue], shape: [Int], outputs: [String] = ["y"]) -> [UInt8] {
        var builder = Builder()
        builder.version = 7
        builder.inputs = [Builder.array("x", shape)]
        builder.outputs = outputs.map { Builder.array($0, []) }
        let block: ProtoValue = .message([2: .repeated(outputs.map { .string($0) }), 3: .repeated(operations)])
        let function: ProtoValue = .message([
            1: .repeated([.message([1: .string("x"), 2: type(shape)])]), 2: .string("CoreML6"),
            3: .repeated([entry("CoreML6", block)]),
        ])
        return builder.file(502, [1: .int(1), 2: .repeated([entry("main", function)])])
    }

    func run(
        _ operations: [ProtoValue], _ values: [Float], _ shape: [Int]
    ) throws -> (shape: [Int], values: [Float]) {
        let graph = try NetworkFile(ModelBytes(Data(Self.program(operations, shape: shape)))).graph()
        // Not within `XCTUnwrap`, which would record errors that are expected.
        let outputs = try Session(graph: graph).run(["x": Tensor(values, shape: shape)])
        let result = try XCTUnwrap(outputs["y"])
        return (result.shape, try XCTUnwrap(result.doubles).map { Float($0) })
    }

    func assertRun(
        _ type: String, _ parameters: [(String, ProtoValue)], _ values: [Float], _ shape: [Int], _ expectedShape: [Int],
        _ expected: [Float], line: UInt = #line
    ) throws {
        let inputs = [("x", Self.name("x"))] + parameters.map { ($0.0, Self.stated($0.1)) }
        let result = try run([Self.operation(type, inputs, ["y"])], values, shape)
        XCTAssertEqual(result.shape, expectedShape, line: line)
        XCTAssertEqual(result.values.count, expected.count, line: line)
        for (a, b) in zip(result.values, expected) { XCTAssertEqual(a, b, accuracy: 1e-5, line: line) }
    }
}
