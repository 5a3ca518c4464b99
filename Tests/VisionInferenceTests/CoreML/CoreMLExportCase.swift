import Foundation
import ModelTestSupport
import XCTest

@testable import VisionInference

/// A test that writes networks as Core ML packages, reads them again, and runs them beside what they were made of.
class CoreMLExportCase: XCTestCase {
    let folder = try? TemporaryFolder()
    var random = SplitMix(state: 7)

    struct SplitMix {
        var state: UInt64

        /// A number between −1 and 1.
        mutating func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 23) - 1
        }
    }

    final func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in random.next() } }

    final func tensor(_ shape: Shape) throws -> Tensor { try Tensor(numbers(shape.elementCount), shape: shape) }

    /// Writes a network, and reads it again.
    final func exported(
        _ graph: Graph, _ shapes: [Shape], _ export: CoreMLExport = CoreMLExport()
    ) throws -> (model: CoreMLModel, names: [String: String]) {
        let package = try XCTUnwrap(folder).url.appendingPathComponent("net.mlpackage")
        let names = try export.write(graph, shapes: shapes, to: package)
        let file = try NetworkFile(contentsOf: CoreMLPackage.specification(in: package))
        guard case .coreML(let model) = try file.contents() else {
            throw ModelError.invalid("the package is no Core ML file")
        }
        return (model, names)
    }

    /// The types of the operations that are no constants, in their order.
    final func operations(_ model: CoreMLModel) throws -> [String] {
        let function = try XCTUnwrap(try model.content.map(2).first).value
        XCTAssertEqual(try function.string(2), "CoreML6")
        let block = try XCTUnwrap(try function.map(3).first).value
        return try block.messages(3).map { try $0.string(1) }.filter { $0 != "const" }
    }

    /// Checks that a network and what is read of its package give the same.
    final func assertRoundTrip(
        _ builder: ONNXBuilder, _ inputs: [String: Tensor], _ wanted: [String]? = nil, accuracy: Float = 0,
        export: CoreMLExport = CoreMLExport(), line: UInt = #line
    ) throws {
        let graph = try ONNXImporter.graph(builder.data())
        let shapes = try graph.inputs.map { try XCTUnwrap(inputs[$0.name]).shape }
        let (model, names) = try exported(graph, shapes, export)
        if let wanted { XCTAssertEqual(try operations(model), wanted, line: line) }
        let expected = try Session(graph: graph).run(inputs)
        var renamed: [String: Tensor] = [:]
        for (name, tensor) in inputs {
            renamed[names[name] ?? name] =
                tensor.type == .int64
                ? try Tensor((tensor.integers ?? []).map { Int32($0) }, shape: tensor.shape) : tensor
        }
        let found = try Session(graph: model.network().graph).run(renamed)
        XCTAssertEqual(found.count, expected.count, line: line)
        for (name, tensor) in expected {
            let other = try XCTUnwrap(found[names[name] ?? name], "no \(name)", line: line)
            XCTAssertEqual(other.shape, tensor.shape.isEmpty ? [1] : tensor.shape, name, line: line)
            let (a, b) = (other.doubles ?? [], tensor.doubles ?? [])
            let range = Double(accuracy) * max((b.max() ?? 0) - (b.min() ?? 0), 1)
            for (one, two) in zip(a, b) where !(abs(one - two) <= range || one == two || one.isNaN && two.isNaN) {
                XCTFail("\(name): \(one), not \(two)", line: line)
                break
            }
        }
    }

    /// A network of one node with one output.
    final func node(
        _ type: String, _ shape: [ONNXDimension], _ others: [String] = [],
        _ attributes: KeyValuePairs<String, ONNXAttribute.Value> = [:], _ constants: [(String, Tensor)] = []
    ) throws -> ONNXBuilder {
        var builder = ONNXBuilder(opset: 17)
        builder.input("x", shape)
        for (name, tensor) in constants {
            switch tensor.type {
            case .int64: try builder.initialiser(name, tensor.shape, tensor.values(as: Int64.self) ?? [])
            default: try builder.initialiser(name, tensor.shape, tensor.floats ?? [])
            }
        }
        builder.output(builder.node(type, ["x"] + others, attributes, output: "y"))
        return builder
    }

    final func ints(_ values: [Int64]) throws -> Tensor { try Tensor(values) }
}
