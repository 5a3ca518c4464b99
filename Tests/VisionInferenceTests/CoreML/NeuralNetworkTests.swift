import ModelFixtures
import XCTest

@testable import VisionInference

/// Layers of Core ML's neural networks, with results worked out by hand from the specification.
final class NeuralNetworkTests: NeuralNetworkTestCase {
    private func edges(_ top: Int, _ bottom: Int, _ left: Int, _ right: Int) -> ProtoValue {
        .message([
            10: .repeated([
                .message([1: .int(top), 2: .int(bottom)]), .message([1: .int(left), 2: .int(right)]),
            ])
        ])
    }

    // MARK: Windows

    func testConvolutionsPadAsTheyAreTold() throws {
        func convolution(_ padding: (Int, ProtoValue), stride: Int) -> ProtoValue {
            layer(
                100,
                [
                    1: .int(1), 2: .int(1), 10: .int(1), 20: .ints([1, 2]), 30: .ints([1, stride]),
                    padding.0: padding.1, 70: .int(1), 90: Builder.weights([1, 10]), 91: Builder.weights([100]),
                ])
        }
        let row: [Float] = [1, 2, 3, 4]
        let none: (Int, ProtoValue) = (50, .message([:]))
        try assertRun([convolution(none, stride: 1)], [1, 1, 4], row, [1, 1, 3], [121, 132, 143])
        let padded: (Int, ProtoValue) = (50, .message([1: edges(0, 0, 1, 0)]))
        try assertRun([convolution(padded, stride: 1)], [1, 1, 4], row, [1, 1, 4], [110, 121, 132, 143])
        // Of one element of padding the end gets it, or with the mode 1 the beginning.
        try assertRun([convolution((51, .message([:])), stride: 1)], [1, 1, 4], row, [1, 1, 4], [121, 132, 143, 104])
        try assertRun(
            [convolution((51, .message([1: .int(1)])), stride: 1)], [1, 1, 4], row, [1, 1, 4], [110, 121, 132, 143])
    }

    func testTransposedConvolutionsAreCutToTheirSize() throws {
        func transposed(_ fields: (Int, ProtoValue)) -> ProtoValue {
            layer(
                100,
                [
                    1: .int(1), 2: .int(1), 20: .ints([1, 3]), 30: .ints([1, 2]), 60: .int(1), fields.0: fields.1,
                    90: Builder.weights([1, 2, 3]),
                ])
        }
        // 1 2 3 . . + 10 · (. . 1 2 3)
        try assertRun([transposed((50, .message([:])))], [1, 1, 2], [1, 10], [1, 1, 5], [1, 2, 13, 20, 30])
        try assertRun(
            [transposed((50, .message([1: edges(0, 0, 1, 1)])))], [1, 1, 2], [1, 10], [1, 1, 3], [2, 13, 20])
        try assertRun([transposed((51, .message([:])))], [1, 1, 2], [1, 10], [1, 1, 4], [1, 2, 13, 20])
        try assertRun([transposed((100, .ints([1, 3])))], [1, 1, 2], [1, 10], [1, 1, 3], [2, 13, 20])
    }

    func testPoolingIncludesTheLastPixelWhereItSaysSo() throws {
        func pooling(_ type: Int, _ padding: (Int, ProtoValue), exclude: Int = 0) -> ProtoValue {
            layer(
                120,
                [
                    1: .int(type), 10: .ints([1, 2]), 20: .ints([1, 2]), padding.0: padding.1, 50: .int(exclude),
                ])
        }
        let row: [Float] = [1, 2, 3, 4, 6]
        try assertRun([pooling(0, (30, .message([:])))], [1, 1, 5], row, [1, 1, 2], [2, 4])
        try assertRun([pooling(0, (32, .message([10: .ints([0, 0])])))], [1, 1, 5], row, [1, 1, 3], [2, 4, 6])
        let padded: (Int, ProtoValue) = (30, .message([1: edges(0, 0, 1, 0)]))
        try assertRun([pooling(1, padded)], [1, 1, 5], row, [1, 1, 3], [0.5, 2.5, 5])
        try assertRun([pooling(1, padded, exclude: 1)], [1, 1, 5], row, [1, 1, 3], [1, 2.5, 5])
        try assertRun([layer(120, [1: .int(1), 60: .int(1)])], [2, 1, 2], [1, 3, 5, 9], [2], [2, 7])
    }

    func testSizesOfImages() throws {
        try assertRun([layer(210, [1: .ints([1, 2])])], [1, 1, 2], [1, 3], [1, 1, 4], [1, 1, 3, 3])
        // Bilinear: of corners, of centres, and from the first element on.
        for (mode, expected) in [(0, [1, 2, 3, 3]), (1, [1, 5 / 3, 7 / 3, 3]), (2, [1, 1.5, 2.5, 3])]
            as [(Int, [Float])]
        {
            try assertRun(
                [layer(210, [1: .ints([1, 2]), 5: .int(1), 6: .int(mode)])], [1, 1, 2], [1, 3], [1, 1, 4], expected)
        }
        for (mode, expected) in [(0, [1, 3, 5]), (2, [1, 3, 5]), (3, [5 / 3, 3, 13 / 3])] as [(Int, [Float])] {
            try assertRun(
                [layer(211, [1: .ints([1, 3]), 2: .message([1: .int(mode)])])], [1, 2, 3], [1, 3, 5, 1, 3, 5],
                [1, 1, 3], expected)
        }
        try assertRun([layer(190, [1: edges(0, 0, 1, 0)])], [1, 1, 3], [1, 2, 3], [1, 1, 2], [2, 3])
        try assertRun(
            [layer(200, [1: .message([1: .float(7)]), 10: edges(0, 0, 0, 1)])], [1, 1, 2], [1, 2], [1, 1, 3], [1, 2, 7])
        try assertRun(
            [layer(200, [2: .message([:]), 10: edges(0, 0, 1, 0)])], [1, 1, 2], [1, 2], [1, 1, 3], [2, 1, 2])
    }

    // MARK: Weights

    func testWeightsOfAllKinds() throws {
        func product(_ weights: ProtoValue) -> ProtoValue { layer(140, [1: .int(2), 2: .int(2), 20: weights]) }
        let input: [Float] = [1, 10]
        try assertRun([product(Builder.weights([1, 2, 3, 4]))], [2], input, [2], [21, 43])
        // Half floats: 1, 2, 0.5, −1.
        let halves: [UInt8] = [0x00, 0x3C, 0x00, 0x40, 0x00, 0x38, 0x00, 0xBC]
        try assertRun([product(.message([2: .bytes(halves)]))], [2], input, [2], [21, -9.5])
        // Two bits with a scale and a bias for each output: the numbers 0 1, 2 3.
        let linear: ProtoValue = .message([
            30: .bytes([0b0001_1011]),
            40: .message([1: .int(2), 101: .message([1: .floats([1, 2]), 2: .floats([0, 1])])]),
        ])
        try assertRun([product(linear)], [2], input, [2], [10, 5 + 70])
        let table: ProtoValue = .message([
            30: .bytes([0b0001_1011]), 40: .message([1: .int(2), 102: .message([1: .floats([5, 6, 7, 8])])]),
        ])
        try assertRun([product(table)], [2], input, [2], [65, 87])
        for wrong in [
            Builder.weights([1, 2, 3]), .message([2: .bytes([0])]),
            .message([30: .bytes([0, 0]), 40: .message([1: .int(2), 102: .message([1: .floats([5, 6, 7, 8])])])]),
            .message([30: .bytes([0]), 40: .message([1: .int(2), 102: .message([1: .floats([5])])])]),
            .message([30: .bytes([0]), 40: .message([1: .int(9)])]), .message([:]),
        ] as [ProtoValue] {
            XCTAssertThrowsError(try run([product(wrong)], [2], input)) { error in
                XCTAssertEqual((error as? ModelError)?.context.node, "layer", "\(error)")
            }
        }
    }

    // MARK: Elements and ranks

    func testLegacyArraysHaveFiveAxesInside() throws {
        // A product by channels, broadcast from one axis and from three.
        try assertRun(
            [
                layer(
                    245,
                    [1: .ints([2]), 2: Builder.weights([2, 3]), 3: .int(1), 4: .ints([1]), 5: Builder.weights([1])])
            ],
            [2, 1, 2], [1, 2, 3, 4], [2, 1, 2], [3, 5, 10, 13])
        // Channel, row and column exchanged, the sequence kept.
        try assertRun(
            [layer(310, [1: .ints([0, 3, 1, 2])])], [2, 1, 3], [1, 2, 3, 4, 5, 6], [3, 2, 1], [1, 4, 2, 5, 3, 6])
        // As if the channels were last.
        try assertRun(
            [layer(300, [1: .ints([4, 1, 1]), 2: .int(1)])], [2, 1, 2], [1, 2, 3, 4], [4], [1, 3, 2, 4])
        try assertRun([layer(301, [1: .int(1)])], [2, 1, 2], [1, 2, 3, 4], [4], [1, 3, 2, 4])
        try assertRun([layer(175)], [2, 1, 1], [0, log(3)], [2], [0.25, 0.75])
        try assertRun([layer(280, [1: .int(1), 3: .int(1)])], [2, 1, 2], [1, 3, 5, 9], [2], [2, 7])
    }

    func testFunctionsOfElements() throws {
        let input: [Float] = [-2, -0.5, 1, 4]
        func check(_ layer: ProtoValue, _ function: (Float) -> Float, line: UInt = #line) throws {
            try assertRun([layer], [4, 1, 1], input, [4], input.map(function), line: line)
        }
        try check(layer(130, [10: .message([:])])) { max($0, 0) }
        try check(layer(130, [15: .message([1: .float(0.1)])])) { $0 < 0 ? 0.1 * $0 : $0 }
        try check(layer(130, [5: .message([1: .float(2), 2: .float(3)])])) { 2 * $0 + 3 }
        try check(layer(130, [31: .message([1: .float(2), 2: .float(3)])])) { 2 * tanh(3 * $0) }
        try check(layer(130, [41: .message([1: .float(0.2), 2: .float(0.5)])])) { max(0, min(1, 0.2 * $0 + 0.5)) }
        try check(layer(130, [20: .message([1: .float(0.9)])])) { $0 > 0.9 ? $0 : 0 }
        let slopes = Builder.weights([0.1, 0.2, 0.3, 0.4])
        try assertRun([layer(130, [25: .message([1: slopes])])], [4, 1, 1], input, [4], [-0.2, -0.1, 1, 4])
        // A scale that is left out is 1, an ε 1e-6.
        try check(layer(220, [1: .int(3), 2: .float(2), 4: .float(1)])) { ($0 + 1) * ($0 + 1) }
        try check(layer(220, [1: .int(7), 2: .float(0.5), 5: .float(2)])) { max(0.5, 2 * $0) }
        try check(layer(230, [1: .float(2)])) { $0 + 2 }
        try check(layer(231, [1: .float(2)])) { $0 * 2 }
    }

    func testExactRanks() throws {
        let six: [Float] = [1, 2, 3, 4, 5, 6]
        func exact(_ layer: ProtoValue, _ shape: [Int], _ expected: [Float], line: UInt = #line) throws {
            try assertRun([layer], [2, 3], six, exact: true, shape, expected, line: line)
        }
        try exact(layer(985, [1: .ints([1, 0])]), [3, 2], [1, 4, 2, 5, 3, 6])
        try exact(layer(1140, [1: .ints([3, -1])]), [3, 2], six)
        try exact(layer(1280, [1: .ints([-1])]), [2], [2, 5])
        try exact(layer(980, [1: .int(1), 2: .int(1)], ["x", "x"]), [2, 6], [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
        // Begins and their masks, ends and their masks, steps, axes that are left out: x[1, ::2].
        try exact(
            layer(
                995,
                [
                    1: .ints([1, 0]), 2: .ints([0, 1]), 3: .ints([2, 2]), 4: .ints([0, 1]), 5: .ints([1, 2]),
                    6: .ints([1, 0]),
                ]),
            [2], [4, 6])
        try exact(layer(1125, [1: .ints([0, -1])]), [1, 2, 3, 1], six)
        try exact(layer(1025, [1: .int(1), 2: .int(1)]), [2], [2, 2])
        try exact(layer(825, [2: .float(3)]), [2, 3], [1, 1, 0, 0, 0, 0])
        try exact(layer(1045, [5: .int(3), 6: .int(1), 8: Builder.weights([1, 10, 100])]), [2, 1], [321, 654])
        try exact(layer(960, [1: .ints([0, 1])]), [2, 3], [3, 2, 1, 6, 5, 4])
        try exact(
            layer(1350, [1: .ints([3]), 2: .float(0), 3: Builder.weights([1, 1, 1]), 4: Builder.weights([0, 1, 0])]),
            [2, 3], [-1.2247449, 1, 1.2247449, -1.2247449, 1, 1.2247449])
    }

    func testARecurrentLayerTakesSequences() throws {
        // Two elements of a sequence, of one feature: h = tanh(x + h).
        func plain(returnsAll: Bool) -> ProtoValue {
            layer(
                400,
                [
                    1: .int(1), 2: .int(1), 10: .message([30: .message([:])]), 15: .int(returnsAll ? 1 : 0),
                    30: Builder.weights([1]), 31: Builder.weights([1]),
                ], ["s"])
        }
        let sequence = Builder.layer("p", ["x"], ["s"], 310, [1: .ints([3, 1, 2, 0])])
        let (first, second) = (tanh(Float(0.5)), tanh(0.25 + tanh(Float(0.5))))
        try assertRun([sequence, plain(returnsAll: false)], [1, 1, 2], [0.5, 0.25], [1], [second])
        let result = try run([sequence, plain(returnsAll: true)], [1, 1, 2], [0.5, 0.25])
        XCTAssertEqual(result.shape, [2, 1, 1, 1, 1])
        XCTAssertEqual(result.values[0], first, accuracy: 1e-6)
    }

    // MARK: What is refused

    func testLayersThatDoNotRunAreNamed() throws {
        XCTAssertThrowsError(try run([layer(500)], [1], [0])) { error in
            XCTAssertEqual((error as? ModelError)?.context, .init(operation: "custom", node: "layer"))
        }
        XCTAssertThrowsError(try run([layer(99_999)], [1], [0])) { error in
            XCTAssertEqual((error as? ModelError)?.context, .init(operation: "layer 99999", node: "layer"))
        }
        XCTAssertThrowsError(try run([layer(130, [10: .message([:])], ["nothing"])], [1], [0]))
        // Layers of any number of inputs that have none.
        for type in [230, 320, 330, 980] {
            XCTAssertThrowsError(try run([layer(type, [:], [])], [1], [0])) {
                XCTAssertTrue($0 is ModelError, "\(type): \($0)")
            }
        }
        let missing = Builder.layer("layer", ["x"], ["z"], 130, [10: .message([:])])
        XCTAssertThrowsError(try run([missing], [1], [0]))
    }

    func testEveryLayerHasAName() {
        XCTAssertEqual(NeuralNetworkLayerNames.all.count, 158)
        let names = Set(NeuralNetworkLayerNames.all.values)
        for name in NeuralNetworkLayerDefinition.all.keys { XCTAssertTrue(names.contains(name), name) }
    }
}
