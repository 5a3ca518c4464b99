import Foundation
import VisionInference
import VisionModels

/// Loads and runs a damaged model, which must give a result or an error of the engine.
enum FuzzedModel {
    /// Models with larger arenas are planned, but not run.
    private static let operationLimit = 20_000_000
    private static let byteLimit = 8 << 20

    /// Returns the error, if there was one.
    @discardableResult
    static func check(_ data: Data) -> ModelError? {
        do {
            try use(data)
            return nil
        } catch let error as ModelError {
            return error
        } catch {
            fatalError("an error of another kind: \(error)")
        }
    }

    private static func use(_ data: Data) throws {
        let bytes = ModelBytes(data)
        if ModelFileKind(bytes).isCoreML { return try use(CoreMLModel(bytes).network().graph) }
        if TFLiteImporter.recognises(bytes) { return try use(TFLiteImporter.graph(bytes)) }
        let model = try ONNXModel(data)
        // What Create ML writes: the layers after the features, and perhaps the network before them.
        if let classifier = try ClassifierFile(model) {
            try use(ONNXImporter.graph(classifier.head))
            if case .network(let network) = classifier.extractor {
                try use(NetworkFile.graph(network.bytes.withBytes { Data($0) }))
            }
            return
        }
        try use(ONNXImporter.graph(model))
    }

    private static func use(_ graph: Graph) throws {
        let session = try Session(graph: graph, options: .init(threads: 1, dynamicLimit: 8 * byteLimit))
        // Unknown sizes become small ones.
        let shapes = graph.inputs.map { port in (port.shape ?? [1, 3, 8, 8]).map { $0 ?? 2 } }
        _ = try session.outputDescriptions(for: shapes)

        let inputs = zip(graph.inputs, shapes).map { TensorDescription($0.type, $1) }
        let shaped = try ShapedGraph(graph, inputs: inputs)
        var operations = 0
        var size = inputs.reduce(0) { $0 + $1.shape.elementCount * $1.type.size }
        for node in shaped.graph.nodes {
            let outputs = node.outputs.compactMap { shaped[$0] }
            guard outputs.count == node.outputs.count else { continue }
            let count = node.operation.operations(shaped.descriptions(node.inputs), outputs)
            operations = operations.addingReportingOverflow(max(count, 0)).overflow ? .max : operations + max(count, 0)
            size += outputs.reduce(0) { $0 + $1.shape.elementCount * $1.type.size }
            guard operations <= operationLimit, size <= byteLimit else { return }
        }
        var given: [String: Tensor] = [:]
        for (port, shape) in zip(graph.inputs, shapes) { given[port.name] = try input(port.type, shape) }
        _ = try session.run(given)
    }

    /// Small numbers of both signs, and whole ones.
    private static func input(_ type: ElementType, _ shape: [Int]) throws -> Tensor {
        let tensor = try Tensor(zeros: shape, of: type)
        let count = tensor.elementCount
        switch type {
        case .float32:
            let floats = tensor.storage.base.assumingMemoryBound(to: Float.self)
            for index in 0..<count { floats[index] = Float(index % 17 - 8) / 4 }
        case .bool: break
        default:
            let bytes = tensor.storage.base.assumingMemoryBound(to: UInt8.self)
            for index in stride(from: 0, to: count * type.size, by: type.size) {
                bytes[index] = UInt8(index / type.size % 5)
            }
        }
        return tensor
    }
}
