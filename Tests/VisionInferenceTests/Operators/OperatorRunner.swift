import XCTest

@testable import VisionInference

/// Runs one operator as a session does: as prepared steps on inputs that are not known before, and folded.
enum OperatorRunner {
    /// The outputs of the operator; the inputs in `constants` are known beforehand, others are the network's.
    static func run(
        _ operation: any Operator, _ inputs: [Tensor?], outputs: Int = 1, constants: Set<Int> = [1, 2, 3, 4, 5],
        threads: Int = 2
    ) throws -> [Tensor] {
        let whole = try session(operation, inputs, outputs: outputs, constants: constants, threads: threads)
        let folded = try session(
            operation, inputs, outputs: outputs, constants: Set(inputs.indices), threads: threads)
        for (a, b) in zip(whole, folded) {
            XCTAssertEqual(a.shape, b.shape, "folded")
            XCTAssertEqual(a.type, b.type, "folded")
        }
        return whole
    }

    private static func session(
        _ operation: any Operator, _ inputs: [Tensor?], outputs: Int, constants: Set<Int>, threads: Int
    ) throws -> [Tensor] {
        var graph = Graph()
        var values: [Graph.ValueID?] = []
        var given: [String: Tensor] = [:]
        for (index, input) in inputs.enumerated() {
            guard let input else {
                values.append(nil)
                continue
            }
            if constants.contains(index) {
                values.append(graph.addValue("c\(index)", constant: input))
            } else {
                values.append(graph.addInput("x\(index)", input.type, input.shape))
                given["x\(index)"] = input
            }
        }
        let results = (0..<outputs).map { graph.addValue("y\($0)") }
        graph.nodes.append(Graph.Node(name: "node", operation: operation, inputs: values, outputs: results))
        for (index, value) in results.enumerated() {
            graph.addOutput(value, name: "y\(index)", inputs.compactMap { $0 }.first?.type ?? .float32)
        }
        let session = try Session(graph: graph, options: Session.Options(threads: threads))
        let answers = try session.run(given)
        return try (0..<outputs).map { try XCTUnwrap(answers["y\($0)"]) }
    }

    /// The first output's elements.
    static func values<Scalar: TensorScalar>(
        _ operation: any Operator, _ inputs: [Tensor?], as type: Scalar.Type = Scalar.self, shape: Shape? = nil,
        constants: Set<Int> = [1, 2, 3, 4, 5], file: StaticString = #filePath, line: UInt = #line
    ) throws -> [Scalar] {
        let output = try run(operation, inputs, constants: constants)[0]
        if let shape { XCTAssertEqual(output.shape, shape, file: file, line: line) }
        return try XCTUnwrap(output.values(as: Scalar.self), "\(output.type)", file: file, line: line)
    }

    /// That the operator is refused when its inputs are known, without a trap.
    static func assertInvalid(
        _ operation: any Operator, _ inputs: [Tensor?], constants: Set<Int> = [1, 2, 3, 4, 5],
        file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertThrowsError(try run(operation, inputs, constants: constants), file: file, line: line) { error in
            XCTAssert(error is ModelError, "\(error)", file: file, line: line)
        }
    }
}

extension Tensor {
    static func floats(_ values: [Float], _ shape: Shape? = nil) throws -> Tensor {
        try Tensor(values, shape: shape ?? [values.count])
    }

    static func ints(_ values: [Int64], _ shape: Shape? = nil) throws -> Tensor {
        try Tensor(values, shape: shape ?? [values.count])
    }

    static func bools(_ values: [Bool], _ shape: Shape? = nil) throws -> Tensor {
        let bytes = try Tensor(values.map { UInt8($0 ? 1 : 0) }, shape: shape ?? [values.count])
        return try Tensor(.bool, shape: bytes.shape, storage: bytes.storage)
    }

    /// 0, 1, 2, …
    static func counting(_ shape: Shape) throws -> Tensor {
        try Tensor((0..<shape.elementCount).map { Float($0) }, shape: shape)
    }
}

func assertClose(
    _ a: [Float], _ b: [Float], _ tolerance: Float = 1e-6, file: StaticString = #filePath, line: UInt = #line
) {
    XCTAssertEqual(a.count, b.count, file: file, line: line)
    for (index, (x, y)) in zip(a, b).enumerated() where !(x == y || (x.isNaN && y.isNaN)) {
        XCTAssertEqual(x, y, accuracy: tolerance, "element \(index)", file: file, line: line)
    }
}
