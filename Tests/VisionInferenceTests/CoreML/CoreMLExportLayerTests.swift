import Foundation
import ModelTestSupport
import XCTest

@testable import VisionInference

/// Products, sums, shapes and recurrent layers, written as Core ML packages.
final class CoreMLExportLayerTests: CoreMLExportCase {
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
