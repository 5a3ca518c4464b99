import XCTest

@testable import VisionInference

final class QuantiserTests: XCTestCase {
    private func results(_ model: ONNXModel, _ samples: [[String: Tensor]]) throws -> [[Float]] {
        let session = try Session(graph: ONNXImporter.graph(model), options: .init(threads: 1))
        return try samples.map { try XCTUnwrap(session.run($0)["y"]?.floats) }
    }

    func testEveryMethodStaysCloseToTheFloatNetwork() throws {
        let model = try QuantisationTests.smallNetwork()
        let test = try QuantisationTests.samples(6, seed: 99)
        let wanted = try results(model, test)
        for method in [Quantiser.Method.extremes, .percentile(1e-4), .leastSquares, .entropy] {
            let quantised = try Quantiser(model, options: .init(method: method))
                .quantised(samples: try QuantisationTests.samples(8))
            let got = try results(quantised, test)
            for (a, b) in zip(wanted, got) {
                let size = a.map(abs).max() ?? 0
                let error = zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
                XCTAssertLessThan(error, 0.08 * size, "\(method)")
            }
        }
    }

    func testTheFileIsReadAgain() throws {
        let quantised = try Quantiser(try QuantisationTests.smallNetwork())
            .quantised(samples: try QuantisationTests.samples(2))
        let read = try ONNXModel(quantised.serialised(), folder: nil)
        XCTAssertEqual(read.graph.nodes.count, quantised.graph.nodes.count)
        let test = try QuantisationTests.samples(1, seed: 4)
        XCTAssertEqual(try results(read, test), try results(quantised, test))
        // A quarter of the floats, but for scales and biases.
        let weights = try QuantisationTests.smallNetwork().graph.initialisers.filter { $0.shape.count > 1 }
        for tensor in weights { XCTAssertFalse(read.graph.initialisers.contains { $0.name == tensor.name }) }
    }

    func testNormalisationsBecomePartOfTheirConvolutions() throws {
        var random = TestRandom(seed: 8)
        var builder = ONNXBuilder(opset: 17)
        let x = builder.input("x", [1, 3, 23, 19])
        let w = try builder.initialiser("w", [6, 3, 3, 3], (0..<162).map { _ in random.number() })
        let c = builder.node("Conv", [x, w], name: "conv")
        let numbers = try ["scale", "bias", "mean", "variance"].map { name in
            try builder.initialiser(name, [6], (0..<6).map { _ in 1 + 0.5 * random.number() })
        }
        let n = builder.node("BatchNormalization", [c] + numbers, name: "norm")
        let v = try builder.initialiser("v", [4, 6, 1, 1], (0..<24).map { _ in random.number() })
        builder.output(builder.node("Conv", [builder.node("Relu", [n]), v], output: "y"))
        let quantised = try Quantiser(builder.model).quantised(samples: try QuantisationTests.samples(4))
        XCTAssertFalse(quantised.graph.nodes.contains { $0.operatorType == "BatchNormalization" })
        XCTAssertFalse(quantised.graph.nodes.contains { $0.operatorType == "Relu" }, "bytes end at zero anyway")
        let test = try QuantisationTests.samples(2, seed: 31)
        for (a, b) in zip(try results(builder.model, test), try results(quantised, test)) {
            let size = a.map(abs).max() ?? 0
            for (x, y) in zip(a, b) { XCTAssertEqual(x, y, accuracy: 0.05 * size) }
        }
    }

    func testExcludedNodesStayInFloats() throws {
        let quantised = try Quantiser(
            try QuantisationTests.smallNetwork(), options: .init(excludedNodes: ["fc", "stem"])
        ).quantised(samples: try QuantisationTests.samples(1))
        for name in ["fc", "stem"] {
            let node = try XCTUnwrap(quantised.graph.nodes.first { $0.name == name })
            XCTAssertTrue(quantised.graph.initialisers.contains { $0.name == node.inputs[1] && $0.type == .float })
        }
        let other = try XCTUnwrap(quantised.graph.nodes.first { $0.name == "expand" })
        XCTAssertFalse(quantised.graph.initialisers.contains { $0.name == other.inputs[1] })
    }

    func testRangesThatAreKnownGiveTheSameNetworkAsTheSamplesThatShowedThem() throws {
        let quantiser = try Quantiser(try QuantisationTests.smallNetwork())
        let sampled = try quantiser.quantised(samples: try QuantisationTests.samples(4))
        var ranges: [String: ClosedRange<Float>] = [:]
        for tensor in sampled.graph.initialisers where tensor.name.hasSuffix("_zero_point") && tensor.type == .uint8 {
            let name = String(tensor.name.dropLast("_zero_point".count))
            let step = try XCTUnwrap(sampled.graph.initialisers.first { $0.name == "\(name)_scale" })
            let scale = try XCTUnwrap(Tensor(step).floats?.first)
            let zero = Float(try XCTUnwrap(Tensor(tensor).withUnsafeBytes { $0.first }))
            ranges[name] = (-zero * scale)...((255 - zero) * scale)
        }
        let known = try quantiser.quantised(ranges: ranges)
        let test = try QuantisationTests.samples(3, seed: 12)
        for (a, b) in zip(try results(sampled, test), try results(known, test)) {
            let size = a.map(abs).max() ?? 0
            for (x, y) in zip(a, b) { XCTAssertEqual(x, y, accuracy: 1e-3 * size) }
        }
        ranges["x"] = nil
        XCTAssertThrowsError(try quantiser.quantised(ranges: ranges)) { XCTAssertTrue("\($0)".contains("x"), "\($0)") }
    }

    func testWhatCannotBeQuantisedIsRefused() throws {
        let model = try QuantisationTests.smallNetwork()
        XCTAssertThrowsError(try Quantiser(model).quantised(samples: []))
        var old = model
        old.opsets = ["": 9]
        XCTAssertThrowsError(try Quantiser(old))
        var builder = ONNXBuilder(opset: 17)
        builder.output(builder.node("Relu", [builder.input("x", [1, 3])]))
        XCTAssertThrowsError(try Quantiser(builder.model))
        let endless = ["x": try Tensor([Float](repeating: .infinity, count: 3 * 23 * 19), shape: [1, 3, 23, 19])]
        XCTAssertThrowsError(try Quantiser(model).quantised(samples: [endless]))
    }

    // MARK: Ranges

    private func statistics(_ values: [Float]) -> TensorStatistics {
        var result = TensorStatistics()
        values.withUnsafeBufferPointer { result.extend($0) }
        result.prepareHistogram()
        values.withUnsafeBufferPointer { result.count($0) }
        return result
    }

    func testOutliersAreCutOffByAllMethodsButExtremes() throws {
        var random = TestRandom(seed: 2)
        let values = (0..<20_000).map { _ in abs(random.number() + random.number() + random.number()) } + [60]
        let statistics = statistics(values)
        XCTAssertEqual(statistics.range(.extremes).upperBound, 60)
        XCTAssertLessThan(statistics.range(.percentile(1e-3)).upperBound, 4)
        XCTAssertLessThan(statistics.range(.leastSquares).upperBound, 60)
        for method in [Quantiser.Method.percentile(1e-3), .leastSquares, .entropy] {
            XCTAssertEqual(statistics.range(method).lowerBound, 0, accuracy: 0.05, "\(method)")
        }
    }

    func testZeroIsAlwaysOneOfTheNumbers() {
        for range: ClosedRange<Float> in [0...6, -1...1, 2...5, -7 ... -3, 0...0, -0.01...10] {
            let scale = QuantisedScale(range: range)
            XCTAssertTrue((0...255).contains(scale.zeroPoint))
            XCTAssertEqual(scale.value(UInt8(scale.zeroPoint)), 0)
            XCTAssertLessThanOrEqual(scale.range.lowerBound, min(range.lowerBound, 0) + scale.scale)
            XCTAssertGreaterThanOrEqual(scale.range.upperBound, max(range.upperBound, 0) - scale.scale)
        }
    }
}
