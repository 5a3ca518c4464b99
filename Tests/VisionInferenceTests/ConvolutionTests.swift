import XCTest

@testable import VisionInference

final class ConvolutionTests: XCTestCase {
    /// The definition, in double.
    private func reference(
        _ x: [Float], _ shape: Shape, _ w: [Float], _ o: Int, _ window: WindowGeometry, groups: Int, bias: [Float]
    ) throws -> [Double] {
        let size = try window.resolved(height: shape[1], width: shape[2])
        let (h, width, c) = (shape[1], shape[2], shape[3])
        let (kh, kw, cg, og) = (window.kernelHeight, window.kernelWidth, c / groups, o / groups)
        var result: [Double] = []
        for n in 0..<shape[0] {
            for y in 0..<size.outputHeight {
                for xx in 0..<size.outputWidth {
                    for k in 0..<o {
                        var sum = Double(bias[k])
                        for i in 0..<kh {
                            let sy = y * window.strideY - size.padTop + i * window.dilationY
                            guard (0..<h).contains(sy) else { continue }
                            for j in 0..<kw {
                                let sx = xx * window.strideX - size.padLeft + j * window.dilationX
                                guard (0..<width).contains(sx) else { continue }
                                for q in 0..<cg {
                                    let pixel = x[((n * h + sy) * width + sx) * c + k / og * cg + q]
                                    sum += Double(pixel) * Double(w[((k * cg + q) * kh + i) * kw + j])
                                }
                            }
                        }
                        result.append(sum)
                    }
                }
            }
        }
        return result
    }

    private func random(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -1...1) } }

    private func run(_ graph: Graph, _ inputs: [String: Tensor], threads: Int) throws -> [Float] {
        let session = try Session(graph: graph, options: .init(threads: threads))
        return try XCTUnwrap(try session.run(inputs)["y"]?.floats)
    }

    func testConvolutionsAgreeWithTheDefinitionAndDoNotDependOnThreads() throws {
        let cases: [(shape: Shape, o: Int, groups: Int, window: WindowGeometry)] = [
            ([1, 13, 17, 24], 40, 1, WindowGeometry(kernelHeight: 1, kernelWidth: 1)),
            (
                [2, 14, 14, 3], 32, 1,
                WindowGeometry(kernelHeight: 3, kernelWidth: 3, strideY: 2, strideX: 2, padding: .sameUpper)
            ),
            ([1, 9, 8, 48], 48, 48, WindowGeometry(kernelHeight: 3, kernelWidth: 3, padding: .sameUpper)),
            (
                [2, 12, 11, 16], 32, 16,
                WindowGeometry(kernelHeight: 5, kernelWidth: 5, strideY: 2, strideX: 2, padding: .sameLower)
            ),
            // Images that a part of the second cache does not hold, so that rows and groups are shared.
            ([1, 40, 52, 56], 56, 7, WindowGeometry(kernelHeight: 3, kernelWidth: 3, padding: .sameUpper)),
            (
                [2, 45, 50, 48], 48, 2,
                WindowGeometry(kernelHeight: 3, kernelWidth: 3, strideY: 2, strideX: 2, padding: .sameUpper)
            ),
            (
                [1, 10, 10, 12], 18, 3,
                WindowGeometry(
                    kernelHeight: 3, kernelWidth: 2, strideY: 1, strideX: 2, dilationY: 2, dilationX: 1,
                    padding: .explicit(top: 1, left: 0, bottom: 2, right: 1))
            ),
            ([3, 1, 1, 130], 77, 1, WindowGeometry(kernelHeight: 1, kernelWidth: 1)),
            ([1, 60, 60, 64], 200, 1, WindowGeometry(kernelHeight: 1, kernelWidth: 1)),
        ]
        for (shape, o, groups, window) in cases {
            let weights = random(o * shape[3] / groups * window.kernelHeight * window.kernelWidth)
            let bias = random(o)
            let x = random(shape.elementCount)
            let wanted = try reference(x, shape, weights, o, window, groups: groups, bias: bias)
            let size = try window.resolved(height: shape[1], width: shape[2])
            let added = random(shape[0] * size.outputHeight * size.outputWidth * o)
            for constant in [true, false] {
                var graph = Graph()
                let weightTensor = try Tensor(
                    weights, shape: [o, shape[3] / groups, window.kernelHeight, window.kernelWidth])
                let input = graph.addInput("x", .float32, shape)
                let w =
                    constant
                    ? graph.addValue("w", constant: weightTensor) : graph.addInput("w", .float32, weightTensor.shape)
                let b = graph.addValue("b", constant: try Tensor(bias))
                let r = graph.addInput("r", .float32, [shape[0], size.outputHeight, size.outputWidth, o])
                let y = graph.add(
                    Convolution(
                        geometry: window, groups: groups, order: .oihw, activation: .relu,
                        residual: .beforeActivation),
                    [input, w, b, r], name: "conv")
                graph.addOutput(y, name: "y", .float32)
                var inputs = [
                    "x": try Tensor(x, shape: shape),
                    "r": try Tensor(added, shape: [shape[0], size.outputHeight, size.outputWidth, o]),
                ]
                if !constant { inputs["w"] = weightTensor }
                let one = try run(graph, inputs, threads: 1)
                XCTAssertEqual(one.count, wanted.count)
                for (index, value) in one.enumerated() {
                    XCTAssertEqual(Double(value), max(wanted[index] + Double(added[index]), 0), accuracy: 2e-4)
                }
                for threads in [2, 5] { XCTAssertEqual(try run(graph, inputs, threads: threads), one) }
            }
        }
    }

    /// Nothing is added, so that groups of 4, 8 and 16 channels are computed at once, and large images by squares.
    func testGroupsAndManyChannelsAgreeWithTheDefinition() throws {
        let same = WindowGeometry(kernelHeight: 3, kernelWidth: 3, padding: .sameUpper)
        let halved = WindowGeometry(kernelHeight: 3, kernelWidth: 3, strideY: 2, strideX: 2, padding: .sameLower)
        let dilated = WindowGeometry(
            kernelHeight: 5, kernelWidth: 5, dilationY: 2, dilationX: 2,
            padding: .explicit(top: 4, left: 4, bottom: 4, right: 3))
        let cases: [(shape: Shape, groups: Int, window: WindowGeometry)] = [
            ([1, 19, 31, 64], 16, same), ([2, 8, 7, 40], 5, same), ([1, 15, 30, 48], 6, halved),
            ([1, 9, 14, 48], 3, same), ([1, 7, 7, 96], 3, same), ([1, 15, 14, 192], 1, same),
            ([1, 13, 17, 20], 20, dilated),
        ]
        for (shape, groups, window) in cases {
            let channels = shape[3]
            let weights = random(channels * channels / groups * window.kernelHeight * window.kernelWidth)
            let (x, bias, slopes) = (random(shape.elementCount), random(channels), random(channels))
            let wanted = try reference(x, shape, weights, channels, window, groups: groups, bias: bias)
            var graph = Graph()
            let input = graph.addInput("x", .float32, shape)
            let w = graph.addValue(
                "w",
                constant: try Tensor(
                    weights, shape: [channels, channels / groups, window.kernelHeight, window.kernelWidth]))
            let b = graph.addValue("b", constant: try Tensor(bias))
            let s = graph.addValue("s", constant: try Tensor(slopes))
            let y = graph.add(
                Convolution(geometry: window, groups: groups, order: .oihw), [input, w, b, nil, s], name: "conv")
            graph.addOutput(y, name: "y", .float32)
            let inputs = ["x": try Tensor(x, shape: shape)]
            let one = try run(graph, inputs, threads: 1)
            XCTAssertEqual(one.count, wanted.count)
            for (index, value) in one.enumerated() {
                let sum = wanted[index]
                let result = sum < 0 ? sum * Double(slopes[index % channels]) : sum
                XCTAssertEqual(Double(value), result, accuracy: channels > 100 ? 1e-3 : 2e-4)
            }
            for threads in [2, 5] { XCTAssertEqual(try run(graph, inputs, threads: threads), one) }
        }
    }

    func testWeightsThatDoNotFitAreRefused() throws {
        var graph = Graph()
        let x = graph.addInput("x", .float32, [1, 4, 4, 3])
        let w = graph.addValue("w", constant: try Tensor(zeros: [8, 4, 3, 3], of: .float32))
        graph.addOutput(
            graph.add(
                Convolution(geometry: WindowGeometry(kernelHeight: 3, kernelWidth: 3), order: .oihw), [x, w],
                name: "c"),
            name: "y", .float32)
        XCTAssertThrowsError(try Session(graph: graph)) { error in
            XCTAssertEqual((error as? ModelError)?.kind, .invalid, "\(error)")
            let text = "\(error)"
            XCTAssertTrue(text.contains("“c”"), text)
        }
    }
}
