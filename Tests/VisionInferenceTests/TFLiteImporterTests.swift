import ModelFixtures
import XCTest

@testable import VisionInference

final class TFLiteImporterTests: XCTestCase {
    private typealias Options = (kind: UInt8, fields: [Int: FlatValue])

    /// A convolution by weights that pick and sum channels, so that the result can be written down.
    func testConvolvesWithHalfPrecisionWeightsBiasAndFusedActivation() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 2, 2, 2])
        let halves = builder.constant("w16", [2, 1, 1, 2], halves: [1, 1, 1, -1])
        let weights = builder.add(6, [halves], to: "w", [2, 1, 1, 2])
        let bias = builder.constant("b", [2], [0.5, 0])
        builder.output(
            builder.add(
                3, [input, weights, bias], to: "y", [1, 2, 2, 2],
                options: (1, [0: .int8(1), 1: .int32(1), 2: .int32(1), 3: .int8(1)])))
        let result = try run(builder, ["x": ([1, 2, 2, 2], [1, 2, 3, 4, 5, 5, 0, -2])])["y"]
        XCTAssertEqual(result, [3.5, 0, 7.5, 0, 10.5, 0, 0, 2])
    }

    func testSamePaddingPutsTheOddRowAtTheEnd() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 4, 4, 1])
        let weights = builder.constant("w", [1, 3, 3, 1], [Float](repeating: 1, count: 9))
        let bias = builder.constant("b", [1], [0])
        builder.output(
            builder.add(
                4, [input, weights, bias], to: "y", [1, 2, 2, 1],
                options: (2, [0: .int8(0), 1: .int32(2), 2: .int32(2), 3: .int32(1)])))
        // Windows begin at 0 and 2: the second one loses its last row and column.
        let result = try run(builder, ["x": ([1, 4, 4, 1], [Float](repeating: 1, count: 16))])["y"]
        XCTAssertEqual(result, [9, 6, 6, 4])
    }

    func testDepthwiseMultiplierMakesNeighbouringChannels() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 1, 1, 2])
        let weights = builder.constant("w", [1, 1, 1, 4], [1, 10, 100, 1000])
        builder.output(
            builder.add(
                4, [input, weights], to: "y", [1, 1, 1, 4],
                options: (2, [0: .int8(1), 1: .int32(1), 2: .int32(1), 3: .int32(2)])))
        XCTAssertEqual(try run(builder, ["x": ([1, 1, 1, 2], [2, 3])])["y"], [2, 20, 300, 3000])
    }

    func testSparseWeightsAreExpanded() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 1, 1, 3])
        // 0 5 0 / 1 0 2 as rows of outputs.
        let row: [Int: FlatValue] = [1: .int32(2)]
        let columns: [Int: FlatValue] = [
            0: .int8(1), 2: .uint8(3), 3: .table([0: .bytes([0, 1, 3])]), 4: .uint8(3),
            5: .table([0: .bytes([1, 0, 2])]),
        ]
        let one: [Int: FlatValue] = [1: .int32(1)]
        let sparse = builder.constant(
            "w sparse", [2, 1, 1, 3], [5, 1, 2],
            fields: [6: .table([0: .int32s([0, 1, 2, 3]), 2: .tables([row, one, one, columns])])])
        let weights = builder.add(124, [sparse], to: "w", [2, 1, 1, 3])
        builder.output(
            builder.add(
                3, [input, weights], to: "y", [1, 1, 1, 2], options: (1, [0: .int8(1), 1: .int32(1), 2: .int32(1)])))
        XCTAssertEqual(try run(builder, ["x": ([1, 1, 1, 3], [1, 10, 100])])["y"], [50, 201])
    }

    func testMediaPipesTransposedConvolution() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 1, 2, 1])
        let weights = builder.constant("w", [1, 2, 2, 1], [1, 2, 3, 4])
        let bias = builder.constant("b", [1], [0.5])
        builder.output(
            builder.add(
                custom: "Convolution2DTransposeBias", [input, weights, bias], to: "y", [1, 2, 4, 1],
                options: TFLiteBuilder.bytes([1, 2, 2] as [Int32])))
        XCTAssertEqual(
            try run(builder, ["x": ([1, 1, 2, 1], [1, 10])])["y"], [1.5, 2.5, 10.5, 20.5, 3.5, 4.5, 30.5, 40.5])
    }

    func testTransposedConvolutionTakesItsSizeFromAnInput() throws {
        var builder = TFLiteBuilder()
        let size = builder.constant("size", [4], ints: [1, 1, 5, 1])
        let input = builder.input("x", [1, 1, 3, 1])
        let weights = builder.constant("w", [1, 1, 3, 1], [1, 2, 4])
        builder.output(
            builder.add(
                67, [size, weights, input], to: "y", [1, 1, 5, 1],
                options: (49, [0: .int8(0), 1: .int32(2), 2: .int32(1)])))
        // Seven positions before one is cut off at each end: 1 2 4+10 20 40+100 200 400.
        XCTAssertEqual(try run(builder, ["x": ([1, 1, 3, 1], [1, 10, 100])])["y"], [2, 14, 20, 140, 200])
    }

    func testStridedSliceWithMasks() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [2, 3, 2])
        let begin = builder.constant("begin", [3], ints: [-1, 2, 0])
        let end = builder.constant("end", [3], ints: [0, 0, 1])
        let strides = builder.constant("strides", [3], ints: [1, -1, 1])
        // The last of the first axis, which is dropped; the second backwards as a whole; of the third the first.
        builder.output(
            builder.add(
                45, [input, begin, end, strides], to: "y", [3, 1],
                options: (32, [0: .int32(2), 1: .int32(2), 4: .int32(1)])))
        XCTAssertEqual(try run(builder, ["x": ([2, 3, 2], (0..<12).map { Float($0) })])["y"], [10, 8, 6])
    }

    func testSplitPackUnpackAndConcatenation() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [2, 4])
        let axis = builder.constant("axis", [], ints: [1])
        let left = builder.tensor("left", [2, 2])
        let right = builder.tensor("right", [2, 2])
        builder.add(49, [axis, input], outputs: [left, right], options: (35, [0: .int32(2)]))
        let top = builder.tensor("top", [2])
        let bottom = builder.tensor("bottom", [2])
        builder.add(88, [right], outputs: [top, bottom], options: (64, [0: .int32(2), 1: .int32(0)]))
        let packed = builder.add(
            83, [bottom, top], to: "packed", [2, 2], options: (59, [0: .int32(2), 1: .int32(1)]))
        builder.output(
            builder.add(2, [left, packed], to: "y", [2, 4], options: (10, [0: .int32(-1), 1: .int8(0)])))
        XCTAssertEqual(
            try run(builder, ["x": ([2, 4], [1, 2, 3, 4, 5, 6, 7, 8])])["y"], [1, 2, 7, 3, 5, 6, 8, 4])
    }

    func testBlocksToBatchAndBack() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 3, 3, 1])
        let block = builder.constant("block", [2], ints: [2, 2])
        let pads = builder.constant("pads", [2, 2], ints: [0, 1, 1, 0])
        let batched = builder.add(38, [input, block, pads], to: "batched", [4, 2, 2, 1])
        builder.output(batched)
        builder.output(builder.add(37, [batched, block, pads], to: "y", [1, 3, 3, 1]))
        let values = (1...9).map { Float($0) }
        let outputs = try run(builder, ["x": ([1, 3, 3, 1], values)])
        XCTAssertEqual(outputs["batched"], [0, 2, 0, 8, 1, 3, 7, 9, 0, 5, 0, 0, 4, 6, 0, 0])
        XCTAssertEqual(outputs["y"], values)
    }

    func testReshapeBelievesItsInputBeforeItsOptions() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [2, 3])
        let shape = builder.constant("shape", [2], ints: [3, -1])
        builder.output(builder.add(22, [input, shape], to: "y", [3, 2], options: (17, [0: .int32s([6, 1])])))
        let graph = try graph(builder)
        let session = try Session(graph: graph)
        XCTAssertEqual(try session.outputDescriptions(for: [[2, 3]]).map { $0?.shape }, [[3, 2]])
    }

    func testReductionsAndArguments() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [2, 3])
        let axis = builder.constant("axis", [1], ints: [-1])
        builder.output(builder.add(40, [input, axis], to: "mean", [2, 1], options: (27, [0: .uint8(1)])))
        builder.output(builder.add(82, [input, axis], to: "max", [2], options: (27, [:])))
        builder.output(
            builder.add(56, [input, axis], to: "index", [2], type: .int32, options: (40, [0: .int8(2)])))
        let outputs = try Session(graph: graph(builder)).run([
            "x": Tensor([1, 5, 3, 6, 2, 1] as [Float], shape: [2, 3])
        ])
        XCTAssertEqual(outputs["mean"]?.floats, [3, 3])
        XCTAssertEqual(outputs["max"]?.floats, [5, 6])
        XCTAssertEqual(outputs["index"]?.type, .int32)
        XCTAssertEqual(outputs["index"]?.integers, [1, 0])
    }

    func testQuantisedConvolutionWithOneScaleAChannel() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 1, 2, 2])
        let bytes = builder.add(
            114, [input], to: "q", [1, 1, 2, 2], type: .int8,
            fields: [4: TFLiteBuilder.quantization(scales: [0.5], zeroPoints: [-3])])
        // As floats: 1 -1 / 0.5 1.
        let weights = builder.constant(
            "w", [2, 1, 1, 2], type: .int8, bytes: [2, 254, 2, 4],
            fields: [4: TFLiteBuilder.quantization(scales: [0.5, 0.25], zeroPoints: [0, 0])])
        let bias = builder.constant(
            "b", [2], type: .int32, bytes: TFLiteBuilder.bytes([4, 0] as [Int32]),
            fields: [4: TFLiteBuilder.quantization(scales: [0.25, 0.125], zeroPoints: [0, 0])])
        let result = builder.add(
            3, [bytes, weights, bias], to: "r", [1, 1, 2, 2], type: .int8,
            options: (1, [0: .int8(1), 1: .int32(1), 2: .int32(1), 3: .int8(1)]),
            fields: [4: TFLiteBuilder.quantization(scales: [0.25], zeroPoints: [-128])])
        builder.output(builder.add(6, [result], to: "y", [1, 1, 2, 2]))
        // The first pixel is rounded to 1 and 2, the second to -2 and 100, more than a byte can say, which is 65.
        let outputs = try run(builder, ["x": ([1, 1, 2, 2], [1.1, 1.9, -2, 100])])
        XCTAssertEqual(outputs["y"], [0, 2.5, 0, 63.75])
    }

    func testBytesOfWeightsAreWidenedForFloats() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 2])
        let weights = builder.constant(
            "w", [2, 2], type: .int8, bytes: [1, 2, 3, 252],
            fields: [4: TFLiteBuilder.quantization(scales: [2], zeroPoints: [0])])
        builder.output(builder.add(9, [input, weights], to: "y", [1, 2], options: (8, [0: .int8(0)])))
        XCTAssertEqual(try run(builder, ["x": ([1, 2], [1, 10])])["y"], [42, -74])
    }

    func testOpenSizesStayOpen() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [1, 2], fields: [7: .int32s([-1, 2])])
        builder.output(builder.add(14, [input], to: "y", [1, 2], fields: [7: .int32s([-1, 2])]))
        let graph = try graph(builder)
        XCTAssertEqual(graph.inputs.first?.shape, [nil, 2])
        XCTAssertEqual(graph.outputs.first?.shape, [nil, 2])
        let result = try Session(graph: graph).run(["x": Tensor([0, 0, 0, 0] as [Float], shape: [2, 2])])
        XCTAssertEqual(result["y"]?.floats, [0.5, 0.5, 0.5, 0.5])
    }

    func testNamesAndTextsAreKept() throws {
        var builder = TFLiteBuilder()
        builder.description = "for tests"
        let input = builder.input("x", [2])
        builder.output(builder.add(0, [input, input], to: "y", [2], options: (11, [0: .int8(0)])))
        builder.addMetadata("min_runtime_version", Array("1.5.0".utf8) + [0, 0, 0])
        builder.addMetadata("TABLE", [0xff, 0xfe, 0])
        let graph = try graph(builder)
        XCTAssertEqual(graph.inputs.map(\.name), ["x"])
        XCTAssertEqual(graph.outputs.map(\.name), ["y"])
        XCTAssertEqual(graph.metadata, ["description": "for tests", "min_runtime_version": "1.5.0"])
    }

    // MARK: Errors

    func testErrorsNameTheOperatorAndItsPlace() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("x", [2])
        let sum = builder.add(0, [input, input], to: "sum", [2])
        builder.output(builder.add(16, [sum], to: "memory", [2]))
        XCTAssertThrowsError(try graph(builder)) {
            XCTAssertEqual(
                $0 as? ModelError, .unsupported("", operation: "LSTM", node: "1 (memory)"))
        }
        builder = TFLiteBuilder()
        let given = builder.input("x", [2])
        builder.output(builder.add(custom: "Mine", [given], to: "y", [2], options: []))
        XCTAssertThrowsError(try graph(builder)) {
            XCTAssertEqual(
                $0 as? ModelError,
                .unsupported("it is a custom operator", operation: "Mine", node: "0 (y)"))
        }
    }

    func testContradictionsAreErrors() throws {
        let window: Options = (1, [0: .int8(1), 1: .int32(1), 2: .int32(1)])
        func refuses(_ build: (inout TFLiteBuilder) -> Void, line: UInt = #line) {
            var builder = TFLiteBuilder()
            build(&builder)
            XCTAssertThrowsError(try Session(graph: graph(builder)), line: line) {
                XCTAssertTrue($0 is ModelError, "\($0)", line: line)
            }
        }
        // Nothing makes the second input.
        refuses { builder in
            let input = builder.input("x", [2])
            builder.output(builder.add(0, [input, builder.tensor("never", [2])], to: "y", [2]))
        }
        // Fewer bytes than the shape needs.
        refuses { builder in
            let input = builder.input("x", [1, 2, 2, 1])
            let weights = builder.constant("w", [4, 1, 1, 1], [1, 2, 3])
            builder.output(builder.add(3, [input, weights], to: "y", [1, 2, 2, 4], options: window))
        }
        // An input that is left out, a picture that is none, channels that do not fit, a stride of nothing.
        refuses { builder in
            let input = builder.input("x", [1, 2, 2, 1])
            builder.output(builder.add(3, [input], to: "y", [1, 2, 2, 4], options: window))
        }
        refuses { builder in
            let input = builder.input("x", [4])
            let weights = builder.constant("w", [1, 1, 1, 1], [1])
            builder.output(builder.add(3, [input, weights], to: "y", [4], options: window))
        }
        refuses { builder in
            let input = builder.input("x", [1, 2, 2, 3])
            let weights = builder.constant("w", [1, 1, 1, 2], [1, 2])
            builder.output(builder.add(3, [input, weights], to: "y", [1, 2, 2, 1], options: window))
        }
        refuses { builder in
            let input = builder.input("x", [1, 2, 2, 1])
            let weights = builder.constant("w", [1, 1, 1, 1], [1])
            builder.output(
                builder.add(3, [input, weights], to: "y", [1, 2, 2, 1], options: (1, [0: .int8(1), 1: .int32(0)])))
        }
        // Two operators make one tensor.
        refuses { builder in
            let input = builder.input("x", [2])
            let output = builder.add(14, [input], to: "y", [2])
            builder.add(28, [input], outputs: [output])
            builder.output(output)
        }
        // Sparse values that would be far more than the file.
        refuses { builder in
            let input = builder.input("x", [1, 2, 2, 1])
            let sparse = builder.constant(
                "w", [1 << 20, 8, 8, 1], [1],
                fields: [6: .table([0: .int32s([0]), 2: .tables([[1: .int32(1 << 20)]])])])
            builder.output(builder.add(3, [input, sparse], to: "y", [1, 2, 2, 4], options: window))
        }
    }

    func testEveryChangedByteGivesAGraphOrAnError() throws {
        let file = TFLiteModelTests.variedFile()
        for offset in file.indices {
            for change: UInt8 in [0x01, 0x80, 0xff] {
                var changed = file
                changed[offset] ^= change
                do {
                    let graph = try TFLiteImporter.graph(ModelBytes(changed))
                    _ = try Session(graph: graph, options: .init(threads: 1))
                } catch is ModelError {} catch { XCTFail("\(error) for byte \(offset)") }
            }
        }
    }

    // MARK: Help

    private func graph(_ builder: TFLiteBuilder) throws -> Graph {
        try TFLiteImporter.graph(ModelBytes(builder.file()))
    }

    private func run(
        _ builder: TFLiteBuilder, _ inputs: [String: (shape: [Int], values: [Float])]
    ) throws -> [String: [Float]] {
        let tensors = try inputs.mapValues { try Tensor($0.values, shape: $0.shape) }
        return try Session(graph: graph(builder)).run(tensors).compactMapValues(\.floats)
    }
}
