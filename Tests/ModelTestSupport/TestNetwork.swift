import NetworkMetadata
package import CoreML
package import VisionInference

/// An operator that computes what a test wants: floats in, floats out.
package struct FunctionOperator: PlainOperator {
    package let name = "Function"
    let outputs: @Sendable ([[Int]]) -> [[Int]]
    let body: @Sendable ([[Float]]) -> [[Float]]

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        .known(outputs(inputs.compactMap { $0?.shape }).map { TensorDescription(.float32, $0) })
    }

    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let values = inputs.compactMap { view -> [Float]? in
            guard let view else { return nil }
            switch view.type {
            case .float32: return Array(view.elements(Float.self))
            case .uint8: return view.elements(UInt8.self).map { Float($0) }
            case .int64: return view.elements(Int64.self).map { Float($0) }
            default: return nil
            }
        }
        for (numbers, view) in zip(body(values), outputs) {
            let target = view.elements(Float.self)
            for (index, number) in numbers.enumerated() { target[index] = number }
        }
    }
}

/// A network of one operator.
package func makeSession(
    inputs: [(String, ElementType, [Int?]?)], outputs: [(String, [Int?]?)], properties: [String: String] = [:],
    shapes: @escaping @Sendable ([[Int]]) -> [[Int]], body: @escaping @Sendable ([[Float]]) -> [[Float]]
) throws -> Session {
    var graph = Graph()
    graph.metadata = properties
    let values = inputs.map { graph.addInput($0.0, $0.1, $0.2) }
    // A node is made with one output; it gets all of them afterwards.
    _ = graph.add(FunctionOperator(outputs: shapes, body: body), values, name: "function")
    let results = outputs.map { graph.addValue($0.0) }
    graph.nodes[0].outputs = results
    for (output, value) in zip(outputs, results) { graph.addOutput(value, name: output.0, .float32, output.1) }
    return try Session(graph: graph, options: Session.Options(threads: 1))
}

package func makeModel(_ session: Session, _ json: String = "{}") throws -> MLModel {
    try MLModel(
        session: session, metadata: ModelMetadata(json: Data(json.utf8)), configuration: MLModelConfiguration())
}

/// A network that gives back its only input, flattened by nothing.
package func echo(_ name: String, _ type: ElementType, _ shape: [Int?], to output: String = "echo") throws -> Session {
    try makeSession(inputs: [(name, type, shape)], outputs: [(output, nil)], shapes: { $0 }, body: { $0 })
}
