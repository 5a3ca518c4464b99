import XCTest

@testable import VisionInference

/// What exporters write in several nodes, and calibrations that are known already.
final class QuantiserPatternsTests: XCTestCase {
    /// As PaddlePaddle's exporter writes networks of operator set 11: biases are added, each result passes through an
    /// Identity, and GELU is spelled out.
    private func paddleNetwork() throws -> ONNXModel {
        var random = TestRandom(seed: 3)
        var builder = ONNXBuilder(opset: 11)
        func weights(_ name: String, _ shape: [Int], _ size: Float) throws -> String {
            try builder.initialiser(name, shape, (0..<shape.reduce(1, *)).map { _ in random.number() * size })
        }
        func scalar(_ name: String, _ value: Float) throws -> String { try builder.initialiser(name, [], [value]) }
        let x = builder.input("x", [1, 4, 9, 7])
        let w = try weights("w", [16, 4, 1, 1], 0.8)
        let product = builder.node("Conv", [x, w], name: "first")
        let sum = builder.node("Add", [product, try weights("b", [1, 16, 1, 1], 0.5)], output: "wide")
        let same = builder.node("Identity", [sum])
        let scaled = builder.node("Div", [same, try scalar("root", Float(2).squareRoot())])
        let gate = builder.node("Add", [builder.node("Erf", [scaled]), try scalar("one", 1)])
        let gelu = builder.node(
            "Mul", [builder.node("Mul", [same, gate]), try scalar("half", 0.5)], name: "gelu", output: "gelu")
        let narrow = builder.node(
            "Conv", [gelu, try weights("v", [6, 16, 1, 1], 0.3)], name: "second", output: "narrow")
        let mean = builder.node("GlobalAveragePool", [narrow])
        let row = builder.node("Squeeze", [mean], ["axes": [2, 3]], output: "row")
        let last = builder.node("MatMul", [row, try weights("u", [6, 5], 0.7)], name: "last")
        let biased = builder.node("Add", [last, try weights("c", [5], 0.4)])
        builder.output(builder.node("Softmax", [biased], ["axis": -1], output: "y"))
        return builder.model
    }

    private let ranges: [String: ClosedRange<Float>] = [
        "x": -1...1, "wide": -3...3, "gelu": -0.17...3, "row": -2...2,
    ]

    private func sample(_ seed: UInt64) throws -> [String: Tensor] {
        var random = TestRandom(seed: seed)
        return ["x": try Tensor((0..<4 * 9 * 7).map { _ in random.number() }, shape: [1, 4, 9, 7])]
    }

    private func results(_ model: ONNXModel) throws -> [[Float]] {
        let session = try Session(graph: ONNXImporter.graph(model), options: .init(threads: 1))
        return try (0..<4).map { try XCTUnwrap(session.run(try sample(40 + $0))["y"]?.floats) }
    }

    private func operators(_ model: ONNXModel) throws -> [String] {
        var shaped = try ShapedGraph(
            ONNXImporter.graph(model), inputs: [TensorDescription(.float32, [1, 4, 9, 7])])
        try Optimiser.run(&shaped)
        return shaped.graph.nodes.map(\.operation.name)
    }

    private func calibrated(_ corrections: [String: [Float]] = [:]) throws -> ONNXModel {
        try Quantiser(try paddleNetwork(), options: .init(tensors: Set(ranges.keys)))
            .quantised(ranges: ranges, corrections: corrections)
    }

    func testBiasesIdentitiesAndSpelledOutActivationsRunOnBytes() throws {
        let model = try calibrated()
        XCTAssertEqual(model.opsets[""], 13)
        let names = try operators(model)
        XCTAssertEqual(names.count { $0 == "QuantisedConv" }, 2, "\(names)")
        XCTAssertEqual(names.count { $0 == "QuantisedLookup" }, 1, "GELU is a table: \(names)")
        XCTAssertEqual(names.count { $0 == "QuantisedGemm" }, 1, "\(names)")
        XCTAssertFalse(names.contains("Add"), "biases are part of their layers: \(names)")
        XCTAssertFalse(names.contains { $0 == "Erf" || $0 == "Gelu" }, "\(names)")
        for (a, b) in zip(try results(try paddleNetwork()), try results(model)) {
            XCTAssertNotEqual(a, b)
            for (x, y) in zip(a, b) { XCTAssertEqual(x, y, accuracy: 0.02) }
        }
    }

    func testTheFileMeansWhatItRunsAs() throws {
        let graph = try ONNXImporter.graph(try calibrated())
        let plain = try Session(graph: graph, options: .init(threads: 1, optimises: false))
        let fast = try Session(graph: graph, options: .init(threads: 1))
        for seed in 1...3 {
            let input = try sample(UInt64(seed))
            let a = try XCTUnwrap(plain.run(input)["y"]?.floats), b = try XCTUnwrap(fast.run(input)["y"]?.floats)
            for (x, y) in zip(a, b) { XCTAssertEqual(x, y, accuracy: 0.005) }
        }
    }

    /// x × sigmoid(x) is one function of a byte: neither the sigmoid nor a product of bytes.
    func testASpelledOutSwishIsOneTable() throws {
        var random = TestRandom(seed: 5)
        var builder = ONNXBuilder(opset: 13)
        let x = builder.input("x", [1, 4, 9, 7])
        let w = try builder.initialiser("w", [8, 4, 1, 1], (0..<32).map { _ in random.number() })
        let wide = builder.node("Conv", [x, w], output: "wide")
        let swish = builder.node("Mul", [wide, builder.node("Sigmoid", [wide], output: "gate")], output: "swish")
        let v = try builder.initialiser("v", [3, 8, 1, 1], (0..<24).map { _ in random.number() })
        builder.output(builder.node("Conv", [swish, v], output: "y"))
        let float = builder.model
        let samples = try (0..<4).map { try sample(50 + $0) }
        let model = try Quantiser(float, options: .init(threads: 1)).quantised(samples: samples)
        let made = model.graph.nodes.filter { $0.operatorType == "QuantizeLinear" }.map { $0.inputs[0] }
        XCTAssertEqual(Set(made), ["x", "wide", "swish"])
        let names = try operators(model)
        XCTAssertEqual(names.count { $0 == "QuantisedLookup" }, 1, "\(names)")
        XCTAssertFalse(names.contains { $0.hasPrefix("QuantisedMul") || $0 == "Sigmoid" }, "\(names)")
        for (a, b) in zip(try results(float), try results(model)) {
            for (x, y) in zip(a, b) { XCTAssertEqual(x, y, accuracy: 0.05) }
        }
    }

    func testOnlyTensorsThatAreAllowedBecomeBytes() throws {
        let model = try Quantiser(try paddleNetwork(), options: .init(tensors: ["row"])).quantised(ranges: ranges)
        let made = model.graph.nodes.filter { $0.operatorType == "QuantizeLinear" }.map { $0.inputs[0] }
        XCTAssertEqual(made, ["row"])
        XCTAssertThrowsError(
            try Quantiser(try paddleNetwork(), options: .init(tensors: ["elsewhere"])), "nothing is left to quantise")
    }

    /// Weights in 8 bits with a scale for each channel, as compressed files store them, are constants of a layer.
    func testWeightsThatAreMadeOfConstantsAreQuantised() throws {
        func network(compressed: Bool) throws -> ONNXModel {
            var builder = ONNXBuilder(opset: 11)
            let x = builder.input("x", [1, 2, 1, 3])
            let bytes: [Int8] = [100, -50, 25, 12]
            let scales: [Float] = [0.01, 0.02]
            let weights: String
            if compressed {
                let stored = try builder.initialiser("stored", .int8, [2, 2, 1], elements: bytes)
                let cast = builder.node("Cast", [stored], ["to": 1])
                let scaled = builder.node("Mul", [cast, try builder.initialiser("scales", [2, 1, 1], scales)])
                weights = builder.node("Unsqueeze", [builder.node("Identity", [scaled])], ["axes": [3]])
            } else {
                weights = try builder.initialiser(
                    "w", [2, 2, 1, 1], bytes.enumerated().map { Float($1) * scales[$0 / 2] })
            }
            builder.output(builder.node("Conv", [x, weights], output: "y"))
            return try Quantiser(builder.model).quantised(ranges: ["x": -1...1])
        }
        let input = ["x": try Tensor([Float(0.5), -0.5, 1, 0.25, -1, 0.75], shape: [1, 2, 1, 3])]
        let results = try [true, false].map { compressed in
            let model = try network(compressed: compressed)
            XCTAssertTrue(model.graph.nodes.contains { $0.operatorType == "QuantizeLinear" })
            XCTAssertFalse(model.graph.nodes.contains { $0.operatorType == "Cast" })
            return try Session(graph: ONNXImporter.graph(model)).run(input)["y"]?.floats
        }
        XCTAssertNotNil(results[0])
        XCTAssertEqual(results[0], results[1])
    }

    /// Shapes that are computed of constants are whole numbers; nothing reads the other constant.
    func testComputedShapesAndUnreadConstantsDoNotMatter() throws {
        for isRead in [true, false] {
            var builder = ONNXBuilder(opset: 13)
            let x = builder.input("x", [1, 2, 1, 3])
            let weights = try builder.initialiser("w", [2, 2, 1, 1], [1, 0.5, -0.25, 1])
            let narrow = try builder.initialiser("shape", .int32, [2], elements: [Int32(2), 3])
            let shape = builder.node("Identity", [builder.node("Cast", [narrow], ["to": 7])])
            let made = builder.node("Conv", [x, weights], output: isRead ? nil : "y")
            builder.output(isRead ? builder.node("Reshape", [made, shape], output: "y") : made)
            let model = try Quantiser(builder.model).quantised(ranges: ["x": -1...1, made: -2...2])
            XCTAssertTrue(model.graph.nodes.contains { $0.operatorType == "QuantizeLinear" })
            let input = ["x": try Tensor([Float(0.5), -0.5, 1, 0.25, -1, 0.75], shape: [1, 2, 1, 3])]
            let result = try XCTUnwrap(try Session(graph: ONNXImporter.graph(model)).run(input)["y"])
            XCTAssertEqual(Array(result.shape), isRead ? [2, 3] : [1, 2, 1, 3])
        }
    }

    func testCorrectionsAreAddedToBiases() throws {
        // What the second layer's channels gain is what the row gains, and the last layer's products of it.
        let shift: [Float] = [0.5, -0.25, 0, 0.125, -0.5, 0.25]
        let (plain, moved) = (try calibrated(), try calibrated(["narrow": shift]))
        func row(_ model: ONNXModel) throws -> [Float] {
            var model = model
            model.graph.outputs = [ONNXValueInfo("narrow", nil)]
            let session = try Session(graph: ONNXImporter.graph(model), options: .init(threads: 1))
            return try XCTUnwrap(session.run(try sample(7))["narrow"]?.floats)
        }
        for (index, (a, b)) in zip(try row(plain), try row(moved)).enumerated() {
            XCTAssertEqual(b - a, shift[index / 63], accuracy: 0.002)
        }
        XCTAssertThrowsError(try calibrated(["narrow": [1]]), "one number for six channels")
    }

    func testWhatGraphsWithinNodesReadKeepsItsName() throws {
        func folded(readWithin names: [String]) throws -> [String] {
            var builder = ONNXBuilder(opset: 13)
            let x = builder.input("x", [1, 2, 3, 3])
            let same = builder.node("Identity", [x], output: "same")
            let w = try builder.initialiser("w", [2, 2, 1, 1], [Float(1), 0, 0, 1])
            let product = builder.node("Conv", [same, w], output: "product")
            let b = try builder.initialiser("b", [1, 2, 1, 1], [Float(1), 2])
            builder.output(builder.node("Add", [product, b], output: "y"))
            if !names.isEmpty {
                var branch = ONNXBuilder(opset: 13)
                branch.output(branch.node("Max", names, output: "inner"))
                builder.output(
                    builder.node("If", ["c"], ["then_branch": .graph(branch.model.graph)], output: "z"))
            }
            var model = builder.model
            try BiasFolding.run(&model)
            return model.graph.nodes.map(\.operatorType)
        }
        XCTAssertEqual(try folded(readWithin: []), ["Conv"])
        XCTAssertEqual(try folded(readWithin: ["product"]), ["Conv", "Add", "If"])
        XCTAssertEqual(try folded(readWithin: ["same"]), ["Identity", "Conv", "If"])
    }
}
