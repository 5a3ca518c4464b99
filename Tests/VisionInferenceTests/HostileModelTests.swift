import Foundation
import XCTest

@testable import VisionInference

/// Small files that ask for very much.
final class HostileModelTests: XCTestCase {
    func testSizesBesideAZeroAreBoundedToo() {
        // Products of the first two sizes are taken before anybody sees the third.
        XCTAssertThrowsError(try [1 << 40, 1 << 40, 0].checkedElementCount(.float32))
        XCTAssertEqual(try [5, 0, 7].checkedElementCount(.float32), 0)
    }

    func testFunctionsThatCallFunctionsTwiceAreRefused() throws {
        // Twenty-eight functions, each of which calls the next one twice: 2 to the 28 nodes.
        var builder = ONNXBuilder(opset: 17)
        builder.model.opsets["mine"] = 1
        let last = 28
        for level in 0...last {
            var function = ONNXFunction()
            function.domain = "mine"
            function.name = "f\(level)"
            function.inputs = ["a"]
            function.outputs = ["c"]
            function.opsets = ["": 17, "mine": 1]
            var value = "a"
            for (index, output) in ["b", "c"].enumerated() {
                var node = ONNXNode()
                node.name = "n\(index)"
                node.operatorType = level == last ? "Relu" : "f\(level + 1)"
                node.domain = level == last ? "" : "mine"
                node.inputs = [value]
                node.outputs = [output]
                function.nodes.append(node)
                value = output
            }
            builder.model.functions.append(function)
        }
        let input = builder.input("x", [2])
        builder.output(builder.node("f0", [input], domain: "mine"))
        XCTAssertThrowsError(try ONNXImporter.graph(builder.data())) {
            guard case ModelError.tooLarge? = $0 as? ModelError else { return XCTFail("\($0)") }
        }
    }

    func testRangesAndScansOfImpossibleLengthsAreErrors() throws {
        var builder = ONNXBuilder(opset: 17)
        let bounds = try [0, -1e300, 1].map { try builder.initialiser("b\($0)", .double, [], elements: [$0 as Double]) }
        builder.output(builder.node("Range", bounds), nil, .double)
        let empty = try Session(graph: ONNXImporter.graph(builder.data())).run([:])
        XCTAssertEqual(empty.values.first?.shape, [0])

        builder = ONNXBuilder(opset: 17)
        let input = builder.input("x", [2])
        var body = ONNXBuilder(opset: 17)
        body.output(body.node("Relu", [body.input("y", [2])]))
        builder.output(
            builder.node("Scan", [input], ["body": .graph(body.model.graph), "num_scan_inputs": .int(.min)]))
        XCTAssertThrowsError(try Session(graph: ONNXImporter.graph(builder.data()))) { XCTAssertTrue($0 is ModelError) }
    }

    func testMirrorsOfHugePadsAreRefused() throws {
        // Found by fuzzing: the table of an axis of half a billion elements is eight times as large as they are.
        let input = TensorDescription(.float32, [4])
        let pads = TensorDescription(try Tensor([0, 1 << 28] as [Int64]))
        XCTAssertThrowsError(try Pad(mode: .reflect).infer([input, pads]))
        XCTAssertNoThrow(try Pad(mode: .constant).infer([input, pads]))
        let sizes = TensorDescription(try Tensor([1 << 28] as [Int64]))
        XCTAssertThrowsError(try Resize(mode: .linear).infer([input, nil, nil, sizes]))
    }
}
