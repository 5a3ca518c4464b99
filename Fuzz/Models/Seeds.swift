import Foundation
import ModelFixtures
import VisionInference
import VisionModels

/// Small models of all formats, with as many kinds of operators as there are.
enum Seeds {
    static func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in tflite() { try Data(bytes).write(to: folder.appendingPathComponent(name + ".tflite")) }
        for (name, bytes) in coreML() { try Data(bytes).write(to: folder.appendingPathComponent(name + ".mlmodel")) }
        for (name, data) in try classifiers() { try data.write(to: folder.appendingPathComponent(name + ".onnx")) }
        for (name, data) in try onnx() { try data.write(to: folder.appendingPathComponent(name + ".onnx")) }
    }

    // MARK: Classifiers of Create ML

    private static func classifiers() throws -> [(String, Data)] {
        var inner = ONNXBuilder(opset: 17)
        let image = inner.input("image", [1, 3, 4, 4])
        inner.output(inner.node("ReduceMean", [image], ["axes": [2, 3], "keepdims": 0], output: "means"), [1, 3])
        let network = ClassifierFile.EmbeddedNetwork(
            form: "onnx", bytes: ModelSlice(ModelBytes(inner.data())), metadata: "{}", output: "means")
        return try [("scene classifier", .scene(revision: 1)), ("network classifier", .network(network))].map {
            (name: String, extractor: ClassifierFile.Extractor) in
            let data = try ClassifierFile.data(
                extractor: extractor, featureCount: 3, weights: [0x3C00, 0, 0x3800, 0, 0x4000, 0xBC00],
                offsets: [0, 1], metadata: #"{"labels": ["a", "b"]}"#, documentation: "")
            return (name, data)
        }
    }

    // MARK: Core ML

    /// Neural networks of a layer or two each.
    private static func coreML() -> [(String, [UInt8])] {
        typealias Builder = CoreMLFileBuilder
        func network(_ name: String, exact: Bool = false, _ layers: [ProtoValue]) -> (String, [UInt8]) {
            var builder = Builder()
            builder.inputs = [Builder.array("x", [2, 4, 4])]
            builder.outputs = [Builder.array("y", [])]
            let flag: ProtoValue = .int(exact ? 1 : 0)
            return (name, builder.file(500, [1: .repeated(layers), 5: flag, 6: flag]))
        }
        func layer(_ type: Int, _ parameters: ProtoFields = [:], _ inputs: [String] = ["x"]) -> ProtoValue {
            Builder.layer("layer", inputs, ["y"], type, parameters)
        }
        let weights = Builder.weights((0..<16).map { Float($0) })
        let table: ProtoValue = .message([
            30: .bytes([0x1B, 0x1B, 0x1B, 0x1B]),
            40: .message([1: .int(2), 102: .message([1: .floats([5, 6, 7, 8])])]),
        ])
        func convolution(transposed: Int) -> ProtoValue {
            layer(
                100, [1: .int(2), 2: .int(2), 20: .ints([2, 2]), 51: .message([:]), 60: .int(transposed), 90: weights])
        }
        return [
            network("core-convolution", [convolution(transposed: 0)]),
            network("core-transposed", [convolution(transposed: 1)]),
            network(
                "core-table",
                [layer(100, [1: .int(2), 2: .int(2), 20: .ints([2, 2]), 50: .message([:]), 90: table])]),
            network(
                "core-pool", [layer(120, [10: .ints([2, 2]), 20: .ints([2, 2]), 32: .message([10: .ints([1, 0])])])]),
            network("core-upsample", [layer(210, [1: .ints([2, 3]), 5: .int(1), 6: .int(1)])]),
            network("core-reshape", [layer(300, [1: .ints([4, 4, 2]), 2: .int(1)])]),
            network("core-permute", [layer(310, [1: .ints([2, 1, 0, 3])])]),
            network("core-activation", [layer(130, [31: .message([1: .float(2), 2: .float(3)])])]),
            network("core-unary", [layer(220, [1: .int(3), 2: .float(2)])]),
            network(
                "core-slice", exact: true,
                [
                    layer(
                        995,
                        [
                            1: .ints([0, 1, 0]), 2: .ints([0, 0, 1]), 3: .ints([2, 3, 4]), 4: .ints([0, 0, 1]),
                            5: .ints([1, 1, 2]),
                        ])
                ]),
            network("core-product", exact: true, [layer(1045, [5: .int(4), 6: .int(4), 8: weights])]),
            network("core-reduce", exact: true, [layer(1280, [1: .ints([-1, 0]), 2: .int(1)])]),
            network("core-concat", exact: true, [layer(980, [1: .int(1), 2: .int(1)], ["x", "x"])]),
            network(
                "core-sequence",
                [Builder.layer("p", ["x"], ["s"], 310, [1: .ints([2, 3, 0, 1])]), layer(301, [:], ["s"])]),
        ] + control { network($0, exact: $1, $2) }
    }

    /// Layers that run others, and those that take positions from inputs.
    private static func control(
        _ network: (String, Bool, [ProtoValue]) -> (String, [UInt8])
    ) -> [(String, [UInt8])] {
        typealias Builder = CoreMLFileBuilder
        func constant(_ name: String, _ shape: [Int], _ values: [Float]) -> ProtoValue {
            Builder.layer(name, [], [name], 1070, [1: .ints(shape), 2: Builder.weights(values)])
        }
        func linear(_ from: String, _ to: String) -> ProtoValue {
            Builder.layer("l", [from], [to], 130, [5: .message([1: .float(2), 2: .float(1)])])
        }
        func copy(_ from: String, _ to: String) -> ProtoValue { Builder.layer("c", [from], [to], 600) }
        let body: ProtoFields = [1: .repeated([linear("s", "t"), copy("t", "s")])]
        let sum = Builder.layer("r", ["s"], ["n"], 1270, [1: .ints([0, 1, 2])])
        let condition: ProtoFields = [1: .repeated([sum, Builder.layer("lt", ["n"], ["go"], 825, [2: .float(500)])])]
        return [
            network(
                "core-loop", true,
                [
                    copy("x", "s"),
                    Builder.layer(
                        "loop", [], [], 615,
                        [1: .int(5), 2: .string("go"), 3: .message(condition), 4: .message(body)]), copy("s", "y"),
                ]),
            network(
                "core-branch", true,
                [
                    Builder.layer("r", ["x"], ["n"], 1270, [1: .ints([0, 1, 2])]),
                    Builder.layer(
                        "b", ["n"], [], 605,
                        [
                            1: .message([1: .repeated([linear("x", "y")])]),
                            2: .message([1: .repeated([copy("x", "y")])]),
                        ]
                    ),
                ]),
            network(
                "core-scatter", true,
                [
                    constant("i", [2], [1, -1]), constant("u", [2, 2, 4], (0..<16).map { Float($0) }),
                    Builder.layer("s", ["x", "i", "u"], ["y"], 935, [1: .int(1), 2: .int(4)]),
                ]),
            network(
                "core-boxes", true,
                [
                    constant("scores", [2, 4, 1], (0..<8).map { Float($0) / 8 }),
                    Builder.layer(
                        "n", ["x", "scores"], ["y", "b", "c", "d"], 1400, [1: .float(0.3), 2: .float(0.1), 3: .int(3)]),
                ]),
            network(
                "core-crops", true,
                [
                    Builder.layer("e", ["x"], ["image"], 1125, [1: .ints([0, 1])]),
                    constant("roi", [2, 1, 4, 1, 1], [0, 0, 3, 3, 1, 1, 2, 2]),
                    Builder.layer("c", ["image", "roi"], ["y"], 212, [1: .ints([2, 3]), 3: .message([1: .int(2)])]),
                ]),
            network(
                "core-volume", true,
                [
                    Builder.layer("e", ["x"], ["v"], 1125, [1: .ints([0, 1])]),
                    Builder.layer(
                        "p", ["v"], ["y"], 1465,
                        [1: .int(1), 2: .int(2), 3: .int(2), 4: .int(2), 8: .int(1), 12: .int(1)]),
                ]),
            network(
                "core-range", true,
                [
                    Builder.layer("r", ["x"], ["n"], 1260, [1: .ints([0, 1, 2])]),
                    Builder.layer("g", ["n"], ["y"], 640, [2: .float(1), 3: .float(0.5)]),
                ]),
        ]
    }

    // MARK: TensorFlow Lite

    private static func tflite() -> [(String, [UInt8])] {
        var files: [(String, [UInt8])] = []
        func add(_ name: String, _ build: (inout TFLiteBuilder, Int) -> Int) {
            var builder = TFLiteBuilder()
            let input = builder.input("x", [1, 4, 4, 2])
            builder.output(build(&builder, input))
            files.append((name, builder.file()))
        }
        let window: [Int: FlatValue] = [0: .int8(0), 1: .int32(1), 2: .int32(1)]
        add("convolution") { builder, input in
            let half = builder.constant("h", [2, 3, 3, 2], halves: (0..<36).map { Float($0) })
            let weights = builder.add(6, [half], to: "w", [2, 3, 3, 2])
            let bias = builder.constant("b", [2], [1, 2])
            let y = builder.add(3, [input, weights, bias], to: "y", [1, 4, 4, 2], options: (1, window))
            return builder.add(0, [y, input], to: "z", [1, 4, 4, 2], options: (11, [0: .int8(3)]))
        }
        add("depthwise") { builder, input in
            let weights = builder.constant("w", [1, 3, 3, 4], (0..<36).map { Float($0) })
            return builder.add(
                4, [input, weights], to: "y", [1, 2, 2, 4],
                options: (2, [0: .int8(0), 1: .int32(2), 2: .int32(2), 3: .int32(2), 4: .int8(1)]))
        }
        add("sparse") { builder, input in
            let levels: [[Int: FlatValue]] = [
                [1: .int32(2)], [1: .int32(1)], [1: .int32(1)],
                [
                    0: .int8(1), 2: .uint8(1), 3: .table([0: .int32s([0, 1, 2])]), 4: .uint8(3),
                    5: .table([0: .bytes([1, 0])]),
                ],
            ]
            let sparse = builder.constant(
                "s", [2, 1, 1, 2], [3, 4], fields: [6: .table([0: .int32s([0, 1, 2, 3]), 2: .tables(levels)])])
            let weights = builder.add(124, [sparse], to: "w", [2, 1, 1, 2])
            return builder.add(3, [input, weights], to: "y", [1, 4, 4, 2], options: (1, window))
        }
        add("transposed") { builder, input in
            let weights = builder.constant("w", [1, 2, 2, 2], (0..<8).map { Float($0) })
            let bias = builder.constant("b", [1], [1])
            return builder.add(
                custom: "Convolution2DTransposeBias", [input, weights, bias], to: "y", [1, 8, 8, 1],
                options: TFLiteBuilder.bytes([1, 2, 2] as [Int32]))
        }
        add("transposed to a size") { builder, input in
            let size = builder.constant("n", [4], ints: [1, 7, 8, 1])
            let weights = builder.constant("w", [1, 3, 3, 2], (0..<18).map { Float($0) })
            return builder.add(
                67, [size, weights, input], to: "y", [1, 7, 8, 1],
                options: (49, [0: .int8(0), 1: .int32(2), 2: .int32(2)]))
        }
        add("pools") { builder, input in
            let fields: [Int: FlatValue] = [0: .int8(0), 1: .int32(2), 2: .int32(2), 3: .int32(2), 4: .int32(2)]
            let largest = builder.add(17, [input], to: "m", [1, 2, 2, 2], options: (5, fields))
            let mean = builder.add(1, [input], to: "a", [1, 2, 2, 2], options: (5, fields))
            return builder.add(2, [largest, mean], to: "y", [1, 2, 2, 4], options: (10, [0: .int32(3)]))
        }
        add("resized") { builder, input in
            let size = builder.constant("n", [2], ints: [8, 7])
            let y = builder.add(23, [input, size], to: "l", [1, 8, 7, 2], options: (15, [3: .uint8(1)]))
            return builder.add(97, [y, size], to: "y", [1, 8, 7, 2], options: (74, [0: .uint8(1)]))
        }
        add("blocks") { builder, input in
            let block = builder.constant("n", [2], ints: [2, 2])
            let pads = builder.constant("p", [2, 2], ints: [0, 0, 0, 0])
            let batch = builder.add(38, [input, block, pads], to: "batch", [4, 2, 2, 2])
            let back = builder.add(37, [batch, block, pads], to: "back", [1, 4, 4, 2])
            let deep = builder.add(26, [back], to: "deep", [1, 2, 2, 8], options: (19, [0: .int32(2)]))
            return builder.add(5, [deep], to: "y", [1, 4, 4, 2], options: (94, [0: .int32(2)]))
        }
        add("slices") { builder, input in
            let begin = builder.constant("b", [4], ints: [0, 1, 0, 0])
            let end = builder.constant("e", [4], ints: [1, 4, 4, 1])
            let strides = builder.constant("s", [4], ints: [1, 2, 1, 1])
            let cut = builder.add(
                45, [input, begin, end, strides], to: "c", [1, 2, 4],
                options: (32, [0: .int32(1), 1: .int32(2), 4: .int32(8)]))
            let axis = builder.constant("a", [], ints: [2])
            let parts = [builder.tensor("p0", [1, 2, 2]), builder.tensor("p1", [1, 2, 2])]
            builder.add(49, [axis, cut], outputs: parts, options: (35, [0: .int32(2)]))
            let packed = builder.add(83, parts, to: "p", [2, 1, 2, 2], options: (59, [0: .int32(2), 1: .int32(0)]))
            let order = builder.constant("o", [4], ints: [3, 0, 2, 1])
            let turned = builder.add(39, [packed, order], to: "t", [2, 2, 2, 1])
            let pads = builder.constant("q", [4, 2], ints: [0, 0, 1, 1, 0, 2, 0, 0])
            let padded = builder.add(34, [turned, pads], to: "padded", [2, 4, 4, 1])
            return builder.add(100, [padded, pads], to: "y", [2, 6, 6, 1], options: (77, [0: .int8(1)]))
        }
        add("dense") { builder, input in
            let weights = builder.constant("w", [3, 32], (0..<96).map { Float($0) })
            let y = builder.add(9, [input, weights, -1], to: "f", [1, 3], options: (8, [0: .int8(1)]))
            let soft = builder.add(25, [y], to: "s", [1, 3], options: (9, [0: .float(1)]))
            let axis = builder.constant("a", [1], ints: [-1])
            return builder.add(40, [soft, axis], to: "y", [1], options: (27, [0: .uint8(0)]))
        }
        add("functions") { builder, input in
            var value = input
            for (index, code) in [19, 21, 14, 28, 117, 111, 101, 76, 92, 47].enumerated() {
                value = builder.add(Int32(code), [value], to: "f\(index)", [1, 4, 4, 2])
            }
            let slopes = builder.constant("a", [1, 1, 2], [0.1, 0.2])
            return builder.add(54, [value, slopes], to: "y", [1, 4, 4, 2])
        }
        add("quantised") { builder, input in
            let scale = TFLiteBuilder.quantization(scales: [0.5], zeroPoints: [-3])
            let bytes = builder.add(114, [input], to: "q", [1, 4, 4, 2], type: .int8, fields: [4: scale])
            let weights = builder.constant(
                "w", [2, 1, 1, 2], type: .int8, bytes: [1, 2, 3, 250],
                fields: [4: TFLiteBuilder.quantization(scales: [0.1, 0.2], zeroPoints: [0, 0])])
            let y = builder.add(
                3, [bytes, weights], to: "c", [1, 4, 4, 2], type: .int8, options: (1, window), fields: [4: scale])
            return builder.add(6, [y], to: "y", [1, 4, 4, 2])
        }
        return files
    }

    // MARK: ONNX

    private static func onnx() throws -> [(String, Data)] {
        var files: [(String, Data)] = []
        func add(_ name: String, _ build: (inout ONNXBuilder, String) throws -> String) throws {
            var builder = ONNXBuilder(opset: 17)
            let input = builder.input("x", [1, 2, 4, 4])
            builder.output(try build(&builder, input))
            files.append((name, builder.data()))
        }
        try add("convolution") { builder, x in
            let w = try builder.initialiser("w", [2, 2, 3, 3], (0..<36).map { Float($0) })
            let b = try builder.initialiser("b", [2], [1, 2] as [Float])
            let y = builder.node("Conv", [x, w, b], ["pads": [1, 1, 1, 1]])
            return builder.node("Relu", [builder.node("Add", [y, x])])
        }
        try add("depthwise") { builder, x in
            let w = try builder.initialiser("w", [2, 1, 3, 3], (0..<18).map { Float($0) })
            let y = builder.node("Conv", [x, w], ["group": 2, "strides": [2, 2], "auto_pad": "SAME_UPPER"])
            return builder.node("Clip", [y])
        }
        try add("normalised") { builder, x in
            let s = try builder.initialiser("s", [2], [1, 2] as [Float])
            let y = builder.node("BatchNormalization", [x, s, s, s, s], ["epsilon": 0.1])
            return builder.node("PRelu", [y, try builder.initialiser("a", [2, 1, 1], [0.1, 0.2] as [Float])])
        }
        try add("transposed") { builder, x in
            let w = try builder.initialiser("w", [2, 1, 2, 2], (0..<8).map { Float($0) })
            return builder.node("ConvTranspose", [x, w], ["strides": [2, 2], "output_padding": [1, 1]])
        }
        try add("pools") { builder, x in
            let m = builder.node("MaxPool", [x], ["kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1])
            let a = builder.node("AveragePool", [x], ["kernel_shape": [2, 2], "strides": [2, 2]])
            let y = builder.node("Concat", [m, a], ["axis": 1])
            return builder.node("GlobalAveragePool", [y])
        }
        try add("resized") { builder, x in
            let scales = try builder.initialiser("s", [4], [1, 1, 2, 1.5] as [Float])
            return builder.node(
                "Resize", [x, "", scales], ["mode": "linear", "coordinate_transformation_mode": "half_pixel"])
        }
        try add("shapes") { builder, x in
            let shape = builder.node("Shape", [x])
            let index = try builder.initialiser("i", [2], [0, 1] as [Int64])
            let part = builder.node("Gather", [shape, index], ["axis": 0])
            let open = try builder.initialiser("o", [1], [-1] as [Int64])
            let wanted = builder.node("Concat", [part, open], ["axis": 0])
            let flat = builder.node("Reshape", [x, wanted])
            let turned = builder.node("Transpose", [flat], ["perm": [2, 0, 1]])
            let axes = try builder.initialiser("a", [1], [0] as [Int64])
            return builder.node("Unsqueeze", [turned, axes])
        }
        try add("slices") { builder, x in
            let one = try builder.initialiser("one", [2], [1, 0] as [Int64])
            let many = try builder.initialiser("many", [2], [9, 3] as [Int64])
            let axes = try builder.initialiser("axes", [2], [2, 3] as [Int64])
            let cut = builder.node("Slice", [x, one, many, axes])
            builder.node("Split", [cut], outputs: ["p", "q"], ["axis": 1])
            let pads = try builder.initialiser("pads", [8], [0, 0, 1, 1, 0, 0, 2, 0] as [Int64])
            return builder.node("Pad", [builder.node("Mul", ["p", "q"]), pads], ["mode": "reflect"])
        }
        try add("matrices") { builder, x in
            let w = try builder.initialiser("w", [4, 3], (0..<12).map { Float($0) })
            let y = builder.node("Softmax", [builder.node("MatMul", [x, w])], ["axis": -1])
            let flat = builder.node("Flatten", [y])
            let v = try builder.initialiser("v", [2, 24], (0..<48).map { Float($0) })
            return builder.node("Gemm", [flat, v], ["transB": 1, "alpha": 0.5])
        }
        try add("detections") { builder, x in
            let shape = try builder.initialiser("n", [3], [1, 8, 4] as [Int64])
            let boxes = builder.node("Reshape", [x, shape])
            let scores = try builder.initialiser("s", [1, 1, 8], (0..<8).map { Float($0) })
            let most = try builder.initialiser("m", [1], [3] as [Int64])
            return builder.node("NonMaxSuppression", [boxes, scores, most])
        }
        try add("quantised") { builder, x in
            let scale = try builder.initialiser("s", [], [0.5] as [Float])
            let zero = try builder.initialiser("z", .uint8, [], elements: [128] as [UInt8])
            let q = builder.node("QuantizeLinear", [x, scale, zero])
            return builder.node("DequantizeLinear", [q, scale, zero])
        }
        return files
    }
}
