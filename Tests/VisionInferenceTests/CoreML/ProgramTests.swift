import ModelFixtures
import ModelTestSupport
import XCTest

@testable import VisionInference

/// Operations of ML programs.
final class ProgramTests: ProgramTestCase {
    // MARK: Operations

    func testWindows() throws {
        let weight = ("weight", Self.floats([1, 10], [1, 1, 1, 2]))
        let row: [Float] = [1, 2, 3, 4]
        try assertRun("conv", [weight], row, [1, 1, 1, 4], [1, 1, 1, 3], [21, 32, 43])
        try assertRun(
            "conv", [weight, ("pad_type", Self.text("same_lower"))], row, [1, 1, 1, 4], [1, 1, 1, 4], [10, 21, 32, 43])
        try assertRun(
            "conv", [weight, ("pad_type", Self.text("custom")), ("pad", Self.ints([0, 0, 0, 1]))], row, [1, 1, 1, 4],
            [1, 1, 1, 4], [21, 32, 43, 4])
        let transposed = ("weight", Self.floats([1, 2, 3], [1, 1, 1, 3]))
        try assertRun(
            "conv_transpose",
            [
                transposed, ("strides", Self.ints([1, 2])), ("pad_type", Self.text("custom")),
                ("pad", Self.ints([0, 0, 1, 1])), ("output_shape", Self.ints([1, 1, 1, 4])),
            ], [1, 10], [1, 1, 1, 2], [1, 1, 1, 4], [2, 13, 20, 30])
        let kernel = ("kernel_sizes", Self.ints([1, 2]))
        try assertRun(
            "max_pool", [kernel, ("strides", Self.ints([1, 2])), ("ceil_mode", Self.truth(true))], [1, 2, 3],
            [1, 1, 1, 3],
            [1, 1, 1, 2], [2, 3])
        try assertRun(
            "avg_pool",
            [
                kernel, ("pad_type", Self.text("custom")), ("pad", Self.ints([0, 0, 1, 0])),
                ("exclude_padding_from_average", Self.truth(true)),
            ], [1, 3], [1, 1, 1, 2], [1, 1, 1, 2], [1, 2])
        try assertRun(
            "resize_bilinear",
            [
                ("target_size_height", Self.int(1)), ("target_size_width", Self.int(3)),
                ("sampling_mode", Self.text("STRICT_ALIGN_CORNERS")),
            ], [1, 3], [1, 1, 1, 2], [1, 1, 1, 3], [1, 2, 3])
    }

    func testShapes() throws {
        let six: [Float] = [1, 2, 3, 4, 5, 6]
        try assertRun("reshape", [("shape", Self.ints([3, -1]))], six, [2, 3], [3, 2], six)
        try assertRun("transpose", [("perm", Self.ints([-1, 0]))], six, [2, 3], [3, 2], [1, 4, 2, 5, 3, 6])
        try assertRun(
            "slice_by_index",
            [
                ("begin", Self.ints([1, 0])), ("end", Self.ints([2, 3])), ("stride", Self.ints([1, 2])),
                ("squeeze_mask", Self.value([2], 1, 3, .ints([1, 0]))),
            ], six, [2, 3], [2], [4, 6])
        try assertRun(
            "slice_by_size", [("begin", Self.ints([0, -2])), ("size", Self.ints([1, 2]))], six, [2, 3], [1, 2], [2, 3])
        try assertRun(
            "pad", [("pad", Self.ints([1, 0])), ("constant_val", Self.float(9))], [1, 2], [1, 2], [1, 3], [9, 1, 2])
        try assertRun("expand_dims", [("axes", Self.ints([0, -1]))], [1, 2], [2], [1, 2, 1], [1, 2])
        try assertRun("squeeze", [], [1, 2], [1, 2], [2], [1, 2])
        try assertRun("tile", [("reps", Self.ints([2]))], [1, 2], [2], [4], [1, 2, 1, 2])
        try assertRun(
            "gather", [("indices", Self.ints([-1, 0])), ("axis", Self.int(1))], six, [2, 3], [2, 2], [3, 1, 6, 4])
        let joined = Self.operation(
            "concat",
            [
                ("values", .message([1: .repeated([.message([1: .string("x")]), .message([1: .string("x")])])])),
                ("axis", Self.stated(Self.int(0))), ("interleave", Self.stated(Self.truth(true))),
            ], ["y"])
        XCTAssertEqual(try run([joined], [1, 2], [2]).values, [1, 1, 2, 2])
        let parts = Self.operation(
            "split",
            [
                ("x", Self.name("x")), ("split_sizes", Self.stated(Self.ints([1, 2]))),
                ("axis", Self.stated(Self.int(0))),
            ],
            ["a", "y"])
        XCTAssertEqual(try run([parts], [1, 2, 3], [3]).values, [2, 3])
    }

    func testSumsAndFunctions() throws {
        let six: [Float] = [1, 2, 3, 4, 5, 6]
        try assertRun("reduce_sum", [("axes", Self.ints([1]))], six, [2, 3], [2], [6, 15])
        try assertRun(
            "reduce_mean", [("axes", Self.ints([-1])), ("keep_dims", Self.truth(true))], six, [2, 3], [2, 1], [2, 5])
        try assertRun("reduce_argmax", [("axis", Self.int(1))], six, [2, 3], [2], [2, 2])
        try assertRun(
            "linear", [("weight", Self.floats([1, 10, 100], [1, 3])), ("bias", Self.floats([1], [1]))], six, [2, 3],
            [2, 1],
            [322, 655])
        try assertRun(
            "layer_norm",
            [("axes", Self.ints([1])), ("gamma", Self.floats([1, 1, 2], [3])), ("epsilon", Self.float(0))],
            [1, 2, 3], [1, 3], [1, 3], [-1.2247449, 0, 2.4494898])
        try assertRun("clip", [("alpha", Self.float(2)), ("beta", Self.float(4))], six, [6], [6], [2, 2, 3, 4, 4, 4])
        try assertRun("leaky_relu", [("alpha", Self.float(0.5))], [-2, 2], [2], [2], [-1, 2])
        try assertRun("softmax", [("axis", Self.int(0))], [0, log(3)], [2], [2], [0.25, 0.75])
        try assertRun("silu", [], [1], [1], [1], [1 / (1 + exp(-1))])
        try assertRun("sub", [("y", Self.float(1))], six, [6], [6], [0, 1, 2, 3, 4, 5])
        try assertRun("cast", [("dtype", Self.text("int32"))], [1.75, -1.75], [2], [2], [1, -1])
        try assertRun(
            "batch_norm",
            [
                ("mean", Self.floats([1, 2], [2])), ("variance", Self.floats([4, 1], [2])), ("epsilon", Self.float(0)),
                ("beta", Self.floats([0, 5], [2])),
            ], [3, 3], [1, 2, 1], [1, 2, 1], [1, 6])
    }

    // MARK: Constants

    private func assertWeights(
        _ type: String, _ inputs: [(String, ProtoValue)], _ expected: [Float], line: UInt = #line
    ) throws {
        let constant = Self.operation(type, [], ["w"], attributes: inputs, result: Self.type([expected.count]))
        let sum = Self.operation("add", [("x", Self.name("x")), ("y", Self.name("w"))], ["y"])
        let result = try run([constant, sum], [0], [1])
        XCTAssertEqual(result.values, expected, line: line)
    }

    func testCompressedWeights() throws {
        try assertWeights("const", [("val", Self.floats([1, 2], [2]))], [1, 2])
        // Half floats: 1 and −0.5.
        try assertWeights("const", [("val", Self.bytes([0, 0x3C, 0, 0xB8], [2], 10))], [1, -0.5])
        try assertWeights(
            "constexpr_affine_dequantize",
            [
                ("quantized_data", Self.bytes([1, 255], [2], 21)), ("scale", Self.float(0.5)),
                ("zero_point", Self.bytes([1], [], 21)), ("axis", Self.int(0)),
            ], [0, -1])
        // Four indices of two bits, the first in the lowest ones.
        try assertWeights(
            "constexpr_lut_to_dense",
            [
                ("indices", Self.bytes([0b1110_0100], [1], 31)), ("lut", Self.floats([5, 6, 7, 8], [4])),
                ("shape", Self.bytes([4, 0, 0, 0], [1], 33)),
            ], [5, 6, 7, 8])
        try assertWeights(
            "constexpr_sparse_to_dense",
            [
                ("nonzero_data", Self.floats([3, 4], [2])), ("mask", Self.bytes([0b0101], [1], 31)),
                ("shape", Self.bytes([4, 0, 0, 0], [1], 33)),
            ], [3, 0, 4, 0])
        // Two blocks of two numbers of four bits: 1 −1, 2 −2.
        try assertWeights(
            "constexpr_blockwise_shift_scale",
            [("data", Self.bytes([0xF1, 0xE2], [4], 25)), ("scale", Self.floats([1, 10], [2]))], [1, -1, 20, -20])
        // Two tables of two entries for two indices each.
        try assertWeights(
            "constexpr_lut_to_dense",
            [("indices", Self.bytes([0b0110], [4], 37)), ("lut", Self.floats([1, 2, 30, 40], [2, 2, 1]))],
            [1, 2, 40, 30])
    }

    func testWeightsThatDoNotFitAreRefused() {
        for (type, inputs) in [
            ("const", [("val", Self.floats([1], [2]))]),
            ("const", [("val", Self.floats([1], [1 << 30, 1 << 30]))]),
            (
                "constexpr_lut_to_dense",
                [
                    ("indices", Self.bytes([0], [1], 31)), ("lut", Self.floats([5, 6, 7], [3])),
                    ("shape", Self.bytes([4, 0, 0, 0], [1], 33)),
                ]
            ),
            (
                "constexpr_sparse_to_dense",
                [
                    ("nonzero_data", Self.floats([3], [1])), ("mask", Self.bytes([0b0101], [1], 31)),
                    ("shape", Self.bytes([4, 0, 0, 0], [1], 33)),
                ]
            ),
            (
                "constexpr_blockwise_shift_scale",
                [
                    ("data", Self.bytes([0xF1, 0xE2], [4], 25)), ("scale", Self.floats([1, 1, 1], [3])),
                ]
            ),
            ("constexpr_affine_dequantize", []),
        ] as [(String, [(String, ProtoValue)])] {
            XCTAssertThrowsError(try assertWeights(type, inputs, [0])) { error in
                XCTAssertTrue(error is ModelError, "\(type): \(error)")
            }
        }
    }

    func testWeightsInAFile() throws {
        let folder = try TemporaryFolder()
        var bytes = [UInt8](repeating: 0, count: 136)
        bytes.replaceSubrange(4..<5, with: [2])
        bytes.replaceSubrange(64..<73, with: [0xEF, 0xBE, 0xAD, 0xDE, 2, 0, 0, 0, 8])
        bytes[80] = 128
        bytes.replaceSubrange(128..<136, with: [0, 0, 0xC0, 0x3F, 0, 0, 0, 0x40])
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("weights"), withIntermediateDirectories: true)
        try Data(bytes).write(to: folder.url.appendingPathComponent("weights/weight.bin"))
        func file(_ name: String) throws -> URL {
            let blob: ProtoValue = .message([2: Self.type([2]), 5: .message([1: .string(name), 2: .int(64)])])
            let constant = Self.operation("const", [], ["w"], attributes: [("val", blob)], result: Self.type([2]))
            let sum = Self.operation("add", [("x", Self.name("x")), ("y", Self.name("w"))], ["y"])
            return try folder.write(Data(Self.program([constant, sum], shape: [1])), "m.mlmodel")
        }
        let session = try Session(graph: NetworkFile.graph(contentsOf: file("@model_path/weights/weight.bin")))
        XCTAssertEqual(try session.run(["x": Tensor([1 as Float])])["y"]?.floats, [2.5, 3])
        for name in ["@model_path/../weight.bin", "/etc/passwd", "@model_path/none.bin", ""] {
            XCTAssertThrowsError(try NetworkFile.graph(contentsOf: file(name)), name) {
                XCTAssertTrue($0 is ModelError)
            }
        }
    }

    // MARK: What is refused

    func testOperationsThatDoNotRunAreNamed() throws {
        let loop = Self.operation("while_loop", [("x", Self.name("x"))], ["y"])
        XCTAssertThrowsError(try run([loop], [1], [1])) { error in
            XCTAssertEqual((error as? ModelError)?.context, .init(operation: "while_loop", node: "y"))
        }
        XCTAssertThrowsError(try run([Self.operation("relu", [("x", Self.name("nothing"))], ["y"])], [1], [1]))
        XCTAssertThrowsError(try run([Self.operation("relu", [], ["y"])], [1], [1]))
    }

    func testListsOfListsEnd() throws {
        // Deeper than a reader may recurse.
        var value = Self.floats([1], [1])
        for _ in 0..<1000 {
            value = .message([2: Self.type([1]), 3: .message([3: .message([1: .repeated([value])])])])
        }
        let constant = Self.operation("const", [], ["w"], attributes: [("val", value)])
        XCTAssertThrowsError(try run([constant], [1], [1])) { XCTAssertTrue($0 is ModelError, "\($0)") }
    }

    func testDamagedProgramsAreRefusedOrRun() throws {
        let bytes = Self.program(
            [
                Self.operation(
                    "const", [], ["w"], attributes: [("val", Self.floats([1, 2, 3, 4], [2, 2]))],
                    result: Self.type([2, 2])),
                Self.operation("linear", [("x", Self.name("x")), ("weight", Self.name("w"))], ["a"]),
                Self.operation("softmax", [("x", Self.name("a")), ("axis", Self.stated(Self.int(1)))], ["y"]),
            ], shape: [1, 2])
        func use(_ bytes: [UInt8]) {
            do {
                let graph = try NetworkFile(ModelBytes(Data(bytes))).graph()
                let shapes = graph.inputs.map { ($0.shape ?? []).map { min($0 ?? 2, 64) } }
                guard shapes.allSatisfy({ $0.reduce(1, *) <= 1 << 16 }) else { return }
                _ = try Session(graph: graph, options: .init(threads: 1)).outputDescriptions(for: shapes)
            } catch {
                XCTAssertTrue(error is ModelError, "\(error)")
            }
        }
        for length in 0..<bytes.count { use(Array(bytes[..<length])) }
        var random = SystemRandomNumberGenerator.Seeded(seed: 9)
        for _ in 0..<3000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            use(damaged)
        }
    }
}
