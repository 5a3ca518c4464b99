import Foundation
import ModelFixtures
import ModelTestSupport
import XCTest

@testable import VisionInference

/// What errors know of where they happened.
final class ModelErrorTests: XCTestCase {
    func testWhatIsKnownFirstStays() {
        let inner = ModelError.invalid("wrong").within(.init(operation: "Add", node: "sum"))
        let outer = inner.within(.init(file: "a.onnx", operation: "If", node: "branch"))
        XCTAssertEqual(outer.context, .init(file: "a.onnx", operation: "Add", node: "sum"))
        XCTAssertEqual(outer.reason, "wrong")
        XCTAssertEqual("\(outer)", "a.onnx: The model is not valid: wrong (operator Add, node “sum”)")
    }

    func testErrorsOfFilesNameTheFile() throws {
        let folder = try TemporaryFolder()
        var builder = ONNXBuilder(opset: 17)
        builder.input("x", [2])
        builder.output(builder.node("Frobnicate", ["x"], name: "the node", output: "y"))
        let url = try folder.write(builder.data(), "network.onnx")
        XCTAssertThrowsError(try NetworkFile.graph(contentsOf: url)) { error in
            XCTAssertEqual(
                (error as? ModelError)?.context,
                .init(file: url.path, operation: "Frobnicate", node: "the node"), "\(error)")
        }
    }

    func testErrorsWhileAGraphIsPreparedNameTheNode() throws {
        var graph = Graph()
        let x = graph.addInput("x", .float32, [2, 3])
        let y = graph.addInput("y", .float32, [4])
        graph.addOutput(graph.add(BinaryOperation(kind: .add), [x, y], name: "sum"), name: "z", .float32)
        XCTAssertThrowsError(try Session(graph: graph)) { error in
            XCTAssertEqual((error as? ModelError)?.kind, .invalid, "\(error)")
            XCTAssertEqual((error as? ModelError)?.context, .init(operation: "Add", node: "sum"))
        }
    }

    func testErrorsDuringARunNameTheNode() throws {
        var graph = Graph()
        let data = graph.addInput("data", .float32, [3])
        let index = graph.addInput("index", .int64, [1])
        graph.addOutput(graph.add(Gather(), [data, index], name: "pick"), name: "y", .float32)
        let session = try Session(graph: graph)
        XCTAssertThrowsError(try session.run(["data": Tensor([1, 2, 3] as [Float]), "index": Tensor([7] as [Int64])])) {
            XCTAssertEqual(($0 as? ModelError)?.context, .init(operation: "Gather", node: "pick"), "\($0)")
        }
    }

    func testErrorsInANodeOfAFileNameTheNode() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [2])
        builder.output(builder.add(custom: "Mine", [input], to: "y", [2], options: []))
        XCTAssertThrowsError(try TFLiteImporter.graph(ModelBytes(builder.file()))) { error in
            XCTAssertEqual((error as? ModelError)?.context, .init(operation: "Mine", node: "0 (y)"))
        }
    }

    // MARK: Files are what their content says

    func testContentDecidesWhatAFileIs() throws {
        let folder = try TemporaryFolder()
        var onnx = ONNXBuilder(opset: 17)
        let x = onnx.input("x", [2])
        onnx.output(onnx.node("Relu", [x], output: "y"))
        var lite = TFLiteBuilder()
        let input = lite.input("x", [2])
        lite.output(input)
        for (data, kind) in [(onnx.data(), ModelFileKind.onnx), (Data(lite.file()), .tflite)] {
            for name in ["a.onnx", "a.tflite", "a.mlmodel", "a"] {
                let file = try NetworkFile(contentsOf: try folder.write(data, name))
                XCTAssertEqual(file.kind, kind, name)
                XCTAssertEqual(try file.graph().inputs.map(\.name), ["x"], name)
            }
        }
    }

    func testDamagedFilesAreWhatTheirNamesSay() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [("a.tflite", "identifier"), ("a.onnx", "onnx")] {
            let url = try folder.write(Data("nothing of the kind".utf8), name)
            XCTAssertThrowsError(try NetworkFile.graph(contentsOf: url)) { error in
                XCTAssertEqual((error as? ModelError)?.context.file, url.path)
                XCTAssertTrue("\(error)".lowercased().contains(text), "\(error)")
            }
        }
    }

    func testFilesOfCoreMLAreTold() throws {
        // A specification of version 4 with an empty neural network in field 500.
        let file = NetworkFile(ModelBytes(Data([0x08, 4, 0xA2, 0x1F, 0])))
        XCTAssertEqual(file.kind, .coreML(.other))
        XCTAssertTrue(try file.graph().nodes.isEmpty)
    }
}
