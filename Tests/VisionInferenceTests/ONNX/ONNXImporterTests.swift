import Foundation
import XCTest

@testable import VisionInference

final class ONNXImporterTests: XCTestCase {
    /// Runs a model with its passes and without, checks that both give the same, and returns the floats of its outputs.
    private func run(
        _ builder: ONNXBuilder, _ inputs: [String: Tensor], file: StaticString = #filePath, line: UInt = #line
    ) throws -> [String: Tensor] {
        let graph = try ONNXImporter.graph(builder.data())
        let fast = try Session(graph: graph, options: Session.Options(threads: 2)).run(inputs)
        let plain = try Session(graph: graph, options: Session.Options(threads: 1, optimises: false)).run(inputs)
        XCTAssertEqual(Set(fast.keys), Set(plain.keys), file: file, line: line)
        for (name, tensor) in fast {
            XCTAssertEqual(tensor.shape, plain[name]?.shape, file: file, line: line)
            for (a, b) in zip(tensor.floats ?? [], plain[name]?.floats ?? []) {
                XCTAssertEqual(a, b, accuracy: 1e-5 * max(1, abs(b)), file: file, line: line)
            }
        }
        return fast
    }

    private func tensor(_ shape: Shape, _ values: [Float]) throws -> Tensor { try Tensor(values, shape: shape) }

    // MARK: Windows

    /// 1, 2, … 9 under a kernel of ones; SAME_LOWER puts the odd column before.
    func testAutomaticPaddingOfAConvolution() throws {
        for (mode, wanted) in [
            ("SAME_UPPER", [12, 16, 9, 24, 28, 15, 15, 17, 9] as [Float]),
            ("SAME_LOWER", [1, 3, 5, 5, 12, 16, 11, 24, 28]), ("VALID", [12, 16, 24, 28]),
        ] {
            var builder = ONNXBuilder()
            builder.input("x", [1, 1, 3, 3])
            try builder.initialiser("w", [1, 1, 2, 2], [1, 1, 1, 1] as [Float])
            builder.output(builder.node("Conv", ["x", "w"], ["auto_pad": .string(mode)], output: "y"))
            let y = try run(builder, ["x": tensor([1, 1, 3, 3], (1...9).map(Float.init))])["y"]
            XCTAssertEqual(y?.floats, wanted, mode)
        }
    }

    func testConvolutionOfOneAndOfThreeAxes() throws {
        var line = ONNXBuilder()
        line.input("x", [1, 2, "length"])
        try line.initialiser("w", [1, 2, 2], [1, 10, 100, 1000] as [Float])
        line.output(line.node("Conv", ["x", "w"], ["strides": [2], "pads": [1, 0]], output: "y"))
        let y = try run(line, ["x": tensor([1, 2, 3], [1, 2, 3, 4, 5, 6])])["y"]
        XCTAssertEqual(y?.shape, [1, 1, 2])
        XCTAssertEqual(y?.floats, [4010, 2 + 30 + 500 + 6000])

        var space = ONNXBuilder()
        space.input("x", [1, 1, 2, 2, 2])
        try space.initialiser("w", [1, 1, 2, 2, 2], (0..<8).map { Float(1 << $0) })
        try space.initialiser("b", [1], [0.5] as [Float])
        space.output(space.node("Conv", ["x", "w", "b"], output: "y"))
        let z = try run(space, ["x": tensor([1, 1, 2, 2, 2], [1, 0, 0, 1, 0, 0, 0, 1])])["y"]
        XCTAssertEqual(z?.floats, [1 + 8 + 128 + 0.5])
    }

    /// The network that every classifier begins with: convolution, normalisation, activation, pooling, product.
    func testSmallClassifierAgreesWithItsDefinition() throws {
        var builder = ONNXBuilder(opset: 13)
        builder.input("x", [1, 2, 4, 4])
        let weights: [Float] = (0..<2 * 2 * 9).map { Float($0 % 7) / 7 - 0.4 }
        try builder.initialiser("w", [2, 2, 3, 3], weights)
        for (name, values) in [
            ("scale", [1.5, 0.5]), ("shift", [0.25, -1]), ("mean", [0.1, 0.2]), ("var", [4, 0.25]),
        ] {
            try builder.initialiser(name, [2], values.map { Float($0) })
        }
        let convolved = builder.node("Conv", ["x", "w"], ["pads": [1, 1, 1, 1]])
        let normal = builder.node("BatchNormalization", [convolved, "scale", "shift", "mean", "var"], ["epsilon": 0.0])
        let rectified = builder.node("Relu", [normal])
        let pooled = builder.node("GlobalAveragePool", [rectified])
        let flat = builder.node("Flatten", [pooled])
        try builder.initialiser("m", [3, 2], [1, 2, 3, 4, 5, 6] as [Float])
        builder.output(builder.node("Gemm", [flat, "m"], ["transB": 1, "alpha": 2.0], output: "y"))

        let x = (0..<32).map { sin(Float($0)) }
        var means: [Double] = []
        for out in 0..<2 {
            var total = 0.0
            for row in 0..<4 {
                for column in 0..<4 {
                    var sum = 0.0
                    for (channel, r, c) in (0..<18).map({ ($0 / 9, $0 / 3 % 3, $0 % 3) }) {
                        let (y, x0) = (row + r - 1, column + c - 1)
                        guard 0..<4 ~= y, 0..<4 ~= x0 else { continue }
                        sum += Double(x[(channel * 4 + y) * 4 + x0] * weights[((out * 2 + channel) * 3 + r) * 3 + c])
                    }
                    let scale = out == 0 ? 1.5 / 2 : 0.5 / 0.5
                    total += max((sum - (out == 0 ? 0.1 : 0.2)) * scale + (out == 0 ? 0.25 : -1), 0)
                }
            }
            means.append(total / 16)
        }
        let y = try run(builder, ["x": tensor([1, 2, 4, 4], x)])["y"]?.floats ?? []
        XCTAssertEqual(y.count, 3)
        for (index, value) in y.enumerated() {
            let wanted = 2 * (means[0] * Double(2 * index + 1) + means[1] * Double(2 * index + 2))
            XCTAssertEqual(Double(value), wanted, accuracy: 1e-5)
        }
    }

    func testPoolingRoundsUpAndGivesPlaces() throws {
        var builder = ONNXBuilder()
        builder.input("x", [1, 1, 3, 3])
        builder.node(
            "MaxPool", ["x"], outputs: ["y", "i"], ["kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1])
        builder.output("y")
        builder.output("i", nil, .int64)
        let results = try run(builder, ["x": tensor([1, 1, 3, 3], [1, 2, 3, 9, 5, 6, 7, 8, 4])])
        XCTAssertEqual(results["y"]?.floats, [9, 6, 8, 4])
        XCTAssertEqual(results["i"]?.integers, [3, 5, 7, 8])
    }

    // MARK: Versions of operators

    func testAttributesThatBecameInputs() throws {
        let x = try tensor([1, 2, 2], [-3, -1, 1, 3])
        for opset in [9, 13] {
            var builder = ONNXBuilder(opset: opset)
            builder.input("x", [1, 2, 2])
            let isOld = opset < 10
            try builder.initialiser("low", [], [-2] as [Float])
            try builder.initialiser("high", [], [2] as [Float])
            try builder.initialiser("first", [1], [0] as [Int64])
            try builder.initialiser("one", [1], [1] as [Int64])
            try builder.initialiser("two", [1], [2] as [Int64])
            try builder.initialiser("pads", [4], [0, 1, 0, 0] as [Int64])
            let clipped =
                isOld
                ? builder.node("Clip", ["x"], ["min": -2.0, "max": 2.0]) : builder.node("Clip", ["x", "low", "high"])
            let squeezed =
                isOld
                ? builder.node("Squeeze", [clipped], ["axes": [0]]) : builder.node("Squeeze", [clipped, "first"])
            let padded =
                isOld
                ? builder.node("Pad", [squeezed], ["pads": [0, 1, 0, 0], "value": 2.0])
                : builder.node("Pad", [squeezed, "pads", "high"])
            let sliced =
                isOld
                ? builder.node("Slice", [padded], ["starts": [0], "ends": [2], "axes": [1]])
                : builder.node("Slice", [padded, "first", "two", "one"])
            let summed =
                isOld
                ? builder.node("ReduceSum", [sliced], ["axes": [1], "keepdims": 0])
                : builder.node("ReduceSum", [sliced, "one"], ["keepdims": 0])
            builder.output(
                isOld
                    ? builder.node("Unsqueeze", [summed], ["axes": [1]], output: "y")
                    : builder.node("Unsqueeze", [summed, "one"], output: "y"))
            let y = try run(builder, ["x": x])["y"]
            XCTAssertEqual(y?.shape, [2, 1], "\(opset)")
            XCTAssertEqual(y?.floats, [2 - 2, 2 + 1], "\(opset)")
        }
    }

    func testSoftmaxOfOldTookAllAxesFromOneOn() throws {
        for (opset, wanted) in [(11, [0.25, 0.25, 0.25, 0.25] as [Float]), (13, [0.5, 0.5, 0.5, 0.5])] {
            var builder = ONNXBuilder(opset: opset)
            builder.input("x", [1, 2, 2])
            builder.output(builder.node("Softmax", ["x"], ["axis": 1], output: "y"))
            let y = try run(builder, ["x": tensor([1, 2, 2], [3, 3, 3, 3])])["y"]
            XCTAssertEqual(y?.floats, wanted)
        }
    }

    // MARK: Shapes

    /// Resizing to the size of another tensor, as exporters write it for feature pyramids.
    func testSizesComputedFromShapesOfOpenInputs() throws {
        var builder = ONNXBuilder(opset: 13)
        builder.input("x", [1, 1, "h", "w"])
        builder.input("like", [1, 1, "H", "W"])
        try builder.initialiser("from", [1], [2] as [Int64])
        try builder.initialiser("to", [1], [4] as [Int64])
        try builder.initialiser("ones", [2], [1, 1] as [Int64])
        let shape = builder.node("Shape", ["like"])
        let tail = builder.node("Slice", [shape, "from", "to"])
        let sizes = builder.node("Concat", ["ones", tail], ["axis": 0])
        let resized = builder.node(
            "Resize", ["x", "", "", sizes],
            [
                "mode": "nearest", "coordinate_transformation_mode": "asymmetric",
                "nearest_mode": "floor",
            ])
        builder.output(builder.node("Add", [resized, "like"], output: "y"))
        for factor in 1...3 {
            let like = try Tensor(zeros: [1, 1, 2 * factor, 2 * factor], of: .float32)
            let y = try run(builder, ["x": tensor([1, 1, 2, 2], [1, 2, 3, 4]), "like": like])["y"]
            XCTAssertEqual(y?.shape, [1, 1, 2 * factor, 2 * factor])
            XCTAssertEqual(y?.floats?.first, 1)
            XCTAssertEqual(y?.floats?.last, 4)
            XCTAssertEqual(y?.floats?[factor], 2)
        }
    }

    func testShapesThatDependOnDataAreWorkedOutDuringTheRun() throws {
        var builder = ONNXBuilder(opset: 13)
        builder.input("x", [4])
        let places = builder.node("NonZero", ["x"])
        let row = builder.node("Squeeze", [places, try builder.initialiser("axes", [1], [Int64(0)])])
        let picked = builder.node("Gather", ["x", row])
        // A node that needs the shape to be expressed at all.
        builder.output(builder.node("LpNormalization", [picked], ["p": 1, "axis": 0], output: "y"))
        XCTAssertEqual(try run(builder, ["x": tensor([4], [0, 1, 0, 3])])["y"]?.floats, [0.25, 0.75])
        XCTAssertEqual(try run(builder, ["x": tensor([4], [2, 0, 0, 0])])["y"]?.floats, [1])
    }

    // MARK: Control flow and functions

    private func branch(_ operatorType: String, _ inputs: [String]) -> ONNXAttribute.Value {
        var builder = ONNXBuilder()
        builder.output(builder.node(operatorType, inputs, output: "result"))
        return .graph(builder.model.graph)
    }

    func testConditionChoosesItsBranchBeforeOrDuringTheRun() throws {
        for isConstant in [true, false] {
            for holds: UInt8 in [0, 1] {
                var builder = ONNXBuilder()
                builder.input("x", [2])
                let truth = try Tensor(.bool, shape: [], storage: Tensor(scalar: holds).storage)
                if isConstant {
                    try builder.initialiser("c", .bool, [], elements: [holds])
                } else {
                    builder.input("c", [], .bool)
                }
                // Both branches read a value from outside.
                let doubled = builder.node("Add", ["x", "x"])
                builder.output(
                    builder.node(
                        "If", ["c"],
                        ["then_branch": branch("Neg", [doubled]), "else_branch": branch("Mul", [doubled, "x"])],
                        output: "y"))
                let inputs = ["x": try tensor([2], [1, 3])].merging(isConstant ? [:] : ["c": truth]) { $1 }
                let y = try run(builder, inputs)["y"]
                XCTAssertEqual(y?.floats, holds == 1 ? [-2, -6] : [2, 18])
            }
        }
    }

    /// Sums 0 + 1 + … as long as the sum is below a limit, and collects the sums.
    func testLoopEndsByItsCountOrItsCondition() throws {
        var body = ONNXBuilder()
        body.input("i", [], .int64)
        body.input("going", [], .bool)
        body.input("sum", [], .int64)
        let next = body.node("Add", ["sum", "i"], output: "next")
        body.output(body.node("Less", [next, "limit"], output: "below"), [], .bool)
        body.output(next, [], .int64)
        body.output(body.node("Identity", [next], output: "seen"), [], .int64)
        for (count, limit, wanted) in [(3, 100, [0, 1, 3]), (10, 5, [0, 1, 3, 6])] as [(Int64, Int64, [Int])] {
            var builder = ONNXBuilder()
            builder.input("limit", [], .int64)
            try builder.initialiser("count", [], [count])
            try builder.initialiser("yes", .bool, [], elements: [1 as UInt8])
            try builder.initialiser("zero", [], [0] as [Int64])
            builder.node(
                "Loop", ["count", "yes", "zero"], outputs: ["last", "all"], ["body": .graph(body.model.graph)])
            builder.output("last", nil, .int64)
            builder.output("all", nil, .int64)
            let results = try run(builder, ["limit": Tensor(scalar: limit)])
            XCTAssertEqual(results["all"]?.integers, wanted)
            XCTAssertEqual(results["last"]?.integers, [wanted.last ?? 0])
        }
    }

    func testFunctionsOfTheModelAreInlinedWithTheirAttributes() throws {
        var builder = ONNXBuilder()
        builder.input("x", [2])
        var inner = ONNXBuilder()
        inner.node("LeakyRelu", ["a"], ["alpha": .reference("slope", kind: 1)], output: "t")
        inner.node("Add", ["t", "a"], output: "b")
        var function = ONNXFunction()
        function.name = "Twice"
        function.domain = "org.example"
        function.inputs = ["a"]
        function.outputs = ["b"]
        function.defaults = [ONNXAttribute("slope", 0.5)]
        function.nodes = inner.model.graph.nodes
        function.opsets = ["": 17]
        builder.model.functions = [function]
        builder.model.opsets["org.example"] = 1
        builder.output(builder.node("Twice", ["x"], output: "y", domain: "org.example"))
        builder.output(builder.node("Twice", ["x"], ["slope": 0.25], output: "z", domain: "org.example"))
        let results = try run(builder, ["x": tensor([2], [-4, 4])])
        XCTAssertEqual(results["y"]?.floats, [-6, 8])
        XCTAssertEqual(results["z"]?.floats, [-5, 8])
    }

    func testFunctionThatCallsItselfIsRefused() throws {
        var builder = ONNXBuilder()
        builder.input("x", [2])
        var function = ONNXFunction()
        function.name = "Again"
        function.domain = "org.example"
        function.inputs = ["a"]
        function.outputs = ["b"]
        var node = ONNXNode()
        (node.operatorType, node.domain, node.inputs, node.outputs) = ("Again", "org.example", ["a"], ["b"])
        function.nodes = [node]
        builder.model.functions = [function]
        builder.output(builder.node("Again", ["x"], output: "y", domain: "org.example"))
        XCTAssertThrowsError(try ONNXImporter.graph(builder.data())) { error in
            guard (error as? ModelError)?.kind == .invalid else { return XCTFail("\(error)") }
        }
    }

    // MARK: What is refused

    func testUnknownOperatorIsNamedWithItsNode() throws {
        var builder = ONNXBuilder()
        builder.input("x", [2])
        builder.output(builder.node("Frobnicate", ["x"], name: "the node", output: "y"))
        XCTAssertThrowsError(try ONNXImporter.graph(builder.data())) { error in
            XCTAssertEqual((error as? ModelError)?.kind, .unsupported, "\(error)")
            XCTAssertEqual((error as? ModelError)?.context.operation, "Frobnicate")
            XCTAssertEqual((error as? ModelError)?.context.node, "the node")
        }
    }

    func testUnsupportedAttributeIsRefusedWhenTheModelIsLoaded() throws {
        var builder = ONNXBuilder()
        builder.input("x", [1, 1, 2, 2])
        try builder.initialiser("scales", [4], [1, 1, 2, 2] as [Float])
        builder.output(
            builder.node("Resize", ["x", "", "scales"], ["mode": "sinc"], name: "the node", output: "y"))
        XCTAssertThrowsError(try Session(graph: ONNXImporter.graph(builder.data()))) { error in
            XCTAssertEqual((error as? ModelError)?.kind, .unsupported, "\(error)")
            XCTAssertEqual((error as? ModelError)?.context.operation, "Resize")
            XCTAssertEqual((error as? ModelError)?.context.node, "the node")
        }
    }

    func testValueThatNothingMakesIsRefused() throws {
        var builder = ONNXBuilder()
        builder.input("x", [2])
        builder.output(builder.node("Add", ["x", "nothing"], output: "y"))
        XCTAssertThrowsError(try ONNXImporter.graph(builder.data())) { error in
            let text = (error as? ModelError)?.reason ?? ""
            XCTAssertEqual((error as? ModelError)?.kind, .invalid, "\(error)")
            XCTAssertTrue(text.contains("nothing"), text)
        }
    }

    func testHugeWindowsAndSizesAreRefused() throws {
        let hostile: [(String, KeyValuePairs<String, ONNXAttribute.Value>)] = [
            ("MaxPool", ["kernel_shape": .ints([Int.max, 1] as [Int])]),
            ("MaxPool", ["kernel_shape": [2, 2], "strides": [0, 1]]),
            ("MaxPool", ["kernel_shape": [2, 2], "dilations": .ints([Int.max, Int.max] as [Int])]),
            ("AveragePool", ["kernel_shape": [2, 2], "pads": .ints([Int.max, 0, Int.max, 0] as [Int])]),
            ("AveragePool", ["kernel_shape": [2]]), ("LRN", ["size": .int(Int64.max)]),
            ("DepthToSpace", ["blocksize": .int(Int64.max)]), ("SpaceToDepth", ["blocksize": 0]),
            ("Transpose", ["perm": [0, 0, 0, 0]]), ("Flatten", ["axis": .int(Int64.min)]),
            ("Softmax", ["axis": .int(Int64.min)]), ("Concat", ["axis": 9]),
        ]
        for (name, attributes) in hostile {
            var builder = ONNXBuilder()
            builder.input("x", [1, 1, 2, 2])
            builder.node(name, ["x"], outputs: ["y"], attributes)
            builder.output("y")
            XCTAssertThrowsError(try Session(graph: ONNXImporter.graph(builder.data())), name) { error in
                XCTAssertTrue(error is ModelError, "\(name): \(error)")
            }
        }
    }
}
