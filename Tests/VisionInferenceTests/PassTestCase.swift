import XCTest

@testable import VisionInference

/// Tests of what the passes make of a graph.
class PassTestCase: XCTestCase {
    func random(_ shape: Shape) throws -> Tensor {
        try Tensor((0..<shape.elementCount).map { _ in Float.random(in: -1...1) }, shape: shape)
    }

    /// The operators that run after the passes, in order.
    func optimised(_ graph: Graph) throws -> [String] {
        let shapes = graph.inputs.map { TensorDescription($0.type, ($0.shape ?? []).compactMap { $0 }) }
        var shaped = try ShapedGraph(graph, inputs: shapes)
        try Optimiser.run(&shaped)
        return shaped.graph.nodes.map(\.operation).filter { !$0.isView }.map { String(describing: type(of: $0)) }
    }

    func assertSameResults(
        _ graph: Graph, accuracy: Float = 1e-4, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        var inputs: [String: Tensor] = [:]
        for port in graph.inputs { inputs[port.name] = try random((port.shape ?? []).compactMap { $0 }) }
        let plain = try Session(graph: graph, options: .init(threads: 1, optimises: false)).run(inputs)
        let fast = try Session(graph: graph, options: .init(threads: 2)).run(inputs)
        for (name, wanted) in plain {
            let got = try XCTUnwrap(fast[name], file: file, line: line)
            XCTAssertEqual(got.shape, wanted.shape, file: file, line: line)
            for (a, b) in zip(got.floats ?? [], wanted.floats ?? []) {
                XCTAssertEqual(a, b, accuracy: accuracy, file: file, line: line)
            }
        }
    }
}
