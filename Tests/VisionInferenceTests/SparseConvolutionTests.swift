import XCTest

@testable import VisionInference

final class SparseConvolutionTests: XCTestCase {
    private func random(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -1...1) } }

    /// Weights of which a quarter is not zero.
    private func sparse(_ count: Int) -> [Float] {
        (0..<count).map { _ in Int.random(in: 0..<4) == 0 ? Float.random(in: -1...1) : 0 }
    }

    private func run(
        _ graph: Graph, _ inputs: [String: Tensor], threads: Int, optimises: Bool = true
    ) throws -> [Float] {
        let session = try Session(graph: graph, options: .init(threads: threads, optimises: optimises))
        return try XCTUnwrap(try session.run(inputs)["y"]?.floats)
    }

    /// Weights that come with the run are multiplied all, zeros too.
    func testZerosThatAreLeftOutChangeNoBit() throws {
        let shapes: [(shape: Shape, outputs: Int)] = [
            ([1, 14, 14, 112], 672), ([1, 14, 14, 672], 112), ([1, 7, 7, 200], 31), ([2, 9, 5, 20], 16),
            ([1, 6, 6, 17], 48), ([1, 40, 52, 96], 192),
        ]
        for (shape, outputs) in shapes {
            let weights = try Tensor(sparse(outputs * shape[3]), shape: [outputs, shape[3], 1, 1])
            let size = [shape[0], shape[1], shape[2], outputs]
            let inputs = [
                "x": try Tensor(random(shape.elementCount), shape: shape),
                "r": try Tensor(random(size.elementCount), shape: size),
            ]
            for (residual, activation) in [
                (Convolution.Residual.beforeActivation, Activation.relu), (.afterActivation, .relu),
                (.beforeActivation, Activation(.silu(alpha: 1))),
            ] {
                func graph(constant: Bool) throws -> Graph {
                    var graph = Graph()
                    let x = graph.addInput("x", .float32, shape)
                    let w =
                        constant ? graph.addValue("w", constant: weights) : graph.addInput("w", .float32, weights.shape)
                    let b = graph.addValue("b", constant: try Tensor((0..<outputs).map { Float($0 % 7) / 7 }))
                    let r = graph.addInput("r", .float32, size)
                    let y = graph.add(
                        Convolution(
                            geometry: WindowGeometry(kernelHeight: 1, kernelWidth: 1), order: .oihw,
                            activation: activation, residual: residual),
                        [x, w, b, r], name: "conv")
                    graph.addOutput(y, name: "y", .float32)
                    return graph
                }
                let all = try run(
                    graph(constant: false), inputs.merging(["w": weights]) { one, _ in one }, threads: 1)
                for threads in [1, 2, 5] {
                    XCTAssertEqual(try run(graph(constant: true), inputs, threads: threads), all)
                }
            }
        }
    }

    /// The convolutions of a bottleneck run a few rows at a time.
    func testBottlenecksWithSparseWeightsAgreeWithTheirConvolutions() throws {
        let point = WindowGeometry(kernelHeight: 1, kernelWidth: 1)
        for (height, stride) in [(14, 1), (15, 2), (56, 1)] {
            var graph = Graph()
            let x = graph.addInput("x", .float32, [1, height, 14, 32])
            let expand = graph.addValue("a", constant: try Tensor(sparse(192 * 32), shape: [192, 32, 1, 1]))
            let taps = graph.addValue("b", constant: try Tensor(random(192 * 9), shape: [192, 1, 3, 3]))
            let project = graph.addValue("c", constant: try Tensor(sparse(48 * 192), shape: [48, 192, 1, 1]))
            let wide = graph.add(
                Convolution(geometry: point, order: .oihw, activation: .relu), [x, expand], name: "expand")
            let window = WindowGeometry(
                kernelHeight: 3, kernelWidth: 3, strideY: stride, strideX: stride, padding: .sameUpper)
            let middle = graph.add(
                Convolution(geometry: window, groups: 192, order: .oihw, activation: .relu), [wide, taps],
                name: "depthwise")
            let y = graph.add(Convolution(geometry: point, order: .oihw), [middle, project], name: "project")
            graph.addOutput(y, name: "y", .float32)
            let inputs = ["x": try Tensor(random(height * 14 * 32), shape: [1, height, 14, 32])]
            let wanted = try run(graph, inputs, threads: 1, optimises: false)
            for threads in [1, 2, 5] { XCTAssertEqual(try run(graph, inputs, threads: threads), wanted) }
        }
    }
}
