import ModelFixtures
import XCTest

@testable import VisionInference

final class TFLiteModelTests: XCTestCase {
    func testReadsTensorsBuffersAndOperators() throws {
        var builder = TFLiteBuilder()
        builder.description = "a small one"
        let input = builder.input("image", [1, 4, 6, 3], fields: [7: .int32s([-1, 4, 6, 3])])
        let weights = builder.constant("weights", [2, 3, 3, 3], (0..<54).map { Float($0) })
        let bias = builder.constant("bias", [2], [0.5, -0.5])
        let output = builder.add(
            3, version: 2, [input, weights, bias], to: "features", [1, 2, 2, 2],
            options: (
                1, [0: .int8(1), 1: .int32(3), 2: .int32(2), 3: .int8(3), 4: .int32(5), 5: .int32(4)]
            ))
        builder.output(output)
        builder.addMetadata("NOTE", Array("labels".utf8))
        let file = builder.file()
        let model = try read(file)

        XCTAssertEqual(model.description, "a small one")
        XCTAssertEqual(model.operatorCodes.map(\.builtin), [.conv2D])
        XCTAssertEqual(model.operatorCodes.map(\.version), [2])
        let graph = try XCTUnwrap(model.subgraphs.first)
        XCTAssertEqual(graph.tensors.map(\.name), ["image", "weights", "bias", "features"])
        XCTAssertEqual(graph.tensors[0].shape, [1, 4, 6, 3])
        XCTAssertEqual(graph.tensors[0].shapeSignature, [-1, 4, 6, 3])
        XCTAssertNil(graph.tensors[1].shapeSignature)
        XCTAssertEqual(graph.inputs, [0])
        XCTAssertEqual(graph.outputs, [3])
        XCTAssertEqual(graph.operators.map(\.inputs), [[0, 1, 2]])
        XCTAssertEqual(
            graph.operators.map(\.options),
            [
                .convolution(
                    .init(
                        padding: .valid, strideY: 2, strideX: 3, dilationY: 4, dilationX: 5, activation: .relu6))
            ])
        XCTAssertNil(model.buffers[graph.tensors[0].buffer])
        let bytes = try XCTUnwrap(model.buffers[graph.tensors[2].buffer])
        XCTAssertEqual(Array(file[bytes]), TFLiteBuilder.bytes([0.5, -0.5] as [Float]))
        XCTAssertEqual(bytes.lowerBound % 16, 0)
        XCTAssertEqual(model.metadata.map(\.name), ["NOTE"])
        XCTAssertEqual(Array(file[try XCTUnwrap(model.buffers[model.metadata[0].buffer])]), Array("labels".utf8))
    }

    func testAbsentFieldsHaveTheSchemasDefaults() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("a", [1, 4, 4, 1])
        builder.output(builder.add(4, [input, input], to: "b", [1, 4, 4, 1], options: (2, [1: .int32(1)])))
        let operation = try XCTUnwrap(read(builder.file()).subgraphs[0].operators.first)
        XCTAssertEqual(
            operation.options,
            .convolution(.init(padding: .same, strideY: 0, strideX: 1, depthMultiplier: 0, activation: .none)))
    }

    func testReadsCodesBeyond127AndCustomOperators() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("a", [4])
        let second = builder.add(150, [input], to: "b", [4], options: (116, [0: .uint8(1)]))
        builder.output(
            builder.add(custom: "Convolution2DTransposeBias", [second, -1], to: "c", [4], options: [1, 2, 3]))
        let file = builder.file()
        let model = try read(file)
        XCTAssertEqual(model.operatorCodes.map(\.name), ["GELU", "Convolution2DTransposeBias"])
        XCTAssertEqual(model.operatorCodes.map(\.isCustom), [false, true])
        XCTAssertEqual(model.operatorCodes.map(\.builtin), [.gelu, nil])
        let operators = model.subgraphs[0].operators
        XCTAssertEqual(operators[0].options, .gelu(approximate: true))
        XCTAssertEqual(operators[1].inputs, [1, nil])
        XCTAssertEqual(Array(file[try XCTUnwrap(operators[1].customOptions)]), [1, 2, 3])
    }

    func testNumbersWithoutANameAreKeptForTheError() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("a", [4])
        builder.output(builder.add(900, [input], to: "b", [4]))
        let code = try XCTUnwrap(read(builder.file()).operatorCodes.first)
        XCTAssertNil(code.builtin)
        XCTAssertEqual(code.name, "number 900")
    }

    func testOperatorNamesStandAtTheirNumbers() {
        // Some numbers of the published schema.
        let known: [(Int, TFLiteBuiltin)] = [
            (0, .add), (17, .maxPool2D), (32, .custom), (54, .prelu), (67, .transposeConv),
            (97, .resizeNearestNeighbor),
            (114, .quantize), (124, .densify), (126, .batchMatmul), (150, .gelu), (161, .rightShift),
        ]
        for (number, operation) in known { XCTAssertEqual(TFLiteBuiltin(code: number), operation) }
        XCTAssertNil(TFLiteBuiltin(code: -1))
        XCTAssertNil(TFLiteBuiltin(code: TFLiteBuiltin.allCases.count))
    }

    func testOperatorsHaveTheNamesOfTheSchema() {
        let names = """
            ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE
            EMBEDDING_LOOKUP FLOOR FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D
            LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM MAX_POOL_2D MUL RELU RELU_N1_TO_1 RELU6
            RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM
            EMBEDDING_LOOKUP_SPARSE PAD UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND
            TRANSPOSE MEAN SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE BIDIRECTIONAL_SEQUENCE_RNN
            EXP TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM ARG_MAX
            MINIMUM LESS NEG PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN TRANSPOSE_CONV
            SPARSE_TO_DENSE TILE EXPAND_DIMS EQUAL NOT_EQUAL LOG SUM SQRT RSQRT SHAPE POW ARG_MIN FAKE_QUANT
            REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR ONE_HOT LOGICAL_AND LOGICAL_NOT UNPACK REDUCE_MIN FLOOR_DIV
            REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD RANGE RESIZE_NEAREST_NEIGHBOR LEAKY_RELU
            SQUARED_DIFFERENCE MIRROR_PAD ABS SPLIT_V UNIQUE CEIL REVERSE_V2 ADD_N GATHER_ND COS WHERE RANK ELU
            REVERSE_SEQUENCE MATRIX_DIAG QUANTIZE MATRIX_SET_DIAG ROUND HARD_SWISH IF WHILE
            NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL
            PLACEHOLDER_FOR_GREATER_OP_CODES CUMSUM CALL_ONCE BROADCAST_TO RFFT2D CONV_3D IMAG REAL COMPLEX_ABS
            HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE REDUCE_ALL CONV_3D_TRANSPOSE VAR_HANDLE
            READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS RANDOM_STANDARD_NORMAL BUCKETIZE RANDOM_UNIFORM
            MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE RELU_0_TO_1 UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_MAX
            UNSORTED_SEGMENT_SUM ATAN2 UNSORTED_SEGMENT_MIN SIGN BITCAST BITWISE_XOR RIGHT_SHIFT
            STABLEHLO_LOGISTIC STABLEHLO_ADD STABLEHLO_DIVIDE STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM
            STABLEHLO_RESHAPE STABLEHLO_CLAMP STABLEHLO_CONCATENATE STABLEHLO_BROADCAST_IN_DIM
            STABLEHLO_CONVOLUTION STABLEHLO_SLICE STABLEHLO_CUSTOM_CALL STABLEHLO_REDUCE STABLEHLO_ABS
            STABLEHLO_AND STABLEHLO_COSINE STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG STABLEHLO_MINIMUM
            STABLEHLO_NEGATE STABLEHLO_OR STABLEHLO_POWER STABLEHLO_REMAINDER STABLEHLO_RSQRT STABLEHLO_SELECT
            STABLEHLO_SUBTRACT STABLEHLO_TANH STABLEHLO_SCATTER STABLEHLO_COMPARE STABLEHLO_CONVERT
            STABLEHLO_DYNAMIC_SLICE STABLEHLO_DYNAMIC_UPDATE_SLICE STABLEHLO_PAD STABLEHLO_IOTA
            STABLEHLO_DOT_GENERAL STABLEHLO_REDUCE_WINDOW STABLEHLO_SORT STABLEHLO_WHILE STABLEHLO_GATHER
            STABLEHLO_TRANSPOSE DILATE STABLEHLO_RNG_BIT_GENERATOR REDUCE_WINDOW STABLEHLO_COMPOSITE
            STABLEHLO_SHIFT_LEFT STABLEHLO_CBRT STABLEHLO_CASE
            """.split { $0.isWhitespace }.map(String.init)
        XCTAssertEqual(TFLiteBuiltin.allCases.map(\.name), names)
    }

    func testReadsQuantisation() throws {
        var builder = TFLiteBuilder()
        _ = builder.input(
            "a", [1, 2], type: .int8,
            fields: [4: TFLiteBuilder.quantization(scales: [0.25, 4], zeroPoints: [3, -9], axis: 1)])
        _ = builder.input("b", [2], type: .int8, fields: [4: .table([0: .floats([0]), 1: .floats([6])])])
        let tensors = try read(builder.file()).subgraphs[0].tensors
        XCTAssertEqual(tensors[0].quantization?.scales, [0.25, 4])
        XCTAssertEqual(tensors[0].quantization?.zeroPoints, [3, -9])
        XCTAssertEqual(tensors[0].quantization?.axis, 1)
        XCTAssertEqual(tensors[0].type, .int8)
        XCTAssertNil(tensors[1].quantization, "a range seen while training is no quantisation")
    }

    func testRefusesImpossibleQuantisation() {
        let cases: [FlatValue] = [
            TFLiteBuilder.quantization(scales: [1, 2], zeroPoints: [0]),
            TFLiteBuilder.quantization(scales: [.nan], zeroPoints: [0]),
            TFLiteBuilder.quantization(scales: [-1], zeroPoints: [0]),
        ]
        for quantization in cases {
            var builder = TFLiteBuilder()
            _ = builder.input("a", [2], type: .int8, fields: [4: quantization])
            assertDamaged(builder.file())
        }
    }

    func testReadsDataBehindTheTables() throws {
        // As files of more than two gigabytes keep it: the buffer says where its bytes begin and how many they are.
        func file(offset: UInt64, size: UInt64) -> [UInt8] {
            FlatBufferWriter.file(
                identifier: "TFL3",
                root: [
                    0: .uint32(3), 2: .tables([[0: .tables([[0: .int32s([4]), 2: .uint32(1)]])]]),
                    4: .tables([[:], [1: .uint64(offset), 2: .uint64(size)]]),
                ])
        }
        let length = UInt64(file(offset: 8, size: 8).count)
        XCTAssertEqual(try read(file(offset: length - 8, size: 8)).buffers, [nil, Int(length) - 8..<Int(length)])
        XCTAssertEqual(try read(file(offset: length, size: 0)).buffers, [nil, nil])
        assertDamaged(file(offset: length - 8, size: 9))
        assertDamaged(file(offset: length + 1, size: 0))
        assertDamaged(file(offset: .max, size: .max))
        assertDamaged(file(offset: 8, size: .max))
    }

    func testRefusesReferencesToWhatIsNotThere() {
        func damaged(_ change: (inout [Int: FlatValue], inout [Int: FlatValue]) -> Void) {
            var tensor: [Int: FlatValue] = [0: .int32s([4]), 2: .uint32(0), 3: .string("t")]
            var operation: [Int: FlatValue] = [0: .uint32(0), 1: .int32s([0]), 2: .int32s([0])]
            change(&tensor, &operation)
            assertDamaged(
                FlatBufferWriter.file(
                    identifier: "TFL3",
                    root: [
                        0: .uint32(3), 1: .tables([[0: .int8(14)]]), 4: .tables([[:]]),
                        2: .tables([[0: .tables([tensor]), 3: .tables([operation])]]),
                    ]))
        }
        damaged { tensor, _ in tensor[2] = .uint32(1) }
        damaged { tensor, _ in tensor[0] = .int32s([4, -1]) }
        damaged { tensor, _ in tensor[7] = .int32s([4, 1]) }
        damaged { _, operation in operation[0] = .uint32(1) }
        damaged { _, operation in operation[1] = .int32s([1]) }
        damaged { _, operation in operation[1] = .int32s([-2]) }
        damaged { _, operation in operation[2] = .int32s([-1]) }
    }

    func testRefusesOtherFilesAndVersions() {
        assertDamaged([])
        assertDamaged(Array("TFL3".utf8))
        assertDamaged(FlatBufferWriter.file(identifier: "TFL2", root: [0: .uint32(3)]))
        XCTAssertThrowsError(try read(FlatBufferWriter.file(identifier: "TFL3", root: [0: .uint32(4)]))) {
            XCTAssertEqual($0 as? ModelError, .unreadable("version 4 of the format, not 3"))
        }
    }

    func testATableThatIsReferredToManyTimesDoesNotMultiplyMemory() {
        // 60,000 references to one operator of 20,000 inputs: 300 kB that say they are ten gigabytes.
        let references = 60_000
        var file = FlatBufferWriter.file(
            identifier: "TFL3",
            root: [
                0: .uint32(3), 1: .tables([[0: .int8(14)]]), 4: .tables([[:]]),
                2: .tables([
                    [
                        0: .tables([[0: .int32s([4]), 2: .uint32(0)]]),
                        3: .tables(
                            [[1: .int32s([Int32](repeating: 0, count: 20_000))]]
                                + [[Int: FlatValue]](repeating: [:], count: references)),
                    ]
                ]),
            ])
        func word(_ position: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[position + $1]) << (8 * $1) } }
        // The vector of operators is the only vector with that count; make all of its elements lead to the first table.
        let vector = (0..<file.count / 4).map { $0 * 4 }.first { word($0) == references + 1 }
        guard let vector else { return XCTFail("the vector is not found") }
        let first = vector + 4 + word(vector + 4)
        for index in 0...references {
            let offset = vector + 4 + 4 * index
            for byte in 0..<4 { file[offset + byte] = UInt8(truncatingIfNeeded: (first - offset) >> (8 * byte)) }
        }
        XCTAssertThrowsError(try read(file)) {
            XCTAssertEqual($0 as? ModelError, .damaged("it says more than its size can hold"))
        }
    }

    func testEveryTruncationIsAnErrorOrLosesOnlyData() throws {
        let file = Self.variedFile()
        _ = try read(file)
        for count in 0..<file.count {
            do {
                let model = try read(Array(file[..<count]))
                for range in model.buffers.compactMap({ $0 }) { XCTAssertLessThanOrEqual(range.upperBound, count) }
            } catch is ModelError {
            } catch {
                XCTFail("\(error) for the first \(count) bytes")
            }
        }
    }

    func testEveryChangedByteGivesAModelOrAnError() throws {
        let file = Self.variedFile()
        for offset in file.indices {
            for change: UInt8 in [0x01, 0x80, 0xff] {
                var changed = file
                changed[offset] ^= change
                do { _ = try read(changed) } catch is ModelError {} catch { XCTFail("\(error) for byte \(offset)") }
            }
        }
    }

    /// A file with something of everything.
    static func variedFile() -> [UInt8] {
        var builder = TFLiteBuilder()
        let input = builder.input("image", [1, 4, 4, 2], fields: [7: .int32s([-1, 4, 4, 2])])
        let weights = builder.constant("weights", [2, 1, 1, 2], halves: [1, 2, 3, 4])
        let dense = builder.add(6, [weights], to: "dense", [2, 1, 1, 2])
        let convolved = builder.add(
            3, [input, dense, -1], to: "convolved", [1, 4, 4, 2],
            options: (1, [0: .int8(1), 1: .int32(1), 2: .int32(1)]))
        let shape = builder.constant("shape", [2], ints: [1, 32])
        builder.output(builder.add(22, [convolved, shape], to: "row", [1, 32], options: (17, [0: .int32s([1, 32])])))
        _ = builder.constant(
            "sparse", [2, 2], [7],
            fields: [
                6: .table([
                    0: .int32s([0, 1]),
                    2: .tables([
                        [1: .int32(2)],
                        [
                            0: .int8(1), 2: .uint8(3), 3: .table([0: .bytes([0, 0, 1])]), 4: .uint8(3),
                            5: .table([0: .bytes([1])]),
                        ],
                    ]),
                ])
            ])
        builder.addMetadata("NOTE", [1, 2, 3])
        return builder.file()
    }

    private func read(_ file: [UInt8]) throws -> TFLiteModel {
        try file.withUnsafeBytes { try TFLiteModel($0) }
    }

    private func assertDamaged(_ bytes: [UInt8], file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertThrowsError(try read(bytes), file: file, line: line) { error in
            guard (error as? ModelError)?.kind == .damaged else {
                return XCTFail("\(error) is another kind of error", file: file, line: line)
            }
        }
    }
}
