import ModelTestSupport
import XCTest

@testable import VisionInference

/// Networks in 8 bits whose channels differ too much for one scale a tensor.
final class ChannelQuantiserTests: PassTestCase {
    /// The factors that the channels of "wide" have, and that the next layer takes back.
    private static let factors: [Float] = (0..<16).map { pow(10, Float($0 % 5) - 4) }

    /// An inverted residual with zeros around its depthwise layer, enlarged, and a layer on it in floats. The channels
    /// of "wide" differ ten-thousandfold.
    ///
    /// - Parameter offset: What is added to the tensors that are summed. If it is large, they and their sum are cut off
    ///   at 6.
    private func network(offset: Float = 0) throws -> Graph {
        var random = TestRandom(seed: 7)
        var graph = Graph()
        func constant(_ name: String, _ shape: Shape, _ size: Float, _ factor: (Int) -> Float = { _ in 1 }) throws
            -> Graph.ValueID
        {
            let values = (0..<shape.elementCount).map { random.number() * size * factor($0) }
            return graph.addValue(name, constant: try Tensor(values, shape: shape))
        }
        func convolution(_ groups: Int, _ side: Int, _ activation: Activation) -> Convolution {
            var result = Convolution(
                geometry: WindowGeometry(kernelHeight: side, kernelWidth: side), groups: groups,
                order: groups > 1 ? .ihwo : .ohwi)
            result.activation = activation
            return result
        }
        let factors = Self.factors
        let image = graph.addInput("image", .float32, [1, 8, 6, 3])
        let none = Activation(.identity)
        func shifted(_ name: String, _ size: Float) throws -> Graph.ValueID {
            graph.addValue(name, constant: try Tensor((0..<8).map { _ in random.number() * size + offset }))
        }
        let narrow = graph.add(
            convolution(1, 1, none), [image, try constant("a", [8, 1, 1, 3], 1), try shifted("a0", 0.5)],
            name: "narrow")
        let wide = graph.add(
            convolution(1, 1, .relu6),
            [
                narrow, try constant("b", [16, 1, 1, 8], 0.6) { factors[$0 / 8] },
                try constant("b0", [16], 0.3) { factors[$0] },
            ], name: "wide")
        let around = graph.addValue("around", constant: try Tensor([Int64](arrayLiteral: 0, 1, 1, 0, 0, 1, 1, 0)))
        let padded = graph.add(Pad(), [wide, around], name: "padded")
        let deep = graph.add(
            convolution(16, 3, .relu6),
            [padded, try constant("c", [1, 3, 3, 16], 0.5) { 1 / factors[$0 % 16] }, try constant("c0", [16], 0.3)],
            name: "deep")
        let back = graph.add(
            convolution(1, 1, offset == 0 ? none : .relu6),
            [deep, try constant("d", [8, 1, 1, 16], 0.4), try shifted("d0", 0.2)], name: "back")
        let sum = graph.add(BinaryOperation(kind: .add), [back, narrow], name: "sum")
        let positive = graph.add(ActivationOperation(activation: .relu6), [sum], name: "positive")
        let large = graph.add(
            ResizeImage(filter: .bilinear, coordinates: .halfPixel, height: 16, width: 12), [positive], name: "large")
        let last = graph.add(
            convolution(1, 1, .relu), [large, try constant("e", [5, 1, 1, 8], 0.5), try constant("e0", [5], 0.5)],
            name: "last")
        let twice = graph.add(BinaryOperation(kind: .add), [positive, positive], name: "twice")
        graph.addOutput(last, name: "last", .float32)
        graph.addOutput(twice, name: "twice", .float32)
        return graph
    }

    private static let sharing = ["narrow", "back", "sum", "positive", "large"]

    /// What samples say of the network's tensors.
    private func calibration(of graph: Graph, byChannel: Bool = true) throws -> ChannelCalibration {
        var observed = graph
        observed.outputs = []
        let names = Self.sharing + ["wide", "deep"]
        for name in names {
            observed.addOutput(try XCTUnwrap(graph.values.firstIndex { $0.name == name }), name: name, .float32)
        }
        let session = try Session(graph: observed, options: .init(threads: 1))
        var largest: [String: [Float]] = [:], signed: Set<String> = []
        for seed in 0..<20 {
            for (name, tensor) in try session.run(["image": try image(UInt64(100 + seed))]) {
                let channels = tensor.shape[3]
                for (index, value) in try XCTUnwrap(tensor.floats).enumerated() {
                    let known = largest[name]?[index % channels] ?? 1e-6
                    largest[name, default: [Float](repeating: 1e-6, count: channels)][index % channels] =
                        max(known, abs(value))
                    if value < 0 { signed.insert(name) }
                }
            }
        }
        let shared = (0..<8).map { channel in Self.sharing.map { largest[$0]?[channel] ?? 0 }.max() ?? 0 }
        for name in Self.sharing { largest[name] = shared }
        var tensors: [String: ChannelCalibration.ByteTensor] = [:]
        for (name, scales) in largest {
            let most = try XCTUnwrap(scales.max())
            tensors[name] = .init(
                scales: byChannel ? scales : [Float](repeating: most, count: scales.count),
                range: (signed.contains(name) ? -1 : 0)...1)
        }
        // The sum becomes bytes behind its activation only.
        tensors["sum"] = nil
        return ChannelCalibration(
            tensors: tensors,
            corrections: [
                "wide": .init(repeating: 0, count: 16), "deep": .init(repeating: 0, count: 16),
                "back": .init(repeating: 0, count: 8), "last": .init(repeating: 0, count: 5),
            ])
    }

    private func image(_ seed: UInt64) throws -> Tensor {
        var random = TestRandom(seed: seed)
        return try Tensor((0..<8 * 6 * 3).map { _ in random.number() }, shape: [1, 8, 6, 3])
    }

    /// The root of the mean squared difference of the outputs, relative to that of the outputs themselves.
    private func difference(_ one: Graph, _ other: Graph) throws -> [String: Float] {
        let sessions = try [one, other].map { try Session(graph: $0, options: .init(threads: 1)) }
        var sums: [String: (error: Float, power: Float)] = [:]
        for seed in 1...10 {
            let results = try sessions.map { try $0.run(["image": try image(UInt64(seed))]) }
            for (name, wanted) in results[0] {
                for (a, b) in zip(try XCTUnwrap(wanted.floats), try XCTUnwrap(results[1][name]?.floats)) {
                    sums[name, default: (0, 0)].error += (a - b) * (a - b)
                    sums[name, default: (0, 0)].power += a * a
                }
            }
        }
        return sums.mapValues { ($0.error / $0.power).squareRoot() }
    }

    func testChannelsOfAllSizesKeepTheirNumbers() throws {
        let graph = try network()
        let bytes = try ChannelQuantiser.quantised(graph, calibration(of: graph))
        let fine = try difference(graph, bytes)
        for (name, error) in fine { XCTAssertLessThan(error, 0.03, name) }
        // With one scale for all channels the small ones are lost.
        let one = try ChannelQuantiser.quantised(graph, calibration(of: graph, byChannel: false))
        for (name, error) in try difference(graph, one) { XCTAssertGreaterThan(error, 2 * (fine[name] ?? 1), name) }
    }

    /// The scales of a sum go beyond the bound of the activation of what is added, and of its own.
    func testActivationsCutOffWhatBytesDoNot() throws {
        let graph = try network(offset: 5)
        let calibration = try calibration(of: graph)
        XCTAssertGreaterThan(try XCTUnwrap(calibration.tensors["back"]?.scales.max()), 6)
        let bytes = try ChannelQuantiser.quantised(graph, calibration)
        for (name, error) in try difference(graph, bytes) { XCTAssertLessThan(error, 0.03, name) }
    }

    /// The engine runs on bytes what the graph says with conversions.
    func testEverythingBetweenConversionsRunsOnBytes() throws {
        let graph = try network()
        let bytes = try ChannelQuantiser.quantised(graph, calibration(of: graph))
        let names = try optimised(bytes)
        XCTAssertEqual(names.count { $0 == "QuantisedConvolution" }, 4, "\(names)")
        XCTAssertEqual(names.count { $0 == "QuantisedBinary" }, 1, "\(names)")
        XCTAssertEqual(names.count { $0 == "Convolution" }, 1, "the first layer: \(names)")
        XCTAssertFalse(names.contains("Pad"), "zeros are part of the layer: \(names)")
        let plain = try Session(graph: bytes, options: .init(threads: 1, optimises: false))
        let fast = try Session(graph: bytes, options: .init(threads: 2))
        for seed in 1...5 {
            let input = ["image": try image(UInt64(seed))]
            let (a, b) = (try plain.run(input), try fast.run(input))
            for name in ["last", "twice"] {
                for (x, y) in zip(try XCTUnwrap(a[name]?.floats), try XCTUnwrap(b[name]?.floats)) {
                    // Half a unit may be rounded up or down.
                    XCTAssertEqual(x, y, accuracy: 0.06, name)
                }
            }
        }
    }

    /// Ones around an image are ones, whatever its channels are divided by, and further channels have no scale.
    func testOtherPaddingIsOfFloats() throws {
        for (value, channels) in [(Float(1), Int64(0)), (0, 2)] {
            var graph = try network()
            let positive = try XCTUnwrap(graph.values.firstIndex { $0.name == "positive" })
            let pads: [Int64] = [0, 1, 1, 0, 0, 1, 1, channels]
            let around = graph.addValue("pads", constant: try Tensor(pads))
            let number = graph.addValue("number", constant: try Tensor([value], shape: []))
            let framed = graph.add(Pad(), [positive, around, number], name: "framed")
            graph.addOutput(framed, name: "framed", .float32)
            let bytes = try ChannelQuantiser.quantised(graph, calibration(of: graph))
            let error = try XCTUnwrap(difference(graph, bytes)["framed"])
            XCTAssertLessThan(error, 0.03)
        }
    }

    func testCorrectionsAreAddedToBiases() throws {
        let graph = try network()
        var calibration = try calibration(of: graph)
        let before = try ChannelQuantiser.quantised(graph, calibration)
        calibration.corrections["last"] = [1, 0, 0, 0, 2]
        let after = try ChannelQuantiser.quantised(graph, calibration)
        let input = ["image": try image(3)]
        let results = try [before, after].map { graph in
            let session = try Session(graph: graph, options: .init(threads: 1))
            return try XCTUnwrap(session.run(input)["last"]?.floats)
        }
        for (index, (a, b)) in zip(results[0], results[1]).enumerated() where a > 0 {
            XCTAssertEqual(b - a, [1, 0, 0, 0, 2][index % 5], accuracy: 0.01)
        }
    }

    func testCalibrationsOfOtherNetworksAreRefused() throws {
        let graph = try network()
        let good = try calibration(of: graph)
        func assertRefused(_ change: (inout ChannelCalibration) -> Void, line: UInt = #line) {
            var bad = good
            change(&bad)
            XCTAssertThrowsError(try ChannelQuantiser.quantised(graph, bad), line: line) {
                XCTAssertTrue($0 is ModelError, "\($0)", line: line)
            }
        }
        assertRefused { $0.tensors["elsewhere"] = good.tensors["wide"] }
        assertRefused { $0.corrections["elsewhere"] = [0] }
        assertRefused { $0.tensors["wide"]?.scales.removeLast() }
        assertRefused { $0.tensors["wide"]?.scales[0] = 0 }
        assertRefused { $0.tensors["deep"]?.scales[3] = .nan }
        assertRefused { $0.tensors["large"]?.scales[3] *= 2 }
        assertRefused { $0.tensors["wide"]?.range = 0...(.infinity) }
        assertRefused { $0.corrections["wide"] = [0] }
        // A layer whose input stays in floats.
        assertRefused { $0.tensors["wide"] = nil }
    }
}
