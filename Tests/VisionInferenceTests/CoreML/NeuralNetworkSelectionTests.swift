import ModelFixtures
import XCTest

@testable import VisionInference

/// Layers that write to positions, choose, sort, sample and draw, with results worked out from the specification.
final class NeuralNetworkSelectionTests: NeuralNetworkTestCase {
    // MARK: Positions

    func testScatteringCombinesUpdatesWithWhatIsThere() throws {
        let rows: [Float] = [1, 2, 3, 4, 5, 6]
        func scatter(_ mode: Int, _ updates: [Float]) -> [ProtoValue] {
            [
                constant("i", [2, -3]), constant("u", updates, [2, 2]),
                layer(935, [1: .int(1), 2: .int(mode)], ["x", "i", "u"]),
            ]
        }
        let updates: [Float] = [10, 20, 30, 40]
        // Columns 2 and 0 of each row; −3 counts from the end.
        let expected: [[Float]] = [
            [20, 2, 10, 40, 5, 30], [21, 2, 13, 44, 5, 36], [-19, 2, -7, -36, 5, -24], [20, 2, 30, 160, 5, 180],
            [0.05, 2, 0.3, 0.1, 5, 0.2], [20, 2, 10, 40, 5, 30], [1, 2, 3, 4, 5, 6],
        ]
        for (mode, values) in expected.enumerated() {
            try assertRun(scatter(mode, updates), [2, 3], rows, exact: true, [2, 3], values)
        }
        XCTAssertThrowsError(try run(scatter(7, updates), [2, 3], rows, exact: true))
        try assertRun(
            [
                constant("i", [1, 0], [2, 1]), constant("u", updates, [2, 2]),
                layer(945, [1: .int(1)], ["x", "i", "u"]),
            ],
            [3, 2], rows, exact: true, [3, 2], [31, 42, 13, 24, 5, 6])
        try assertRun(
            [
                constant("i", [1, 1, 0, 2], [2, 2]), constant("u", updates, [2, 2]),
                layer(954, [1: .int(1), 2: .int(1)], ["x", "i", "u"]),
            ], [2, 3], rows, exact: true, [2, 3], [1, 32, 3, 34, 5, 46])
    }

    func testSlicesTakeTheirBoundsFromInputs() throws {
        let row: [Float] = [0, 1, 2, 3, 4, 5]
        try assertRun(
            [constant("b", [4]), layer(1000, [3: .ints([1]), 5: .ints([-1])], ["x", "b"])], [6], row, exact: true,
            [3], [4, 3, 2])
        try assertRun(
            [
                constant("b", [1]), constant("e", [0]), constant("s", [2]), constant("f", [0]), constant("t", [1]),
                layer(1000, [:], ["x", "b", "e", "s", "f", "t"]),
            ], [6], row, exact: true, [3], [1, 3, 5])
        try assertRun(
            [constant("b", [-3]), layer(1470, [2: .int(2), 3: .int(0)], ["x", "b"])], [6], row, exact: true, [2],
            [3, 4])
        XCTAssertThrowsError(
            try run([constant("b", [5]), layer(1470, [2: .int(2)], ["x", "b"])], [6], row, exact: true))
    }

    /// The size of the result follows from the input, when the network runs.
    func testRangesEndWhereTheInputSays() throws {
        let range = layer(640, [2: .float(1), 3: .float(1.5)])
        try assertRun([range], [1], [5], exact: true, [3], [1, 2.5, 4])
        try assertRun([range], [1], [1.5], exact: true, [1], [1])
    }

    // MARK: Order

    func testSorting() throws {
        let rows: [Float] = [3, 5, 32, 3, 77, 6]
        try assertRun([layer(1461, [1: .int(1)])], [2, 3], rows, exact: true, [2, 3], [0, 1, 2, 0, 2, 1])
        try assertRun(
            [layer(1461, [1: .int(1), 2: .int(1)])], [2, 3], rows, exact: true, [2, 3], [2, 1, 0, 1, 2, 0])
        try assertRun([layer(1313)], [2, 3], [0, 1, 0, 0, 0, 2], exact: true, [2, 2], [0, 1, 1, 2])
        try assertRun(
            [constant("n", [3, 0]), layer(965, [1: .int(0), 2: .int(1)], ["x", "n"])], [2, 4],
            [0, 1, 2, 3, 4, 5, 6, 7], exact: true, [2, 4], [2, 1, 0, 3, 4, 5, 6, 7])
    }

    func testNumbersThatInputsState() throws {
        let numbers: [Float] = [3, 1, 2]
        try assertRun(
            [constant("n", [2]), layer(1015, [1: .int(0)], ["x", "n"])], [3], numbers, exact: true, [2], [3, 2])
        try assertRun(
            [constant("n", [4]), layer(1450, [2: .int(-1), 3: .float(1)], ["x", "n"])], [1], [2], exact: true, [1, 4],
            [0, 0, 1, 0])
        try assertRun(
            [constant("n", [1]), layer(1455, [:], ["x", "n"])], [1, 3], numbers, exact: true, [1, 3], [3, 4, 6])
    }

    func testValuesWithoutAxesAreJoinedAsVectors() throws {
        // Element 1 of the input, whose axis is left out (`squeeze`), behind a constant.
        let element = Builder.layer(
            "s", ["x"], ["one"], 995,
            [
                1: .ints([1]), 2: .ints([0]), 3: .ints([2]), 4: .ints([0]), 5: .ints([1]), 6: .ints([1]),
            ])
        try assertRun(
            [element, constant("c", [7]), layer(980, [1: .int(0)], ["one", "c", "one"])], [3], [1, 2, 3], exact: true,
            [3], [2, 7, 2])
    }

    func testBands() throws {
        let ones = [Float](repeating: 1, count: 9)
        func band(_ lower: Int, _ upper: Int) -> ProtoValue { layer(1315, [1: .int(lower), 2: .int(upper)]) }
        try assertRun([band(0, 1)], [3, 3], ones, exact: true, [3, 3], [1, 1, 0, 0, 1, 1, 0, 0, 1])
        try assertRun([band(-1, 0)], [3, 3], ones, exact: true, [3, 3], [1, 0, 0, 1, 1, 0, 1, 1, 1])
        try assertRun([layer(1320, [1: .int(-1)])], [3, 3], ones, exact: true, [3, 3], [0, 0, 0, 1, 0, 0, 1, 1, 0])
        try assertRun([layer(1325, [1: .int(1)])], [3, 3], ones, exact: true, [3, 3], [0, 1, 1, 0, 0, 1, 0, 0, 0])
    }

    // MARK: Random numbers

    func testRandomNumbersFollowFromTheSeed() throws {
        func numbers(_ type: Int, _ parameters: ProtoFields) throws -> [Float] {
            try run([layer(type, parameters, [])], [1], [0], exact: true).values
        }
        let size: ProtoValue = .ints([100, 101])
        let normal = try numbers(1175, [1: .int(3), 2: .float(2), 3: .float(0.5), 4: size])
        XCTAssertEqual(normal, try numbers(1175, [1: .int(3), 2: .float(2), 3: .float(0.5), 4: size]))
        XCTAssertNotEqual(normal, try numbers(1175, [1: .int(4), 2: .float(2), 3: .float(0.5), 4: size]))
        let count = Float(normal.count)
        let mean = normal.reduce(0, +) / count
        XCTAssertEqual(mean, 2, accuracy: 0.02)
        XCTAssertEqual(normal.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count, 0.25, accuracy: 0.015)
        let uniform = try numbers(1195, [1: .int(-1), 2: .float(-1), 3: .float(3), 4: size])
        XCTAssertEqual(uniform.count, 10100)
        XCTAssertEqual(uniform.reduce(0, +) / count, 1, accuracy: 0.05)
        XCTAssertTrue(uniform.allSatisfy { (-1..<3).contains($0) })
        let coins = try numbers(1215, [2: .float(0.3), 3: size])
        XCTAssertEqual(Set(coins), [0, 1])
        XCTAssertEqual(coins.reduce(0, +) / count, 0.3, accuracy: 0.02)
        // Like an input, and in a shape that an input has.
        XCTAssertEqual(try run([layer(1190, [3: .float(1)])], [2, 3], [0, 0, 0, 0, 0, 0], exact: true).shape, [2, 3])
        XCTAssertEqual(
            try run([layer(1180, [3: .float(1)])], [2], [3, 2], exact: true).shape, [3, 2])
        XCTAssertThrowsError(try numbers(1175, [3: .float(1), 4: .ints([1 << 20, 1 << 20])]))
    }

    func testDrawnIndicesHaveTheirProbabilities() throws {
        let drawn = try run(
            [layer(1230, [1: .int(7), 2: .int(4000)])], [2, 3], [0.2, 0, 0.8, 0, 1, 0], exact: true)
        XCTAssertEqual(drawn.shape, [2, 4000])
        XCTAssertEqual(Set(drawn.values[..<4000]), [0, 2])
        XCTAssertEqual(Double(drawn.values[..<4000].count { $0 == 0 }) / 4000, 0.2, accuracy: 0.03)
        XCTAssertEqual(Set(drawn.values[4000...]), [1])
    }

    // MARK: Boxes and volumes

    func testSuppressedBoxes() throws {
        // Two that overlap by a half, a third elsewhere, and one with a low score.
        let boxes: [Float] = [5, 5, 10, 10, 7, 5, 10, 10, 30, 30, 4, 4, 50, 50, 4, 4]
        let scores: [Float] = [0.6, 0.1, 0.2, 0.9, 0.7, 0.3, 0.1, 0.1]
        func suppressed(_ output: String, perClass: Bool, threshold: Float = 0.5) throws -> [Float] {
            let names = ["b", "s", "i", "n"].map { $0 == output ? "y" : $0 }
            let layers = [
                constant("scores", scores, [1, 4, 2]),
                Builder.layer(
                    "nms", ["x", "scores"], names, 1400,
                    [1: .float(0.5), 2: .float(threshold), 3: .int(4), 4: .int(perClass ? 1 : 0)]),
            ]
            return try run(layers, [1, 4, 4], boxes, exact: true).values
        }
        XCTAssertEqual(try suppressed("i", perClass: false), [1, 2, -1, -1])
        XCTAssertEqual(try suppressed("i", perClass: true), [1, 2, 0, -1])
        XCTAssertEqual(try suppressed("n", perClass: true), [3])
        XCTAssertEqual(Array(try suppressed("b", perClass: false)[..<8]), [7, 5, 10, 10, 30, 30, 4, 4])
        XCTAssertEqual(try suppressed("s", perClass: false), [0.2, 0.9, 0.7, 0.3, 0, 0, 0, 0])
        // The best box stays where no score is high enough.
        XCTAssertEqual(try suppressed("i", perClass: false, threshold: 0.95), [1, -1, -1, -1])
        XCTAssertEqual(try suppressed("n", perClass: false, threshold: 0.95), [1])
    }

    func testCropsOfBoxes() throws {
        let image: [Float] = [0, 1, 2, 3, 10, 11, 12, 13]
        func crop(_ mode: Int, _ box: [Float], format: Int = 0, normalised: Bool = false) -> [ProtoValue] {
            [
                constant("roi", box, [1, 1, box.count, 1, 1]),
                layer(
                    212,
                    [
                        1: .ints([1, 2]), 2: .int(normalised ? 1 : 0), 3: .message([1: .int(mode)]),
                        4: .message([1: .int(format)]),
                    ], ["x", "roi"]),
            ]
        }
        let shape = [1, 1, 1, 2, 4]
        func check(_ layers: [ProtoValue], _ expected: [Float], line: UInt = #line) throws {
            try assertRun(layers, shape, image, exact: true, [1, 1, 1, 1, 2], expected, line: line)
        }
        // Rows 0 to 1 and columns 1 to 3; one row is at the start, or in the middle.
        try check(crop(0, [0, 1, 1, 3]), [1, 3])
        try check(crop(1, [0, 1, 1, 3]), [6, 8])
        try check(crop(2, [0, 1, 1, 3]), [1, 2.5])
        try check(crop(3, [0, 1, 1, 3]), [6.5, 7.5])
        try check(crop(0, [1, 0, 3, 1], format: 1), [1, 3])
        try check(crop(0, [0.5, 2, 1, 2], format: 2), [1, 3])
        try check(crop(0, [0, 1.0 / 3, 1, 1], normalised: true), [1, 3])
        // The first of five numbers is the image's.
        try check(crop(0, [0, 0, 1, 1, 3]), [1, 3])
        XCTAssertThrowsError(try run(crop(0, [1, 0, 1, 1, 3]), shape, image, exact: true))
    }

    func testVolumes() throws {
        let cube: [Float] = [1, 2, 3, 4, 5, 6, 7, 8]
        let weights: ProtoFields = [
            1: .int(1), 2: .int(1), 20: .int(2), 21: .int(1), 22: .int(1), 60: Builder.weights([1, 10]), 70: .int(1),
        ]
        let fields = weights.map { ($0.key, $0.value) }
        func convolution(_ others: [(Int, ProtoValue)]) -> ProtoValue {
            let kept = fields.filter { field in !others.contains { $0.0 == field.0 } } + others
            let bytes = kept.flatMap { ProtoWriter.bytes([$0.0: $0.1]) }
            return .message([1: .string("c"), 2: .string("x"), 3: .string("y"), 1471: .bytes(bytes)])
        }
        let shape = [1, 1, 2, 2, 2]
        try assertRun([convolution([])], shape, cube, exact: true, [1, 1, 1, 2, 2], [51, 62, 73, 84])
        try assertRun(
            [convolution([(50, .int(1)), (61, Builder.weights([100])), (70, .int(2))])], shape, cube, exact: true,
            shape, [151, 162, 173, 184, 105, 106, 107, 108])
        try assertRun(
            [convolution([(70, .int(0)), (80, .int(1))])], shape, cube, exact: true, shape,
            [10, 20, 30, 40, 51, 62, 73, 84])
        try assertRun(
            [convolution([(86, .int(1))])], shape, cube, exact: true, [1, 1, 3, 2, 2],
            [1, 2, 3, 4, 15, 26, 37, 48, 50, 60, 70, 80])
        let pool: ProtoFields = [1: .int(1), 2: .int(2), 3: .int(2), 4: .int(1), 15: .int(1)]
        try assertRun([layer(1465, pool)], shape, cube, exact: true, [1, 1, 1, 1, 2], [4, 5])
        try assertRun([layer(1466)], shape, cube, exact: true, [1, 1, 1, 1, 1], [8])
        XCTAssertThrowsError(try run([layer(1466), layer(1465, pool)], [2], [1, 2], exact: true))
    }
}
