import XCTest

@testable import VisionInference

/// QuantizeLinear and its relatives as operators, and networks between them.
final class QuantisationTests: XCTestCase {
    private func evaluate(_ operation: any CPUOperator, _ inputs: [Tensor?]) throws -> [Tensor] {
        let descriptions = inputs.map { $0.map { TensorDescription($0) } }
        guard case .known(let outputs) = try operation.infer(descriptions) else {
            throw ModelError.invalid("the shapes are not known")
        }
        let results = try outputs.map { try Tensor(zeros: $0.shape, of: $0.type) }
        let step = try operation.prepare(descriptions, outputs, Preparation(weights: WeightCache()))
        let buffers = StepBuffers(
            inputs: inputs.map { $0?.view }, outputs: results.map(\.view),
            scratch: TensorStorage(byteCount: step.scratchBytes(threads: 1)).base)
        try step.run(buffers, .single)
        // The step and the evaluation of constants are two ways to the same bits.
        let folded = try CPUEvaluator().evaluate(operation, inputs, outputs: outputs)
        for (a, b) in zip(results, folded) { XCTAssertEqual(bytes(a), bytes(b)) }
        return results
    }

    private func bytes(_ tensor: Tensor) -> [UInt8] { tensor.withUnsafeBytes { Array($0) } }

    func testHalvesAreRoundedToTheEvenNeighbourAndBytesSaturate() throws {
        let values: [Float] = [0, 1, 3, 5, -1, -3, 1000, -1000, 2.99, .infinity, -.infinity]
        let result = try evaluate(
            QuantizeLinear(), [Tensor(values), Tensor(scalar: Float(2)), Tensor(scalar: UInt8(10))])
        XCTAssertEqual(result[0].values(as: UInt8.self), [10, 10, 12, 12, 10, 8, 255, 0, 11, 255, 0])
        let signed = try evaluate(
            QuantizeLinear(), [Tensor(values), Tensor(scalar: Float(2)), Tensor(scalar: Int8(-3))])
        XCTAssertEqual(signed[0].values(as: Int8.self), [-3, -3, -1, -1, -3, -5, 127, -128, -2, 127, -128])
    }

    func testWithoutZeroPointBytesAreUnsignedUnlessATypeIsNamed() throws {
        let input = try Tensor([Float(-1), 3])
        XCTAssertEqual(try evaluate(QuantizeLinear(), [input, Tensor(scalar: Float(1))])[0].integers, [0, 3])
        let short = try evaluate(QuantizeLinear(type: .int16), [input, Tensor(scalar: Float(0.001))])[0]
        XCTAssertEqual(short.type, .int16)
        XCTAssertEqual(short.integers, [-1000, 3000])
    }

    func testScalesBelongToAnAxis() throws {
        let input = try Tensor([Float(1), 2, 3, 4, 5, 6], shape: [1, 3, 2])
        let scales = try Tensor([Float(1), 0.5, 0.25])
        let zeros = try Tensor([UInt8(0), 100, 200])
        let result = try evaluate(QuantizeLinear(axis: 1), [input, scales, zeros])[0]
        XCTAssertEqual(result.integers, [1, 2, 106, 108, 220, 224])
        let back = try evaluate(DequantizeLinear(axis: -2), [result, scales, zeros])[0]
        XCTAssertEqual(back.floats, [1, 2, 3, 4, 5, 6])
        XCTAssertThrowsError(try evaluate(QuantizeLinear(axis: 2), [input, scales, zeros]))
        XCTAssertThrowsError(try evaluate(QuantizeLinear(axis: 7), [input, scales, zeros]))
    }

    func testDequantisedBytesAreExact() throws {
        let all = (0...255).map { UInt8($0) }
        let result = try evaluate(
            DequantizeLinear(), [Tensor(all), Tensor(scalar: Float(0.5)), Tensor(scalar: UInt8(128))])
        XCTAssertEqual(result[0].floats, (0...255).map { Float($0 - 128) * 0.5 })
        let signed = try evaluate(
            DequantizeLinear(), [Tensor([Int8(-128), 0, 127]), Tensor(scalar: Float(2)), Tensor(scalar: Int8(-128))])
        XCTAssertEqual(signed[0].floats, [0, 256, 510])
    }

    func testDynamicScalesCoverTheRangeAndZero() throws {
        // The example of the operator's specification.
        let result = try DynamicQuantizeLinear().results([Tensor([Float(0), 2, -3, -2.5, 1.34, 0.5])])
        XCTAssertEqual(result[0].integers, [153, 255, 0, 26, 221, 179])
        XCTAssertEqual(try XCTUnwrap(result[1].floats?.first), 0.0196078438, accuracy: 1e-9)
        XCTAssertEqual(result[2].integers, [153])
    }

    // MARK: Networks

    /// A picture network with most of what the pass knows, quantised with random photos.
    static func smallNetwork(seed: UInt64 = 1) throws -> ONNXModel {
        var random = TestRandom(seed: seed)
        var builder = ONNXBuilder(opset: 17)
        func weights(_ shape: [Int], _ size: Float) -> [Float] {
            (0..<shape.reduce(1, *)).map { _ in random.number() * size }
        }
        let x = builder.input("x", [1, 3, 23, 19])
        func convolution(
            _ input: String, _ name: String, _ shape: [Int], _ attributes: KeyValuePairs<String, ONNXAttribute.Value>,
            activation: String? = "Clip"
        ) throws -> String {
            let fan = Float(shape[1] * shape[2] * shape[3]).squareRoot()
            let w = try builder.initialiser("\(name)_w", shape, weights(shape, 1.7 / fan))
            let b = try builder.initialiser("\(name)_b", [shape[0]], weights([shape[0]], 0.3))
            let result = builder.node("Conv", [input, w, b], attributes, name: name)
            guard let activation else { return result }
            return builder.node(
                activation, activation == "Clip" ? [result, "zero", "six"] : [result], name: "\(name)_act")
        }
        try builder.initialiser("zero", [], [Float(0)])
        try builder.initialiser("six", [], [Float(6)])
        let stem = try convolution(x, "stem", [20, 3, 3, 3], ["strides": [2, 2], "pads": [0, 0, 1, 1]])
        let wide = try convolution(stem, "expand", [70, 20, 1, 1], [:])
        let deep = try convolution(
            wide, "depth", [70, 1, 3, 3], ["group": 70, "pads": [1, 1, 1, 1]], activation: "Relu")
        let narrow = try convolution(deep, "project", [20, 70, 1, 1], [:], activation: nil)
        let sum = builder.node("Add", [narrow, stem], name: "sum")
        let grouped = try convolution(
            sum, "grouped", [24, 10, 3, 3], ["group": 2, "dilations": [2, 2]], activation: "Sigmoid")
        let pooled = builder.node("MaxPool", [grouped], ["kernel_shape": [2, 2], "strides": [2, 2]], name: "pool")
        let fifth = try convolution(
            pooled, "fifth", [24, 1, 5, 5], ["group": 24, "pads": [2, 2, 2, 2]], activation: "Relu")
        let both = builder.node("Concat", [fifth, pooled], ["axis": 1], name: "both")
        let mean = builder.node("GlobalAveragePool", [both], name: "mean")
        let flat = builder.node("Flatten", [mean], name: "flat")
        let matrix = try builder.initialiser("fc_w", [9, 48], weights([9, 48], 0.4))
        let offset = try builder.initialiser("fc_b", [9], weights([9], 0.2))
        builder.output(
            builder.node("Gemm", [flat, matrix, offset], ["transB": 1], name: "fc", output: "y"), [1, 9])
        return builder.model
    }

    static func samples(_ count: Int, seed: UInt64 = 5) throws -> [[String: Tensor]] {
        var random = TestRandom(seed: seed)
        return try (0..<count).map { _ in
            ["x": try Tensor((0..<3 * 23 * 19).map { _ in random.number() }, shape: [1, 3, 23, 19])]
        }
    }

    private func nodeNames(_ model: ONNXModel, _ shape: Shape) throws -> [String] {
        var shaped = try ShapedGraph(ONNXImporter.graph(model), inputs: [TensorDescription(.float32, shape)])
        try Optimiser.run(&shaped)
        return shaped.graph.nodes.map(\.operation.name)
    }

    func testAQuantisedNetworkRunsOnBytesFromInputToOutput() throws {
        let model = try Quantiser(try Self.smallNetwork()).quantised(samples: try Self.samples(4))
        let names = try nodeNames(model, [1, 3, 23, 19])
        let expected: Set<String> = [
            "QuantiseImage", "QuantisedConv", "QuantisedConv(groups: 70)", "QuantisedConv(groups: 2)",
            "QuantisedConv(groups: 24)", "QuantisedAdd", "QuantisedLookup", "QuantisedMaxPool", "QuantisedAveragePool",
            "QuantisedGemm", "Concat",
        ]
        XCTAssertTrue(expected.isSubset(of: names), "missing: \(expected.subtracting(names))")
        let floats = names.filter { $0.hasPrefix("Conv") || $0.contains("MatMul") || $0.hasSuffix("tizeLinear") }
        XCTAssertTrue(floats.allSatisfy { $0 == "Concat" }, "left in floats: \(floats)")
    }

    func testThePassKeepsWhatTheConversionsMean() throws {
        let model = try Quantiser(try Self.smallNetwork()).quantised(samples: try Self.samples(4))
        let graph = try ONNXImporter.graph(model)
        let fast = try Session(graph: graph, options: .init(threads: 1))
        let plain = try Session(graph: graph, options: .init(threads: 1, optimises: false))
        for sample in try Self.samples(5, seed: 77) {
            let a = try XCTUnwrap(fast.run(sample)["y"]?.floats)
            let b = try XCTUnwrap(plain.run(sample)["y"]?.floats)
            let size = b.map(abs).max() ?? 0
            XCTAssertGreaterThan(size, 0.1)
            // Rounding at another operation may move a byte by one here and there.
            for (x, y) in zip(a, b) { XCTAssertEqual(x, y, accuracy: 0.02 * size) }
        }
    }

    func testThreadsDoNotChangeABit() throws {
        let model = try Quantiser(try Self.smallNetwork()).quantised(samples: try Self.samples(2))
        let session = try Session(graph: ONNXImporter.graph(model), options: .init(threads: 3))
        let sample = try Self.samples(1, seed: 9)[0]
        let one = try XCTUnwrap(session.run(sample, threads: 1)["y"])
        for threads in 2...3 { XCTAssertEqual(try session.run(sample, threads: threads)["y"]?.floats, one.floats) }
    }

    func testSignedBytesBetweenLayersRunOnTheSameKernels() throws {
        var random = TestRandom(seed: 3)
        var builder = ONNXBuilder(opset: 17)
        var x = builder.input("x", [1, 4, 9, 8])
        for layer in 0..<2 {
            let scale = try builder.initialiser("s\(layer)", [], [Float(0.02)])
            let zero = try builder.initialiser("z\(layer)", .int8, [], elements: [Int8(layer == 0 ? -7 : 5)])
            x = builder.node("QuantizeLinear", [x, scale, zero])
            x = builder.node("DequantizeLinear", [x, scale, zero])
            let w = try builder.initialiser(
                "w\(layer)", .int8, [4, 4, 3, 3], elements: (0..<144).map { _ in Int8(random.number() * 127) })
            let ws = try builder.initialiser("ws\(layer)", [4], [Float(0.002), 0.003, 0.001, 0.002])
            let weights = builder.node("DequantizeLinear", [w, ws], ["axis": 0])
            x = builder.node("Conv", [x, weights], ["pads": [1, 1, 1, 1]])
        }
        builder.output(x)
        let names = try nodeNames(builder.model, [1, 4, 9, 8])
        XCTAssertEqual(names.filter { $0 == "QuantisedConv" }.count, 2, "\(names)")
        let graph = try ONNXImporter.graph(builder.model)
        let sample = ["x": try Tensor((0..<288).map { _ in random.number() * 2 }, shape: [1, 4, 9, 8])]
        let output = graph.outputs[0].name
        let a = try XCTUnwrap(Session(graph: graph).run(sample)[output]?.floats)
        let b = try XCTUnwrap(Session(graph: graph, options: .init(optimises: false)).run(sample)[output]?.floats)
        for (x, y) in zip(a, b) { XCTAssertEqual(x, y, accuracy: 0.02) }
    }

    func testBiasesFarLargerThanTheWeightsKeepTheirValue() throws {
        var builder = ONNXBuilder(opset: 17)
        let x = builder.input("x", [1, 2, 3, 3])
        let scale = try builder.initialiser("s", [], [Float(0.01)])
        let zero = try builder.initialiser("z", .uint8, [], elements: [UInt8(128)])
        let bytes = builder.node("DequantizeLinear", [builder.node("QuantizeLinear", [x, scale, zero]), scale, zero])
        let w = try builder.initialiser("w", .int8, [2, 2, 1, 1], elements: [Int8(100), -50, 3, 7])
        // The second channel was switched off in training: its weights are nearly nothing.
        let ws = try builder.initialiser("ws", [2], [Float(0.01), 1e-12])
        let weights = builder.node("DequantizeLinear", [w, ws], ["axis": 0])
        let bias = try builder.initialiser("b", [2], [Float(0.25), -0.75])
        builder.output(builder.node("Conv", [bytes, weights, bias], output: "y"))
        XCTAssertTrue(try nodeNames(builder.model, [1, 2, 3, 3]).contains("QuantisedConv"))
        let result =
            try Session(graph: ONNXImporter.graph(builder.model))
            .run(["x": Tensor([Float](repeating: 0.5, count: 18), shape: [1, 2, 3, 3])])["y"]?.floats ?? []
        XCTAssertEqual(result.count, 18)
        for value in result.prefix(9) { XCTAssertEqual(value, 0.25 + 0.5 * 0.5, accuracy: 1e-4) }
        for value in result.suffix(9) { XCTAssertEqual(value, -0.75, accuracy: 1e-6) }
    }
}

extension Operator {
    /// Results of a plain run.
    func results(_ inputs: [Tensor]) throws -> [Tensor] {
        guard case .known(let outputs) = try infer(inputs.map { TensorDescription($0) }) else { return [] }
        return try CPUEvaluator().evaluate(self, inputs, outputs: outputs)
    }
}

/// Numbers between −1 and 1, the same for the same seed.
struct TestRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func number() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) / Float(1 << 23) - 1
    }
}
