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
            guard ($0 as? ModelError)?.kind == .tooLarge else { return XCTFail("\($0)") }
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

    func testValuesWhoseShapesDependOnDataAreBoundedTogether() throws {
        var builder = ONNXBuilder(opset: 17)
        let last = builder.input("last", [])
        let zero = try builder.initialiser("zero", [], [Float(0)])
        let one = try builder.initialiser("one", [], [Float(1)])
        let first = builder.node("Range", [zero, last, one])
        builder.output(builder.node("Neg", [first]), nil)
        let graph = try ONNXImporter.graph(builder.data())
        let session = try Session(graph: graph, options: .init(dynamicLimit: 64 << 10))
        func run(_ count: Float) throws -> Tensor? {
            try session.run(["last": Tensor([count], shape: [])]).values.first
        }
        let kept = try XCTUnwrap(run(3))
        XCTAssertEqual(kept.values(as: Float.self), [0, -1, -2])
        XCTAssertEqual(try run(8000)?.elementCount, 8000)
        XCTAssertThrowsError(try run(9000)) {
            XCTAssertEqual(($0 as? ModelError)?.kind, .tooLarge, "\($0)")
        }
        // Runs after it are as before, and leave what earlier ones gave alone.
        XCTAssertEqual(try run(8000)?.elementCount, 8000)
        XCTAssertEqual(kept.values(as: Float.self), [0, -1, -2])
    }

    func testResultsThatLieInTheMemoryOfARunAreCopied() throws {
        var builder = ONNXBuilder(opset: 17)
        let (image, shape) = (builder.input("x", [4]), builder.input("shape", [2], .int64))
        builder.output(builder.node("Reshape", [builder.node("Neg", [image]), shape]), nil)
        let session = try Session(graph: ONNXImporter.graph(builder.data()))
        func run(_ values: [Float]) throws -> Tensor? {
            let shape = try Tensor([2, 2] as [Int64], shape: [2])
            return try session.run(["x": Tensor(values, shape: [4]), "shape": shape]).values.first
        }
        let kept = try XCTUnwrap(run([1, 2, 3, 4]))
        _ = try run([5, 6, 7, 8])
        XCTAssertEqual(kept.values(as: Float.self), [-1, -2, -3, -4])
        XCTAssertEqual(kept.shape, [2, 2])
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

    func testWindowsOfImpossibleSizesAreRefused() throws {
        func assertTooLarge(_ operation: any Operator, _ shape: Shape, line: UInt = #line) {
            XCTAssertThrowsError(try operation.infer([TensorDescription(.float32, shape)]), line: line) {
                guard ($0 as? ModelError)?.kind == .tooLarge else { return XCTFail("\($0)", line: line) }
            }
        }
        // Padding makes room for a window of 2 to the 40 elements, of which costs are products.
        let side = 1 << 20
        let padding = WindowGeometry.Padding.explicit(top: side, left: side, bottom: 0, right: 0)
        assertTooLarge(
            Pool(kind: .maximum, geometry: WindowGeometry(kernelHeight: side, kernelWidth: side, padding: padding)),
            [1, 4, 4, 1 << 24])
        // A small window that reaches over 2 to the 30 rows wants a pointer to each.
        assertTooLarge(
            Pool(
                kind: .maximum,
                geometry: WindowGeometry(kernelHeight: 1 << 10, kernelWidth: 1, dilationY: side, padding: .sameUpper)),
            [1, 4, 4, 1])
        let window = SpatialWindow(
            kernel: [1 << 10, 1 << 10, 1 << 10], strides: [1, 1, 1], dilations: [1, 1, 1],
            before: [1 << 10, 1 << 10, 1 << 10], after: [0, 0, 0], output: [2, 2, 2])
        assertTooLarge(WindowPool(kind: .norm(2), window: window), [1, 1, 1, 1, 1])
        XCTAssertNoThrow(
            try Pool(kind: .maximum, geometry: WindowGeometry(kernelHeight: 1 << 12, kernelWidth: 1 << 12))
                .infer([TensorDescription(.float32, [1, 1 << 12, 1 << 12, 1])]))
    }

    func testAFileWithAHugePoolingWindowIsRefusedOnLoad() throws {
        var builder = ONNXBuilder(opset: 17)
        let input = builder.input("x", [1, 64, 4, 4])
        let side = 1 << 20
        builder.output(
            builder.node(
                "AveragePool", [input],
                ["kernel_shape": .ints([side, side]), "pads": .ints([side, side, side, side])]))
        XCTAssertThrowsError(try Session(graph: ONNXImporter.graph(builder.data()))) {
            guard ($0 as? ModelError)?.kind == .tooLarge else { return XCTFail("\($0)") }
        }
    }

    func testNodesWithoutOutputsDoNothing() throws {
        var builder = ONNXBuilder(opset: 17)
        builder.input("x", [4])
        for operatorType in ["Split", "LayerNormalization", "MaxPool", "Unique"] {
            let attributes: KeyValuePairs<String, ONNXAttribute.Value> = ["kernel_shape": .ints([1] as [Int])]
            builder.node(operatorType, ["x"], outputs: [], operatorType == "MaxPool" ? attributes : [:])
        }
        builder.output(builder.node("Relu", ["x"], output: "y"))
        for index in 0..<4 {
            var model = builder.model
            model.graph.nodes = [model.graph.nodes[index], model.graph.nodes[4]]
            do {
                let session = try Session(graph: ONNXImporter.graph(model))
                let outputs = try session.run(["x": Tensor([-1, 2, -3, 4] as [Float])])
                XCTAssertEqual(outputs["y"]?.floats, [0, 2, 0, 4])
            } catch {
                XCTAssertTrue(error is ModelError, "\(error)")
            }
        }
    }

    func testCostsThatDoNotFitAreTheLargestNumber() {
        XCTAssertEqual(Int.saturatingProduct([1 << 40, 1 << 40]), .max)
        XCTAssertEqual(Int.saturatingProduct([1 << 40, 1 << 40, 0]), 0)
        XCTAssertEqual(Int.saturatingProduct([3, 5, 7]), 105)
    }

    func testTransformsOfLargePrimeLengthsAreRefused() throws {
        let signal = TensorDescription(.float32, [1, 1, 1])
        func length(_ value: Int64) throws -> TensorDescription { TensorDescription(try Tensor([value], shape: [])) }
        let transform = DFT(axis: 1)
        XCTAssertThrowsError(try transform.infer([signal, length(16_777_213)])) { XCTAssertTrue($0 is ModelError) }
        XCTAssertNoThrow(try transform.infer([signal, length(1 << 24)]))
    }

    func testRegionsOfTooManySamplesAreRefused() throws {
        let align = RoiAlign(height: 1, width: 1, samples: 0, scale: 1, halfPixel: true, takesMaximum: false)
        let picture = try Tensor([Float](repeating: 1, count: 16), shape: [1, 1, 4, 4])
        let region = try Tensor([0, 0, 9e5, 9e5] as [Float], shape: [1, 4])
        let number = try Tensor([0] as [Int64])
        let result = try Tensor(zeros: [1, 1, 1, 1], of: .float32)
        XCTAssertThrowsError(try align.run([picture.view, region.view, number.view], [result.view])) {
            XCTAssertTrue($0 is ModelError)
        }
    }

    func testTransposedConvolutionsOfTooManyPartsAreRefused() throws {
        let groups = 1 << 16
        let weights = TensorDescription(try Tensor(zeros: [groups, 1, 1, 1], of: .float32))
        let operation = TransposedConvolution(
            kernelHeight: 1, kernelWidth: 1, strideY: 64, strideX: 64, cropTop: 0, cropLeft: 0, outputHeight: 64,
            outputWidth: 64, groups: groups, order: .iohw)
        let inputs = [TensorDescription(.float32, [1, 1, 1, groups]), weights]
        guard case .known(let outputs) = try operation.infer(inputs) else { return XCTFail("no shape") }
        XCTAssertThrowsError(try operation.prepare(inputs, outputs, Preparation(weights: WeightCache()))) {
            XCTAssertTrue($0 is ModelError)
        }
    }
}
