import ModelFixtures
import XCTest

@testable import VisionInference

/// Operations that write to positions, sort, sample and draw, with results worked out from the specification.
final class ProgramSelectionTests: ProgramTestCase {
    /// Runs one operation whose inputs are stated, but for one that is the network's.
    private func assertRun(
        _ type: String, input: String, _ parameters: [(String, ProtoValue)], _ values: [Float], _ shape: [Int],
        _ expectedShape: [Int], _ expected: [Float], outputs: [String] = ["y"], line: UInt = #line
    ) throws {
        let inputs = [(input, Self.name("x"))] + parameters.map { ($0.0, Self.stated($0.1)) }
        let result = try run([Self.operation(type, inputs, outputs)], values, shape)
        XCTAssertEqual(result.shape, expectedShape, line: line)
        XCTAssertEqual(result.values.count, expected.count, line: line)
        for (a, b) in zip(result.values, expected) { XCTAssertEqual(a, b, accuracy: 1e-5, line: line) }
    }

    func testScattering() throws {
        let updates = ("updates", Self.floats([10, 20], [2]))
        try assertRun(
            "scatter", input: "data", [("indices", Self.ints([2, 0])), updates], [1, 2, 3], [3], [3], [20, 2, 10])
        try assertRun(
            "scatter", input: "data", [("indices", Self.ints([2, 0])), updates, ("mode", Self.text("sub"))], [1, 2, 3],
            [3], [3], [-19, 2, -7])
        try assertRun(
            "scatter_along_axis", input: "data", [("indices", Self.ints([1, 1])), updates], [1, 2, 3], [3], [3],
            [1, 32, 3])
        let places = Self.value([2, 1], 23, 2, .ints([1, 2]))
        try assertRun(
            "scatter_nd", input: "data", [("indices", places), updates], [1, 2, 3], [3], [3], [1, 12, 23])
        try assertRun(
            "slice_update", input: "x",
            [
                ("update", Self.floats([7, 8], [1, 2])), ("begin", Self.ints([1, 0])), ("end", Self.ints([2, 3])),
                ("stride", Self.ints([1, 2])),
            ], [1, 2, 3, 4, 5, 6], [2, 3], [2, 3], [1, 2, 3, 7, 5, 8])
    }

    func testSorting() throws {
        try assertRun("argsort", [("axis", Self.int(0))], [3, 1, 2], [3], [3], [0, 2, 1])
        try assertRun("argsort", [("ascending", Self.truth(true))], [3, 1, 2], [3], [3], [1, 2, 0])
        try assertRun("non_zero", [], [0, 3, 0, 4], [2, 2], [2, 2], [0, 1, 1, 1])
        try assertRun("band_part", [("lower", Self.int(0))], [1, 2, 3, 4], [2, 2], [2, 2], [1, 2, 0, 4])
        try assertRun(
            "reverse_sequence", [("lengths", Self.ints([2])), ("seq_axis", Self.int(1))], [1, 2, 3], [1, 3], [1, 3],
            [2, 1, 3])
        try assertRun("topk", [("k", Self.int(-1))], [3, 1, 2], [3], [3], [3, 2, 1])
    }

    func testEquations() throws {
        let a: [Float] = [1, 2, 3, 4]
        let operation = Self.operation(
            "einsum",
            [
                (
                    "values",
                    .message([
                        1: .repeated([
                            .message([1: .string("x")]), .message([2: Self.floats([1, 10, 100, 1000], [2, 1, 2])]),
                        ])
                    ])
                ), ("equation", Self.stated(Self.text("chw,whr->chr"))),
            ], ["y"])
        let result = try run([operation], a, [2, 1, 2])
        XCTAssertEqual(result.shape, [2, 1, 2])
        XCTAssertEqual(result.values, [201, 2010, 403, 4030])
    }

    func testSuppressedBoxes() throws {
        let boxes: [Float] = [5, 5, 10, 10, 7, 5, 10, 10, 30, 30, 4, 4]
        let limits = [("iou_threshold", Self.float(0.5)), ("max_boxes", Self.int(3))]
        func operation(_ scores: ProtoValue, _ names: [String], _ others: [(String, ProtoValue)]) -> ProtoValue {
            let stated = [("scores", scores)] + limits + others
            return Self.operation(
                "non_maximum_suppression", [("boxes", Self.name("x"))] + stated.map { ($0.0, Self.stated($0.1)) }, names
            )
        }
        let first = operation(
            Self.floats([0.6, 0.9, 0.7], [1, 3, 1]), ["b", "s", "y", "n"], [("score_threshold", Self.float(0.65))])
        XCTAssertEqual(try run([first], boxes, [1, 3, 4]).values, [1, 2, -1])
        // Since iOS 17 the boxes are along the last axis.
        let turned = (0..<4).flatMap { axis in (0..<3).map { boxes[$0 * 4 + axis] } }
        let second = operation(Self.floats([0.6, 0.9, 0.7], [1, 1, 3]), ["y", "s", "i"], [])
        XCTAssertEqual(
            try run([second], turned, [1, 4, 3]).values, [7, 30, 0, 5, 30, 0, 10, 4, 0, 10, 4, 0])
    }

    func testRandomNumbers() throws {
        let shape = ("shape", Self.ints([50, 60]))
        func numbers(_ type: String, _ others: [(String, ProtoValue)]) throws -> [Float] {
            let stated = ([shape] + others).map { ($0.0, Self.stated($0.1)) }
            return try run([Self.operation(type, stated, ["y"])], [0], [1]).values
        }
        let normal = try numbers("random_normal", [("mean", Self.float(1)), ("stddev", Self.float(2))])
        XCTAssertEqual(normal.count, 3000)
        XCTAssertEqual(normal.reduce(0, +) / 3000, 1, accuracy: 0.15)
        XCTAssertTrue(try numbers("random_uniform", []).allSatisfy { (0..<1).contains($0) })
        XCTAssertEqual(Set(try numbers("random_bernoulli", [])), [0, 1])
        try assertRun(
            "random_categorical", [("size", Self.int(3)), ("seed", Self.int(1))], [0, 99], [1, 2], [1, 3], [1, 1, 1])
        try assertRun(
            "random_categorical", [("size", Self.int(3)), ("mode", Self.text("probs"))], [1, 0], [1, 2], [1, 3],
            [0, 0, 0])
    }

    func testNumbersOfEightBits() throws {
        let quantised = Self.operation(
            "quantize",
            [
                ("input", Self.name("x")), ("scale", Self.stated(Self.float(0.5))),
                ("zero_point", Self.stated(Self.bytes([3], [], 21))), ("output_dtype", Self.stated(Self.text("int8"))),
            ], ["q"])
        let inputs = [
            ("input", Self.name("q")), ("scale", Self.stated(Self.floats([2, 10], [2]))),
            ("zero_point", Self.stated(Self.bytes([3], [], 21))), ("axis", Self.stated(Self.int(1))),
        ]
        // 3 + round(x / 0.5), at most 127; less 3, by the scales of the columns.
        let result = try run([quantised, Self.operation("dequantize", inputs, ["y"])], [1, -1.3, 0.2, 900], [2, 2])
        XCTAssertEqual(result.values, [4, -30, 0, 1240])
    }

    // MARK: Images

    func testSampling() throws {
        let image: [Float] = [0, 1, 2, 3, 10, 11, 12, 13]
        let shape = [1, 1, 2, 4]
        let size = [("target_height", Self.int(1)), ("target_width", Self.int(2))]
        let aligned = ("sampling_mode", Self.text("STRICT_ALIGN_CORNERS"))
        try assertRun(
            "crop_resize", size + [aligned, ("roi", Self.floats([0, 1, 1, 3], [1, 1, 4, 1, 1]))], image, shape,
            [1, 1, 1, 1, 2], [1, 3])
        // Since iOS 17 with the image of each box; what is outside gets the stated value.
        try assertRun(
            "crop_resize",
            size + [aligned, ("boxes", Self.floats([1, 2, 1, 5], [1, 4])), ("pad_value", Self.float(-7))], image, shape,
            [1, 1, 1, 2], [12, -7])
        func resample(_ padding: String, _ x: Float, _ y: Float, coordinates: String = "unnormalized") throws -> Float {
            let inputs: [(String, ProtoValue)] = [
                ("x", Self.name("x")), ("coordinates", Self.stated(Self.floats([x, y], [1, 1, 1, 2]))),
                ("padding_mode", Self.stated(Self.text(padding))), ("padding_value", Self.stated(Self.float(5))),
                ("coordinates_mode", Self.stated(Self.text(coordinates))),
                ("sampling_mode", Self.stated(Self.text("bilinear"))), ("align_corners", Self.stated(Self.truth(true))),
            ]
            return try XCTUnwrap(run([Self.operation("resample", inputs, ["y"])], image, shape).values.first)
        }
        XCTAssertEqual(try resample("constant", 1.5, 0.5), 6.5, accuracy: 1e-5)
        XCTAssertEqual(try resample("constant", -9, 0), 5, accuracy: 1e-5)
        XCTAssertEqual(try resample("border", -9, 1), 10, accuracy: 1e-5)
        XCTAssertEqual(try resample("reflection", -1, 0), 1, accuracy: 1e-5)
        XCTAssertEqual(try resample("symmetric", -1, 0), 0, accuracy: 1e-5)
        XCTAssertEqual(try resample("border", 1, -1, coordinates: "normalized_minus_one_to_one"), 3, accuracy: 1e-5)
        XCTAssertEqual(try resample("border", 0.5, 0, coordinates: "normalized_zero_to_one"), 1.5, accuracy: 1e-5)
        try assertRun(
            "affine",
            [
                ("transform_matrix", Self.floats([-1, 0, 0, 0, 1, 0], [1, 6])), ("output_height", Self.int(2)),
                ("output_width", Self.int(4)), ("coordinates_mode", Self.text("normalized_minus_one_to_one")),
            ], image, shape, shape, [3, 2, 1, 0, 13, 12, 11, 10])
        try assertRun(
            "resize",
            [
                ("shape", Self.ints([0, 8])), ("resized_dims", Self.int(2)),
                ("interpolation_mode", Self.text("NEAREST_NEIGHBOR")),
            ], image, shape, [1, 1, 2, 8], [0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 11, 11, 12, 12, 13, 13])
    }

    func testBlocksOfPixels() throws {
        let image: [Float] = [0, 1, 2, 3, 10, 11, 12, 13]
        let block = ("block_shape", Self.ints([1, 2]))
        func edges(_ name: String, _ left: Int) -> (String, ProtoValue) {
            (name, Self.value([2, 2], 23, 2, .ints([0, 0, left, left])))
        }
        try assertRun(
            "pixel_unshuffle", [("downscale_factor", Self.int(2))], image, [1, 1, 2, 4], [1, 4, 1, 2],
            [0, 2, 1, 3, 10, 12, 11, 13])
        try assertRun(
            "space_to_batch", [block, edges("paddings", 1)], image, [1, 1, 2, 4], [2, 1, 2, 3],
            [0, 1, 3, 0, 11, 13, 0, 2, 0, 10, 12, 0])
        try assertRun(
            "batch_to_space", [block, edges("crops", 1)], [0, 1, 3, 0, 11, 13, 0, 2, 0, 10, 12, 0], [2, 1, 2, 3],
            [1, 1, 2, 4], image)
    }

    func testShapesOfOthers() throws {
        func tuple(_ values: [ProtoValue]) -> ProtoValue { .message([1: .repeated(values.map { .message([2: $0]) })]) }
        let inputs: [(String, ProtoValue)] = [
            ("x", Self.name("x")),
            ("ref_tensors", tuple([Self.floats([0, 0], [2, 1]), Self.floats([0, 0, 0], [1, 3])])),
            ("begins", tuple([Self.int(0), Self.int(1)])), ("ends", tuple([Self.int(1), Self.int(0)])),
            ("end_masks", tuple([Self.truth(false), Self.truth(true)])),
        ]
        let result = try run([Self.operation("reshape_like", inputs, ["y"])], [1, 2, 3, 4, 5, 6], [6])
        XCTAssertEqual(result.shape, [2, 3])
    }

    // MARK: Recurrent

    /// One step of a gated recurrent unit by its equations.
    func testGatedRecurrentUnits() throws {
        let (x, h): (Float, Float) = (0.5, -0.3)
        let (inner, outer, bias): ([Float], [Float], [Float]) = (
            [0.1, 0.2, 0.3], [0.4, -0.5, 0.6], [0.01, 0.02, 0.03]
        )
        func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }
        let reset = sigmoid(inner[0] * x + outer[0] * h + bias[0])
        let new = tanh(inner[1] * x + bias[1] + reset * outer[1] * h)
        let update = sigmoid(inner[2] * x + outer[2] * h + bias[2])
        let inputs: [(String, ProtoValue)] = [
            ("x", Self.name("x")), ("initial_h", Self.stated(Self.floats([h], [1, 1]))),
            ("weight_ih", Self.stated(Self.floats(inner, [3, 1]))),
            ("weight_hh", Self.stated(Self.floats(outer, [3, 1]))), ("bias", Self.stated(Self.floats(bias, [3]))),
        ]
        let result = try run([Self.operation("gru", inputs, ["y", "last"])], [x], [1, 1, 1])
        XCTAssertEqual(result.shape, [1, 1, 1])
        XCTAssertEqual(try XCTUnwrap(result.values.first), (1 - update) * new + update * h, accuracy: 1e-6)
    }
}
