import VisionInference
import XCTest

@testable import VisionModels

/// Networks that are made of parts of others.
final class NetworkCompositionTests: XCTestCase {
    /// x → a = x + 1 → b = 2 a → c = b - 3.
    private func chain() throws -> ONNXModel {
        var builder = ONNXBuilder(opset: 13, name: "chain")
        builder.input("x", [1, 2])
        let one = try builder.initialiser("k", [1], [Float(1)])
        let two = try builder.initialiser("two", [1], [Float(2)])
        let three = try builder.initialiser("three", [1], [Float(3)])
        builder.node("Add", ["x", one], output: "a")
        builder.node("Mul", ["a", two], output: "b")
        builder.node("Sub", ["b", three], output: "c")
        builder.output("c", [1, 2])
        return builder.model
    }

    /// y, z → a = y z + 10; its constant has the name of one of the chain's.
    private func product() throws -> ONNXModel {
        var builder = ONNXBuilder(opset: 13, name: "product")
        builder.input("y", [1, 2])
        builder.input("z", [1, 2])
        let ten = try builder.initialiser("k", [1], [Float(10)])
        let product = builder.node("Mul", ["y", "z"], output: "b")
        builder.node("Add", [product, ten], output: "result")
        builder.output("result", [1, 2])
        return builder.model
    }

    private func run(_ model: ONNXModel, _ inputs: [String: [Float]]) throws -> [String: [Float]] {
        let session = try Session(graph: ONNXImporter.graph(model), options: .init(threads: 1))
        return try session.run(inputs.mapValues { try Tensor($0, shape: [1, 2]) }).mapValues { tensor in
            tensor.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
    }

    func testAPartHasOnlyWhatItNeeds() throws {
        let part = try chain().cut(at: ["b"])
        XCTAssertEqual(part.graph.nodes.map(\.operatorType), ["Add", "Mul"])
        XCTAssertEqual(part.graph.initialisers.map(\.name), ["k", "two"])
        XCTAssertEqual(try run(part, ["x": [1, 2]]), ["b": [4, 6]])
        XCTAssertEqual(try run(chain().cut(at: ["a", "b"]), ["x": [1, 2]]), ["a": [2, 3], "b": [4, 6]])
        XCTAssertThrowsError(try chain().cut(at: ["x"]))
        XCTAssertThrowsError(try chain().cut(at: ["nothing"]))
    }

    func testNetworksThatFollowEachOther() throws {
        let whole = try chain().cut(at: ["a", "b"]).followed(by: product(), joining: ["y": "b"], name: "whole")
        XCTAssertEqual(whole.graph.name, "whole")
        XCTAssertEqual(whole.graph.inputs.map(\.name), ["x", "z"])
        // (2 (x + 1)) z + 10
        XCTAssertEqual(try run(whole, ["x": [1, 2], "z": [3, 5]]), ["result": [22, 40]])
        let both = try chain().followed(by: product(), joining: ["y": "a", "z": "c"])
        XCTAssertEqual(try run(both, ["x": [1, 2]]), ["result": [12, 19]])
    }

    func testWhatDoesNotFitIsRefused() throws {
        XCTAssertThrowsError(try chain().followed(by: product()), "no value y")
        XCTAssertThrowsError(try chain().followed(by: product(), joining: ["y": "nothing"]))
        XCTAssertThrowsError(try chain().followed(by: product(), joining: ["nothing": "a"]))
        var other = try product()
        other.opsets = ["": 17]
        XCTAssertThrowsError(try chain().followed(by: other, joining: ["y": "a", "z": "c"]))
    }

    func testEveryBuiltInNetworkIsOneThatRuns() throws {
        for network in BuiltInNetwork.all {
            let session = try network.session()
            XCTAssertFalse(session.outputs.isEmpty, network.id)
            XCTAssertFalse(network.summary.isEmpty)
            XCTAssertFalse(try network.model().documentation.isEmpty, network.id)
            XCTAssertEqual(BuiltInNetwork.named(network.id), network)
        }
        XCTAssertNil(BuiltInNetwork.named("nothing"))
    }
}
