import XCTest

@testable import VisionInference

final class PassTests: PassTestCase {
    /// A graph whose convolutions are stated with channels first.
    private struct Maker {
        var graph = Graph()

        mutating func convolve(
            _ x: Int, _ weights: Tensor, _ window: WindowGeometry, groups: Int = 1, name: String
        ) -> Int {
            let before = graph.add(Transpose(permutation: [0, 2, 3, 1]), [x], name: "\(name)<")
            let w = graph.addValue("\(name)w", constant: weights)
            let y = graph.add(Convolution(geometry: window, groups: groups, order: .oihw), [before, w], name: name)
            return graph.add(Transpose(permutation: [0, 3, 1, 2]), [y], name: "\(name)>")
        }
    }

    private let same = WindowGeometry(kernelHeight: 3, kernelWidth: 3, padding: .sameUpper)
    private let point = WindowGeometry(kernelHeight: 1, kernelWidth: 1)

    func testAChainOfConvolutionsRunsWithoutChangesOfLayoutAndWithoutStepsBetween() throws {
        var maker = Maker()
        let x = maker.graph.addInput("x", .float32, [1, 8, 9, 10])
        let first = maker.convolve(x, try random([12, 8, 3, 3]), same, name: "a")
        let scale = maker.graph.addValue("s", constant: try random([1, 12, 1, 1]))
        let bias = maker.graph.addValue("b", constant: try random([12, 1, 1]))
        let scaled = maker.graph.add(BinaryOperation(kind: .mul), [first, scale], name: "mul")
        let moved = maker.graph.add(BinaryOperation(kind: .add), [scaled, bias], name: "add")
        let active = maker.graph.add(ActivationOperation(activation: .relu6), [moved], name: "relu")
        let deep = maker.convolve(active, try random([12, 1, 3, 3]), same, groups: 12, name: "d")
        let last = maker.convolve(deep, try random([12, 12, 1, 1]), point, name: "p")
        let sum = maker.graph.add(BinaryOperation(kind: .add), [active, last], name: "sum")
        let end = maker.graph.add(ActivationOperation(activation: .relu), [sum], name: "end")
        maker.graph.addOutput(end, name: "y", .float32)
        XCTAssertEqual(
            try optimised(maker.graph).filter { $0 != "Transpose" }.filter {
                !$0.contains("Convolution") && !$0.contains("Bottleneck")
            }, [])
        XCTAssertEqual(try optimised(maker.graph).filter { $0 == "Transpose" }.count, 2)
        try assertSameResults(maker.graph)
    }

    /// A residual that is widened by channels of zeros, as MediaPipe's networks have it.
    func testAResidualWithFewerChannelsIsAddedWithoutBeingPadded() throws {
        for (images, window, height) in [(1, point, 9), (2, point, 5), (1, same, 12), (2, same, 7)] {
            var graph = Graph()
            let x = graph.addInput("x", .float32, [images, height, 10, 21])
            let weights = graph.addValue("w", constant: try random([40, 21, window.kernelHeight, window.kernelWidth]))
            let pads = graph.addValue("p", constant: try Tensor([0, 0, 0, 0, 0, 0, 0, 19] as [Int64]))
            let wide = graph.add(Pad(mode: .constant), [x, pads], name: "pad")
            let y = graph.add(Convolution(geometry: window, order: .oihw), [x, weights], name: "conv")
            let sum = graph.add(BinaryOperation(kind: .add), [y, wide], name: "sum")
            let end = graph.add(ActivationOperation(activation: .relu), [sum], name: "relu")
            graph.addOutput(end, name: "y", .float32)
            XCTAssertEqual(try optimised(graph), ["Convolution"])
            try assertSameResults(graph)
        }
    }

    func testTransposesPassThroughReshapesOfTheChannelsAndConcatenation() throws {
        var maker = Maker()
        let x = maker.graph.addInput("x", .float32, [1, 8, 5, 6])
        let a = maker.convolve(x, try random([12, 8, 1, 1]), point, name: "a")
        let b = maker.convolve(x, try random([4, 8, 1, 1]), point, name: "b")
        let joined = maker.graph.add(Concat(axis: 1), [a, b], name: "concat")
        let five = maker.graph.addValue("five", constant: try Tensor([1, 2, 8, 5, 6] as [Int64]))
        let split = maker.graph.add(Reshape(), [joined, five], name: "split")
        let shuffled = maker.graph.add(Transpose(permutation: [0, 2, 1, 3, 4]), [split], name: "shuffle")
        let four = maker.graph.addValue("four", constant: try Tensor([1, 16, 5, 6] as [Int64]))
        let merged = maker.graph.add(Reshape(), [shuffled, four], name: "merge")
        let c = maker.convolve(merged, try random([3, 16, 3, 3]), same, name: "c")
        maker.graph.addOutput(c, name: "y", .float32)
        // One at the input, one for the shuffle of channels, one at the output.
        XCTAssertEqual(try optimised(maker.graph).filter { $0 == "Transpose" }.count, 3)
        try assertSameResults(maker.graph)
    }

    /// Both halves of a shuffle keep their channels last, also where one goes on unchanged, as in ShuffleNet.
    func testHalvesOfShuffledChannelsKeepOneLayout() throws {
        var maker = Maker()
        let x = maker.graph.addInput("x", .float32, [1, 8, 5, 6])
        func shuffle(_ a: Int, _ b: Int, _ name: String) throws -> Int {
            let joined = maker.graph.add(Concat(axis: 1), [a, b], name: "concat\(name)")
            let five = maker.graph.addValue("five\(name)", constant: try Tensor([1, 2, 8, 5, 6] as [Int64]))
            let split = maker.graph.add(Reshape(), [joined, five], name: "split\(name)")
            let turned = maker.graph.add(Transpose(permutation: [0, 2, 1, 3, 4]), [split], name: "shuffle\(name)")
            let four = maker.graph.addValue("four\(name)", constant: try Tensor([1, 16, 5, 6] as [Int64]))
            return maker.graph.add(Reshape(), [turned, four], name: "merge\(name)")
        }
        func half(_ value: Int, _ first: Int64) throws -> Int {
            let numbers = try [[first], [first + 8], [1]].enumerated().map { index, numbers in
                maker.graph.addValue("half\(first)\(index)", constant: try Tensor(numbers as [Int64]))
            }
            return maker.graph.add(Slice(), [value] + numbers, name: "half\(first)")
        }
        let a = maker.convolve(x, try random([8, 8, 1, 1]), point, name: "a")
        let b = maker.convolve(x, try random([8, 8, 1, 1]), point, name: "b")
        let shuffled = try shuffle(a, b, "1")
        let c = maker.convolve(try half(shuffled, 8), try random([8, 8, 3, 3]), same, name: "c")
        let again = try shuffle(try half(shuffled, 0), c, "2")
        let d = maker.convolve(again, try random([3, 16, 3, 3]), same, name: "d")
        maker.graph.addOutput(d, name: "y", .float32)
        // One at the input, one for each shuffle of channels, one at the output.
        XCTAssertEqual(try optimised(maker.graph).filter { $0 == "Transpose" }.count, 4)
        try assertSameResults(maker.graph)
    }

    func testScalingByChannelWithAnActivationIsOnePass() throws {
        for images in [1, 3] {
            var graph = Graph()
            let x = graph.addInput("x", .float32, [images, 9, 10, 37])
            let factors = graph.addValue("f", constant: try random([1, 1, 37]))
            let terms = graph.addValue("t", constant: try random([37]))
            let scaled = graph.add(BinaryOperation(kind: .mul), [factors, x], name: "mul")
            let moved = graph.add(BinaryOperation(kind: .add), [scaled, terms], name: "add")
            let active = graph.add(ActivationOperation(activation: .relu), [moved], name: "relu")
            graph.addOutput(active, name: "y", .float32)
            XCTAssertEqual(try optimised(graph), ["Convolution"])
            try assertSameResults(graph)
        }
    }

    /// What is read twice, is an output, has other axes, or no pixels.
    func testOtherScalingsStayThreeOperations() throws {
        func operations(
            _ shape: [Int], factors: [Int], readsTwice: Bool = false, showsSum: Bool = false
        ) throws -> [String] {
            var graph = Graph()
            let x = graph.addInput("x", .float32, shape.map { $0 })
            let scaled = graph.add(
                BinaryOperation(kind: .mul), [x, graph.addValue("f", constant: try random(factors))], name: "mul")
            let moved = graph.add(
                BinaryOperation(kind: .add), [scaled, graph.addValue("t", constant: try random([factors.last ?? 1]))],
                name: "add")
            graph.addOutput(
                graph.add(ActivationOperation(activation: .relu), [moved], name: "relu"), name: "y", .float32)
            if readsTwice { graph.addOutput(scaled, name: "z", .float32) }
            if showsSum { graph.addOutput(moved, name: "z", .float32) }
            if shape.allSatisfy({ $0 > 0 }) { try assertSameResults(graph) }
            return try optimised(graph)
        }
        for found in [
            try operations([1, 9, 10, 7], factors: [7], readsTwice: true),
            try operations([1, 9, 10, 7], factors: [7], showsSum: true),
            try operations([1, 9, 10, 7], factors: [10, 7]),
            try operations([9, 10, 7], factors: [7]), try operations([1, 1, 100, 7], factors: [7]),
            try operations([1, 0, 10, 7], factors: [7]),
        ] {
            XCTAssertFalse(found.contains("Convolution"), "\(found)")
        }
    }

    /// Heads of attention: the transpose of the keys and that of the result.
    func testProductsReadTransposedMatricesAndHeadsAreJoinedByOneTranspose() throws {
        var graph = Graph()
        let queries = graph.addInput("q", .float32, [2, 3, 7, 5])
        let keys = graph.addInput("k", .float32, [2, 3, 7, 5])
        let weights = graph.addValue("w", constant: try random([15, 4]))
        let turned = graph.add(Transpose(permutation: [0, 1, 3, 2]), [keys], name: "turned")
        let scores = graph.add(MatMul(), [queries, turned], name: "scores")
        let sums = graph.add(MatMul(), [scores, keys], name: "sums")
        let heads = graph.add(Transpose(permutation: [0, 2, 1, 3]), [sums], name: "heads")
        let shape = graph.addValue("shape", constant: try Tensor([2, 7, 15] as [Int64]))
        let joined = graph.add(Reshape(), [heads, shape], name: "joined")
        graph.addOutput(graph.add(MatMul(), [joined, weights], name: "y"), name: "y", .float32)
        XCTAssertEqual(try optimised(graph), ["MatMul", "MatMul", "Transpose", "Convolution"])
        try assertSameResults(graph)
    }

    func testAProductOfAPictureWithOneValueAChannelNeedsNoTranspose() throws {
        var maker = Maker()
        let x = maker.graph.addInput("x", .float32, [1, 8, 5, 6])
        let a = maker.convolve(x, try random([8, 8, 1, 1]), point, name: "a")
        let axes = maker.graph.addValue("axes", constant: try Tensor([2, 3] as [Int64]))
        let pooled = maker.graph.add(Reduce(kind: .mean, keepsDimensions: true), [a, axes], name: "pool")
        let gate = maker.convolve(pooled, try random([8, 8, 1, 1]), point, name: "g")
        let sigmoid = maker.graph.add(ActivationOperation(activation: Activation(.sigmoid)), [gate], name: "sigmoid")
        let scaled = maker.graph.add(BinaryOperation(kind: .mul), [a, sigmoid], name: "mul")
        let b = maker.convolve(scaled, try random([4, 8, 1, 1]), point, name: "b")
        maker.graph.addOutput(b, name: "y", .float32)
        XCTAssertEqual(try optimised(maker.graph).filter { $0 == "Transpose" }.count, 2)
        try assertSameResults(maker.graph)
    }

    /// As converters leave them after every step.
    func testStepsThatChangeNothingHideNoLayout() throws {
        var maker = Maker()
        let x = maker.graph.addInput("x", .float32, [1, 8, 5, 6])
        let a = maker.graph.add(Identity(), [maker.convolve(x, try random([8, 8, 1, 1]), point, name: "a")], name: "i")
        let axes = maker.graph.addValue("axes", constant: try Tensor([2, 3] as [Int64]))
        let pooled = maker.graph.add(Reduce(kind: .mean, keepsDimensions: true), [a, axes], name: "pool")
        let gate = maker.convolve(pooled, try random([8, 8, 1, 1]), point, name: "g")
        let sigmoid = maker.graph.add(ActivationOperation(activation: Activation(.sigmoid)), [gate], name: "sigmoid")
        let scaled = maker.graph.add(BinaryOperation(kind: .mul), [a, sigmoid], name: "mul")
        let same = maker.graph.add(Identity(), [scaled], name: "j")
        let sum = maker.graph.add(BinaryOperation(kind: .add), [a, same], name: "sum")
        let b = maker.convolve(sum, try random([4, 8, 1, 1]), point, name: "b")
        let end = maker.graph.add(Identity(), [b], name: "k")
        maker.graph.addOutput(end, name: "y", .float32)
        XCTAssertEqual(try optimised(maker.graph).filter { $0 == "Transpose" }.count, 2)
        try assertSameResults(maker.graph)
    }

    func testSpelledOutActivationsBecomeOne() throws {
        for (wanted, make) in [
            (
                Activation(.silu(alpha: 1)),
                { (graph: inout Graph, x: Int) -> Int in
                    let gate = graph.add(ActivationOperation(activation: Activation(.sigmoid)), [x], name: "s")
                    return graph.add(BinaryOperation(kind: .mul), [x, gate], name: "m")
                }
            ),
            (
                Activation(.hardSwish),
                { (graph: inout Graph, x: Int) -> Int in
                    guard let three = try? Tensor(scalar: Float(3)), let six = try? Tensor(scalar: Float(6)) else {
                        return x
                    }
                    let c3 = graph.addValue("3", constant: three)
                    let c6 = graph.addValue("6", constant: six)
                    let sum = graph.add(BinaryOperation(kind: .add), [x, c3], name: "a")
                    let gate = graph.add(ActivationOperation(activation: .relu6), [sum], name: "c")
                    let product = graph.add(BinaryOperation(kind: .mul), [x, gate], name: "m")
                    return graph.add(BinaryOperation(kind: .div), [product, c6], name: "d")
                }
            ),
            (
                Activation(.gelu),
                { (graph: inout Graph, x: Int) -> Int in Self.spelledOutGELU(&graph, of: x, halfFirst: false) }
            ),
            (
                Activation(.gelu),
                { (graph: inout Graph, x: Int) -> Int in Self.spelledOutGELU(&graph, of: x, halfFirst: true) }
            ),
        ] {
            var graph = Graph()
            let x = graph.addInput("x", .float32, [3, 4])
            let y = make(&graph, x)
            graph.addOutput(y, name: "y", .float32)
            var shaped = try ShapedGraph(graph, inputs: [TensorDescription(.float32, [3, 4])])
            try Optimiser.run(&shaped)
            XCTAssertEqual(shaped.graph.nodes.count, 1)
            XCTAssertEqual((shaped.graph.nodes.first?.operation as? ActivationOperation)?.activation, wanted)
            try assertSameResults(graph)
        }
    }

    /// As PyTorch exports it, and with the factors in another order.
    private static func spelledOutGELU(_ graph: inout Graph, of x: Int, halfFirst: Bool) -> Int {
        guard let root = try? Tensor(scalar: Float(2).squareRoot()), let one = try? Tensor(scalar: Float(1)),
            let half = try? Tensor(scalar: Float(0.5))
        else { return x }
        let scaled = graph.add(
            BinaryOperation(kind: .div), [x, graph.addValue("r", constant: root)], name: "scaled")
        let erf = graph.add(UnaryOperation(kind: .erf), [scaled], name: "erf")
        let gate = graph.add(BinaryOperation(kind: .add), [erf, graph.addValue("1", constant: one)], name: "gate")
        let factor = graph.addValue("h", constant: half)
        if halfFirst {
            let smaller = graph.add(BinaryOperation(kind: .mul), [x, factor], name: "smaller")
            return graph.add(BinaryOperation(kind: .mul), [smaller, gate], name: "m")
        }
        let product = graph.add(BinaryOperation(kind: .mul), [x, gate], name: "product")
        return graph.add(BinaryOperation(kind: .mul), [product, factor], name: "m")
    }

    func testAFunctionThatOnlyResemblesGELUIsLeftAlone() throws {
        var graph = Graph()
        let x = graph.addInput("x", .float32, [3, 4])
        let y = Self.spelledOutGELU(&graph, of: x, halfFirst: false)
        // Its gate has another reader, which must get it.
        let gate = try XCTUnwrap(graph.nodes.first { $0.name == "gate" }?.outputs.first)
        graph.addOutput(y, name: "y", .float32)
        graph.addOutput(gate, name: "z", .float32)
        XCTAssertFalse(try optimised(graph).contains("ActivationOperation"))
        try assertSameResults(graph)
    }

    func testPaddingAndCuttingByNothingIsLeftOut() throws {
        for (amount, end, steps) in [(0, 5, 0), (1, 6, 2), (0, 4, 1)] {
            var graph = Graph()
            let x = graph.addInput("x", .float32, [2, 5, 3])
            func integers(_ name: String, _ values: [Int64]) throws -> Int {
                graph.addValue(name, constant: try Tensor(values))
            }
            let padded = graph.add(
                Pad(), [x, try integers("pads", [0, Int64(amount), 0, 0, 0, 0])], name: "pad")
            let cut = graph.add(
                Slice(),
                [
                    padded, try integers("starts", [Int64(amount)]), try integers("ends", [Int64(end)]),
                    try integers("axes", [1]),
                ], name: "cut")
            graph.addOutput(
                graph.add(ActivationOperation(activation: .relu), [cut], name: "relu"), name: "y", .float32)
            XCTAssertEqual(try optimised(graph).filter { $0 != "ActivationOperation" }.count, steps)
            try assertSameResults(graph)
        }
    }

    /// The layers of a transformer: products of matrices of three axes with what follows them.
    func testWhatFollowsAProductOfMatricesIsJoinedWithIt() throws {
        var graph = Graph()
        let x = graph.addInput("x", .float32, [2, 5, 24])
        let wide = graph.add(
            MatMul(), [x, graph.addValue("w", constant: try random([24, 40]))], name: "wide")
        let biased = graph.add(
            BinaryOperation(kind: .add), [graph.addValue("b", constant: try random([40])), wide], name: "biased")
        let activated = Self.spelledOutGELU(&graph, of: biased, halfFirst: false)
        let narrow = graph.add(
            MatMul(), [activated, graph.addValue("v", constant: try random([40, 24]))], name: "narrow")
        let scaled = graph.add(
            BinaryOperation(kind: .mul), [narrow, graph.addValue("g", constant: try random([1, 1, 24]))],
            name: "scaled")
        graph.addOutput(graph.add(BinaryOperation(kind: .add), [x, scaled], name: "sum"), name: "y", .float32)
        XCTAssertEqual(try optimised(graph).filter { $0 != "Reshape" }, ["Convolution", "Convolution"])
        try assertSameResults(graph)
    }

    func testProductsWithConstantMatricesArePackedOnce() throws {
        for transposes in [false, true] {
            var graph = Graph()
            let x = graph.addInput("x", .float32, [2, 5, 24])
            let w = graph.addValue("w", constant: try random(transposes ? [18, 24] : [24, 18]))
            let b = graph.addValue("b", constant: try random([18]))
            let product = graph.add(MatMul(transposesRight: transposes), [x, w], name: "mul")
            graph.addOutput(graph.add(BinaryOperation(kind: .add), [product, b], name: "add"), name: "y", .float32)
            XCTAssertEqual(try optimised(graph).first, "Convolution")
            try assertSameResults(graph)
        }
    }

    /// What segmentation networks end with.
    func testAnImageThatIsEnlargedIsTransposedBefore() throws {
        func graph(_ filter: ResizeImage.Filter, _ coordinates: ResizeImage.Coordinates, channels: Int, _ size: [Int])
            -> Graph
        {
            var graph = Graph()
            let x = graph.addInput("x", .float32, [2, 5, 7, channels])
            let resize = ResizeImage(filter: filter, coordinates: coordinates, height: size[0], width: size[1])
            let enlarged = graph.add(resize, [x], name: "resize")
            let moved = graph.add(Transpose(permutation: [0, 3, 1, 2]), [enlarged], name: "transpose")
            graph.addOutput(moved, name: "y", .float32)
            return graph
        }
        for coordinates in [ResizeImage.Coordinates.halfPixel, .alignedCorners, .asymmetric] {
            let enlarging = graph(.bilinear, coordinates, channels: 21, [33, 50])
            XCTAssertEqual(try optimised(enlarging), ["Transpose", "ResizeImage"])
            try assertSameResults(enlarging, accuracy: 1e-6)
        }
        for others in [
            graph(.nearest(.floor), .asymmetric, channels: 21, [33, 50]),
            graph(.bilinear, .halfPixel, channels: 21, [9, 50]),
        ] {
            XCTAssertEqual(try optimised(others), ["ResizeImage", "Transpose"])
            try assertSameResults(others)
        }
    }
}
