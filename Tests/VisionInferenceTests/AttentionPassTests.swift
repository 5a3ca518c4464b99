import XCTest

@testable import VisionInference

/// What the passes make of the layers of transformers.
final class AttentionPassTests: PassTestCase {
    /// PyTorch's attention changes the shape of its product twice before it is added to its input.
    func testAProductWhoseShapeChangesTwiceTakesWhatIsAddedToIt() throws {
        var graph = Graph()
        let x = graph.addInput("x", .float32, [1, 6, 24])
        let flat = graph.addValue("flat", constant: try Tensor([6, 24] as [Int64]))
        let rows = graph.add(Reshape(), [x, flat], name: "rows")
        let weights = graph.addValue("w", constant: try random([24, 24]))
        let product = graph.add(MatMul(), [rows, weights], name: "product")
        let first = graph.addValue("first", constant: try Tensor([6, 1, 24] as [Int64]))
        let second = graph.addValue("second", constant: try Tensor([1, 6, 24] as [Int64]))
        let changed = graph.add(Reshape(), [product, first], name: "changed")
        let back = graph.add(Reshape(), [changed, second], name: "back")
        graph.addOutput(graph.add(BinaryOperation(kind: .add), [x, back], name: "sum"), name: "y", .float32)
        XCTAssertEqual(try optimised(graph), ["Convolution"])
        try assertSameResults(graph)
    }

    /// Queries, keys and values in one product: each is taken from it as it is, instead of turning all of it first.
    func testSlicesOfATransposeAreTakenBeforeIt() throws {
        var graph = Graph()
        let x = graph.addInput("x", .float32, [6, 1, 3, 24])
        let turned = graph.add(Transpose(permutation: [2, 0, 1, 3]), [x], name: "turned")
        let parts = try (0..<3).map { number in
            let index = graph.addValue("index\(number)", constant: try Tensor(scalar: Int64(number)))
            return graph.add(Gather(axis: 0), [turned, index], name: "part\(number)")
        }
        let sum = graph.add(BinaryOperation(kind: .mul), [parts[0], parts[1]], name: "mul")
        graph.addOutput(graph.add(BinaryOperation(kind: .sub), [sum, parts[2]], name: "sub"), name: "y", .float32)
        let names = try optimised(graph)
        XCTAssertFalse(names.contains("Transpose"), "\(names)")
        try assertSameResults(graph)
    }
}
