import Foundation
import ModelTestSupport
import XCTest

@testable import VisionInference

/// Layers that work on windows, sizes and single elements, written as Core ML packages.
final class CoreMLExportTests: CoreMLExportCase {
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
}
