import Foundation
import ModelTestSupport
import XCTest

@testable import VisionInference

/// Networks written as Core ML packages, read again, and run beside what they were made of.
final class CoreMLExportTests: XCTestCase {
    private let folder = try? TemporaryFolder()
    private var random = SplitMix(state: 7)

    private struct SplitMix {
        var state: UInt64

        /// A number between −1 and 1.
        mutating func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 23) - 1
        }
    }

    private func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in random.next() } }

    private func tensor(_ shape: Shape) throws -> Tensor { try Tensor(numbers(shape.elementCount), shape: shape) }

    /// Writes a network, and reads it again.
    private func exported(
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
    private func operations(_ model: CoreMLModel) throws -> [String] {
        let function = try XCTUnwrap(try model.content.map(2).first).value
        XCTAssertEqual(try function.string(2), "CoreML6")
        let block = try XCTUnwrap(try function.map(3).first).value
        return try block.messages(3).map { try $0.string(1) }.filter { $0 != "const" }
    }

    /// Checks that a network and what is read of its package give the same.
    private func assertRoundTrip(
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
    private func node(
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

    private func ints(_ values: [Int64]) throws -> Tensor { try Tensor(values) }

    // MARK: Windows

    func testConvolutions() throws {
        let image = try tensor([1, 4, 9, 8])
        for (weights, attributes) in [
            ([6, 4, 3, 3], ["pads": [1, 0, 1, 2], "strides": [2, 1]]), ([8, 1, 3, 2], ["group": 4]),
            ([6, 2, 3, 3], ["group": 2, "dilations": [2, 1]]), ([5, 4, 1, 1], ["auto_pad": "SAME_UPPER"]),
        ] as [(Shape, KeyValuePairs<String, ONNXAttribute.Value>)] {
            let net = try node(
                "Conv", [1, 4, 9, 8], ["w", "b"], attributes, [("w", tensor(weights)), ("b", tensor([weights[0]]))])
            try assertRoundTrip(net, ["x": image], ["conv"])
        }
        let line = try node("Conv", [1, 3, 12], ["w"], ["pads": [1, 1]], [("w", tensor([4, 3, 3]))])
        try assertRoundTrip(line, ["x": tensor([1, 3, 12])])
        let space = try node("Conv", [1, 2, 4, 5, 6], ["w"], [:], [("w", tensor([3, 2, 2, 2, 2]))])
        try assertRoundTrip(space, ["x": tensor([1, 2, 4, 5, 6])], ["conv"])
    }

    func testConvolutionsWithComputedWeights() throws {
        var builder = ONNXBuilder(opset: 17)
        builder.input("x", [1, 2, 6, 6])
        builder.input("w", [3, 2, 3, 3])
        builder.input("b", [3])
        builder.output(builder.node("Conv", ["x", "w", "b"], output: "y"))
        let inputs = ["x": try tensor([1, 2, 6, 6]), "w": try tensor([3, 2, 3, 3]), "b": try tensor([3])]
        try assertRoundTrip(builder, inputs, accuracy: 1e-6)
    }

    func testTransposedConvolutions() throws {
        let image = try tensor([1, 4, 5, 6])
        for (weights, attributes) in [
            ([4, 3, 3, 3], ["strides": [2, 2], "pads": [1, 1, 1, 1]]),
            ([4, 1, 2, 2], ["strides": [2, 2], "group": 4]),
            ([4, 2, 3, 3], ["strides": [2, 3], "pads": [1, 1, 1, 1], "output_padding": [1, 2]]),
            ([4, 2, 3, 3], ["dilations": [2, 1]]),
        ] as [(Shape, KeyValuePairs<String, ONNXAttribute.Value>)] {
            let net = try node("ConvTranspose", [1, 4, 5, 6], ["w"], attributes, [("w", tensor(weights))])
            try assertRoundTrip(net, ["x": image], accuracy: 1e-6)
        }
        let space = try node(
            "ConvTranspose", [1, 2, 3, 4, 5], ["w", "b"], ["strides": [2, 1, 2]],
            [("w", tensor([2, 3, 2, 2, 2])), ("b", tensor([3]))])
        try assertRoundTrip(space, ["x": tensor([1, 2, 3, 4, 5])], ["conv_transpose"], accuracy: 1e-6)
    }

    func testPooling() throws {
        let image = try tensor([1, 3, 9, 7])
        for (type, attributes, operation) in [
            ("MaxPool", ["kernel_shape": [3, 2], "strides": [2, 2], "pads": [1, 0, 1, 0]], "max_pool"),
            ("MaxPool", ["kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1], "max_pool"),
            ("AveragePool", ["kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "count_include_pad": 1], "avg_pool"),
            ("AveragePool", ["kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 3]], "avg_pool"),
            ("LpPool", ["kernel_shape": [2, 2]], "l2_pool"),
        ] as [(String, KeyValuePairs<String, ONNXAttribute.Value>, String)] {
            try assertRoundTrip(node(type, [1, 3, 9, 7], [], attributes), ["x": image], [operation])
        }
        try assertRoundTrip(
            node("MaxPool", [1, 2, 4, 4, 4], [], ["kernel_shape": [2, 2, 2]]), ["x": tensor([1, 2, 4, 4, 4])],
            ["max_pool"])
        try assertRoundTrip(node("GlobalAveragePool", [1, 3, 9, 7]), ["x": image])
        let gaps = try node("MaxPool", [1, 3, 9, 7], [], ["kernel_shape": [2, 2], "dilations": [2, 2]])
        let graph = try ONNXImporter.graph(gaps.data())
        XCTAssertThrowsError(try exported(graph, [[1, 3, 9, 7]])) { XCTAssertTrue("\($0)".contains("gaps"), "\($0)") }
    }

    // MARK: Resizing

    func testResizing() throws {
        let image = try tensor([1, 2, 4, 6])
        for (mode, coordinates, operation) in [
            ("linear", "half_pixel", "resize_bilinear"), ("linear", "align_corners", "resize_bilinear"),
            ("linear", "asymmetric", "resize_bilinear"), ("nearest", "asymmetric", "resize_nearest_neighbor"),
        ] {
            let attributes: KeyValuePairs<String, ONNXAttribute.Value> = [
                "mode": .string(mode), "coordinate_transformation_mode": .string(coordinates), "nearest_mode": "floor",
            ]
            let net = try node(
                "Resize", [1, 2, 4, 6], ["", "", "sizes"], attributes, [("sizes", ints([1, 2, 8, 9]))])
            try assertRoundTrip(net, ["x": image], [operation])
        }
        // Nearest pixels that the operation does not take, and kernels that it does not have.
        for (mode, sizes, accuracy) in [("nearest", [1, 2, 3, 5], 0), ("cubic", [1, 2, 7, 9], 1e-6)]
            as [(String, [Int64], Float)]
        {
            let net = try node(
                "Resize", [1, 2, 4, 6], ["", "", "sizes"], ["mode": .string(mode)], [("sizes", ints(sizes))])
            try assertRoundTrip(net, ["x": image], accuracy: accuracy)
        }
        let line = try node(
            "Resize", [1, 2, 5], ["", "", "sizes"], ["mode": "linear"], [("sizes", ints([1, 2, 8]))])
        try assertRoundTrip(line, ["x": tensor([1, 2, 5])], accuracy: 1e-6)
    }

    // MARK: Element by element

    func testFunctions() throws {
        let x = try Tensor((0..<24).map { Float($0) / 13 - 0.9 }, shape: [1, 2, 3, 4])
        let functions = [
            "Abs", "Neg", "Sign", "Exp", "Floor", "Ceil", "Round", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh",
            "Cosh", "Atanh", "Erf", "Softsign", "Relu", "Sigmoid", "Tanh", "Elu", "LeakyRelu", "HardSigmoid",
            "Softplus",
            "HardSwish", "Celu", "Selu", "ThresholdedRelu", "Mish", "Softmax", "LogSoftmax", "Identity", "Reciprocal",
        ]
        for function in functions {
            var net = try node(function, [1, 2, 3, 4])
            net.model.opsets[""] = 18
            try assertRoundTrip(net, ["x": x], accuracy: 1e-6)
        }
        let positive = try Tensor((1...24).map { Float($0) }, shape: [1, 2, 3, 4])
        for function in ["Log", "Sqrt"] {
            try assertRoundTrip(node(function, [1, 2, 3, 4]), ["x": positive], [function.lowercased()])
        }
        var gelu = try node("Gelu", [1, 2, 3, 4])
        gelu.model.opsets[""] = 20
        try assertRoundTrip(gelu, ["x": x], ["gelu"])
        let bounds: [(String, Tensor)] = [
            ("low", try Tensor(scalar: Float(-0.5))), ("high", try Tensor(scalar: Float(0.25))),
        ]
        try assertRoundTrip(node("Clip", [1, 2, 3, 4], ["low", "high"], [:], bounds), ["x": x], ["clip"])
        try assertRoundTrip(node("Clip", [1, 2, 3, 4], ["low"], [:], bounds), ["x": x], ["maximum"])
        let slopes: [(String, Tensor)] = [("s", try tensor([2, 1, 1]))]
        try assertRoundTrip(node("PRelu", [1, 2, 3, 4], ["s"], [:], slopes), ["x": x], ["prelu"])
        let other: [(String, Tensor)] = [("s", try tensor([3, 4]))]
        try assertRoundTrip(node("PRelu", [1, 2, 3, 4], ["s"], [:], other), ["x": x], accuracy: 1e-6)
    }

    func testPairs() throws {
        let (a, b) = (try tensor([2, 3, 4]), try tensor([3, 1]))
        for (type, operation) in [
            ("Add", "add"), ("Sub", "sub"), ("Mul", "mul"), ("Div", "real_div"), ("Min", "minimum"), ("Max", "maximum"),
        ] {
            var net = ONNXBuilder(opset: 17)
            net.input("a", [2, 3, 4])
            net.input("b", [3, 1])
            net.output(net.node(type, ["a", "b"], output: "y"))
            try assertRoundTrip(net, ["a": a, "b": b], [operation])
        }
        try assertRoundTrip(
            node("Pow", [2, 3, 4], ["two"], [:], [("two", Tensor(scalar: Float(2)))]), ["x": a], ["pow"])
        // A choice between two inputs, truth being no output of a package.
        for (type, operation) in [("Greater", "greater"), ("Less", "less"), ("GreaterOrEqual", "greater_equal")] {
            var net = ONNXBuilder(opset: 17)
            net.input("a", [2, 3, 4])
            net.input("b", [3, 1])
            let truth = net.node(type, ["a", "b"])
            let not = net.node("Not", [net.node("Or", [truth, net.node("Equal", ["a", "b"])])])
            net.output(net.node("Where", [not, "b", "b"], output: "y"))
            net.output(net.node("And", [truth, not], output: "never"), nil, .bool)
            let found = [
                "logical_or", "equal", "logical_not", "reshape", "tile", "select", "logical_and", "cast", operation,
            ]
            let graph = try ONNXImporter.graph(net.data())
            let (model, _) = try exported(graph, [[2, 3, 4], [3, 1]])
            XCTAssertEqual(Set(try operations(model)), Set(found), type)
            try assertRoundTrip(net, ["a": a, "b": b])
        }
    }

    func testWholeNumbers() throws {
        var net = ONNXBuilder(opset: 17)
        net.input("tokens", [1, 5], .int64)
        try net.initialiser("table", [7, 3], numbers(21))
        try net.initialiser("two", [], [Int64(2)])
        let clamped = net.node(
            "Mod", [net.node("Mul", ["tokens", "two"]), try net.initialiser("seven", [], [Int64(7)])])
        net.output(net.node("Gather", ["table", clamped], output: "y"))
        net.output(net.node("Cast", [clamped], ["to": 1], output: "floats"))
        net.output(clamped, nil, .int64)
        let tokens = try Tensor([0, 1, 2, 3, 6] as [Int64], shape: [1, 5])
        try assertRoundTrip(net, ["tokens": tokens], ["mul", "mod", "gather", "cast"])
    }

    // MARK: Sums and products

    func testProducts() throws {
        let x = try tensor([2, 5, 4])
        try assertRoundTrip(node("MatMul", [2, 5, 4], ["w"], [:], [("w", tensor([4, 6]))]), ["x": x], ["linear"])
        try assertRoundTrip(
            node("Gemm", [5, 4], ["w", "b"], ["transB": 1], [("w", tensor([6, 4])), ("b", tensor([6]))]),
            ["x": tensor([5, 4])], accuracy: 1e-6)
        for (left, right) in [([2, 5, 4], [2, 4, 3]), ([3, 2, 5, 4], [4, 3]), ([4], [2, 4, 3]), ([2, 5, 4], [4])]
            as [(Shape, Shape)]
        {
            var net = ONNXBuilder(opset: 17)
            net.input("a", left.map { .fixed($0) })
            net.input("b", right.map { .fixed($0) })
            net.output(net.node("MatMul", ["a", "b"], output: "y"))
            try assertRoundTrip(net, ["a": tensor(left), "b": tensor(right)], accuracy: 1e-6)
        }
    }

    func testReductions() throws {
        let x = try Tensor((1...24).map { Float($0) / 5 }, shape: [2, 3, 4])
        for (type, operation) in [
            ("ReduceMean", "reduce_mean"), ("ReduceMax", "reduce_max"), ("ReduceMin", "reduce_min"),
            ("ReduceProd", "reduce_prod"), ("ReduceL1", "reduce_l1_norm"), ("ReduceL2", "reduce_l2_norm"),
            ("ReduceSumSquare", "reduce_sum_square"), ("ReduceLogSum", "reduce_log_sum"),
            ("ReduceLogSumExp", "reduce_log_sum_exp"),
        ] {
            let net = try node(type, [2, 3, 4], [], ["axes": [0, -1], "keepdims": 0])
            try assertRoundTrip(net, ["x": x], [operation], accuracy: 1e-6)
        }
        try assertRoundTrip(
            node("ReduceSum", [2, 3, 4], ["axes"], [:], [("axes", ints([1]))]), ["x": x], ["reduce_sum"])
        try assertRoundTrip(node("ArgMax", [2, 3, 4], [], ["axis": 1]), ["x": x], ["reduce_argmax"])
        try assertRoundTrip(node("ArgMin", [2, 3, 4], [], ["axis": -1, "keepdims": 0]), ["x": x], ["reduce_argmin"])
        try assertRoundTrip(
            node("CumSum", [2, 3, 4], ["a"], ["reverse": 1], [("a", Tensor(scalar: Int64(1)))]), ["x": x], ["cumsum"])
        var top = ONNXBuilder(opset: 17)
        top.input("x", [2, 3, 4])
        try top.initialiser("k", [1], [Int64(2)])
        top.node("TopK", ["x", "k"], outputs: ["values", "indices"])
        top.output("values")
        top.output("indices", nil, .int64)
        try assertRoundTrip(top, ["x": x], ["topk"])
    }

    func testNormalisations() throws {
        let x = try tensor([2, 4, 5, 3])
        func vectors(_ names: [String]) throws -> [(String, Tensor)] {
            try names.map { ($0, try Tensor(numbers(4).map { $0 + 2 })) }
        }
        try assertRoundTrip(
            node("BatchNormalization", [2, 4, 5, 3], ["s", "b", "m", "v"], [:], vectors(["s", "b", "m", "v"])),
            ["x": x], ["batch_norm"])
        try assertRoundTrip(
            node("InstanceNormalization", [2, 4, 5, 3], ["s", "b"], [:], vectors(["s", "b"])), ["x": x],
            ["instance_norm"], accuracy: 1e-6)
        let factors: [(String, Tensor)] = [("s", try tensor([3])), ("b", try tensor([3]))]
        try assertRoundTrip(
            node("LayerNormalization", [2, 4, 5, 3], ["s", "b"], ["axis": -1], factors), ["x": x], ["layer_norm"])
        try assertRoundTrip(
            node("LRN", [2, 4, 5, 3], [], ["size": 3, "alpha": 0.5]), ["x": x], ["local_response_norm"])
        var groups = try node(
            "GroupNormalization", [2, 4, 5, 3], ["s", "b"], ["num_groups": 2], vectors(["s", "b"]))
        groups.model.opsets[""] = 21
        try assertRoundTrip(groups, ["x": x], accuracy: 2e-6)
    }

    // MARK: Shapes

    func testShapes() throws {
        let x = try tensor([1, 4, 2, 6])
        try assertRoundTrip(
            node("Reshape", [1, 4, 2, 6], ["s"], [:], [("s", ints([2, -1, 3]))]), ["x": x], ["reshape"])
        try assertRoundTrip(
            node("Transpose", [1, 4, 2, 6], [], ["perm": [0, 3, 1, 2]]), ["x": x], ["transpose"])
        try assertRoundTrip(node("Squeeze", [1, 4, 2, 6]), ["x": x])
        try assertRoundTrip(node("Flatten", [1, 4, 2, 6]), ["x": x], ["reshape"])
        try assertRoundTrip(
            node("Tile", [1, 4, 2, 6], ["r"], [:], [("r", ints([2, 1, 1, 3]))]), ["x": x], ["tile"])
        try assertRoundTrip(
            node("Expand", [1, 4, 2, 6], ["r"], [:], [("r", ints([2, 3, 4, 2, 6]))]), ["x": x], ["reshape", "tile"])
        try assertRoundTrip(
            node("DepthToSpace", [1, 4, 2, 6], [], ["blocksize": 2]), ["x": x], ["depth_to_space"])
        try assertRoundTrip(
            node("DepthToSpace", [1, 4, 2, 6], [], ["blocksize": 2, "mode": "CRD"]), ["x": x], ["pixel_shuffle"])
        try assertRoundTrip(
            node("SpaceToDepth", [1, 4, 2, 6], [], ["blocksize": 2]), ["x": x], ["space_to_depth"])
        for (starts, ends, axes, steps) in [
            ([1, 0], [3, 5], [1, 3], [1, 2]), ([-1], [-100], [3], [-2]), ([0], [1000], [1], [1]),
        ] as [([Int64], [Int64], [Int64], [Int64])] {
            let net = try node(
                "Slice", [1, 4, 2, 6], ["s", "e", "a", "t"], [:],
                [("s", ints(starts)), ("e", ints(ends)), ("a", ints(axes)), ("t", ints(steps))])
            try assertRoundTrip(net, ["x": x])
        }
        for (mode, pads) in [
            ("constant", [0, 1, 0, 2, 0, 0, 1, 0]), ("reflect", [0, 0, 1, 2, 0, 0, 0, 3]),
            ("edge", [0, 0, 0, 2, 0, 0, 0, 1]), ("constant", [0, 0, -1, 2, 0, 0, 0, -3]),
        ] as [(String, [Int64])] {
            let net = try node("Pad", [1, 4, 2, 6], ["p"], ["mode": .string(mode)], [("p", ints(pads))])
            try assertRoundTrip(net, ["x": x])
        }
        var parts = ONNXBuilder(opset: 17)
        parts.input("x", [1, 4, 2, 6])
        try parts.initialiser("sizes", [2], [2, 4] as [Int64])
        parts.node("Split", ["x", "sizes"], outputs: ["a", "b"], ["axis": 3])
        parts.output(parts.node("Concat", ["b", "x", "a"], ["axis": -1], output: "y"))
        parts.output("a")
        try assertRoundTrip(parts, ["x": x], ["split", "concat"])
    }

    /// Programs have five axes; windows of images are stated with six.
    func testMoreAxesThanProgramsHave() throws {
        for (cut, order, joined, operations) in [
            ([1, 2, 4, 3, 2, 5], [0, 1, 3, 2, 4, 5], [6, 8, 5], ["reshape", "transpose", "reshape"]),
            ([2, 2, 2, 3, 2, 5], [5, 3, 0, 1, 2, 4], [5, 48], nil),
        ] as [([Int64], [Int], [Int64], [String]?)] {
            var net = ONNXBuilder(opset: 17)
            net.input("x", [240])
            try net.initialiser("cut", [6], cut)
            try net.initialiser("joined", [joined.count], joined)
            let parts = net.node("Reshape", ["x", "cut"])
            let moved = net.node("Transpose", [parts], ["perm": .ints(order)])
            net.output(net.node("Reshape", [moved, "joined"], output: "y"))
            try assertRoundTrip(net, ["x": tensor([240])], operations)
        }
        var net = ONNXBuilder(opset: 17)
        net.input("x", [2, 2, 2, 2, 2, 2])
        net.output(net.node("Add", ["x", "x"], name: "sum", output: "y"))
        let graph = try ONNXImporter.graph(net.data())
        XCTAssertThrowsError(try exported(graph, [[2, 2, 2, 2, 2, 2]])) {
            XCTAssertTrue("\($0)".contains("axes"), "\($0)")
        }
    }

    func testIndexing() throws {
        let x = try tensor([3, 4, 2])
        let indices: [(String, Tensor)] = [("i", try Tensor([1, 0, 2, 2] as [Int64], shape: [2, 2]))]
        try assertRoundTrip(node("Gather", [3, 4, 2], ["i"], ["axis": 1], indices), ["x": x], ["gather"])
        let positions: [(String, Tensor)] = [("i", try Tensor([0, 1, 2, 3, 2, 0] as [Int64], shape: [3, 2]))]
        try assertRoundTrip(node("GatherND", [3, 4, 2], ["i"], [:], positions), ["x": x], ["gather_nd"])
        let along: [(String, Tensor)] = [("i", try Tensor((0..<18).map { Int64($0 % 4) }, shape: [3, 3, 2]))]
        try assertRoundTrip(
            node("GatherElements", [3, 4, 2], ["i"], ["axis": 1], along), ["x": x], ["gather_along_axis"])
        try assertRoundTrip(node("Trilu", [3, 4, 2], [], ["upper": 0]), ["x": x], ["select"])
        var hot = ONNXBuilder(opset: 17)
        hot.input("x", [3], .int64)
        try hot.initialiser("depth", [], [Int64(4)])
        try hot.initialiser("values", [2], [-1, 2] as [Float])
        hot.output(hot.node("OneHot", ["x", "depth", "values"], output: "y"))
        try assertRoundTrip(hot, ["x": Tensor([3, 0, 1] as [Int64])], ["one_hot"])
    }

    // MARK: Recurrent layers

    func testRecurrentLayers() throws {
        for (direction, count) in [("forward", 1), ("reverse", 1), ("bidirectional", 2)] {
            var net = ONNXBuilder(opset: 17)
            net.input("x", [5, 2, 3])
            try net.initialiser("w", [count, 16, 3], numbers(count * 48))
            try net.initialiser("r", [count, 16, 4], numbers(count * 64))
            try net.initialiser("b", [count, 32], numbers(count * 32))
            net.node(
                "LSTM", ["x", "w", "r", "b"], outputs: ["y", "h", "c"],
                ["hidden_size": 4, "direction": .string(direction)])
            for name in ["y", "h", "c"] { net.output(name) }
            try assertRoundTrip(net, ["x": tensor([5, 2, 3])], accuracy: 1e-6)
        }
        for (direction, count, isLinear) in [("forward", 1, 1), ("reverse", 1, 0), ("bidirectional", 2, 1)] {
            var net = ONNXBuilder(opset: 17)
            net.input("x", [5, 2, 3])
            net.input("first", [.fixed(count), 2, 4])
            try net.initialiser("w", [count, 12, 3], numbers(count * 36))
            try net.initialiser("r", [count, 12, 4], numbers(count * 48))
            try net.initialiser("b", [count, 24], numbers(count * 24))
            net.node(
                "GRU", ["x", "w", "r", "b", "", "first"], outputs: ["y", "h"],
                ["hidden_size": 4, "direction": .string(direction), "linear_before_reset": .int(Int64(isLinear))])
            for name in ["y", "h"] { net.output(name) }
            try assertRoundTrip(net, ["x": tensor([5, 2, 3]), "first": tensor([count, 2, 4])], accuracy: 1e-6)
        }
        var plain = ONNXBuilder(opset: 17)
        plain.input("x", [5, 2, 3])
        plain.input("first", [1, 2, 4])
        try plain.initialiser("w", [1, 4, 3], numbers(12))
        try plain.initialiser("r", [1, 4, 4], numbers(16))
        plain.node(
            "RNN", ["x", "w", "r", "", "", "first"], outputs: ["y", "h"],
            ["hidden_size": 4, "activations": .strings(["Relu"])])
        plain.output("y")
        try assertRoundTrip(plain, ["x": tensor([5, 2, 3]), "first": tensor([1, 2, 4])], accuracy: 1e-6)
    }
}
