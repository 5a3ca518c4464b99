import XCTest

@testable import VisionInference

final class TransposedConvolutionTests: XCTestCase {
    /// What decides the output along one axis.
    private struct Axis {
        var kernel: Int
        var stride = 1
        var dilation = 1
        var crop: Int
        var output: Int
    }

    private func operation(
        _ vertical: Axis, _ horizontal: Axis, groups: Int = 1, order: TransposedConvolution.WeightOrder = .iohw,
        activation: Activation = Activation(.identity)
    ) -> TransposedConvolution {
        TransposedConvolution(
            kernelHeight: vertical.kernel, kernelWidth: horizontal.kernel, strideY: vertical.stride,
            strideX: horizontal.stride, dilationY: vertical.dilation, dilationX: horizontal.dilation,
            cropTop: vertical.crop, cropLeft: horizontal.crop, outputHeight: vertical.output,
            outputWidth: horizontal.output, groups: groups, order: order, activation: activation)
    }

    func testAgreesWithItsDefinition() throws {
        var seed: UInt64 = 1
        func number() -> Float {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int(seed >> 40) % 17 - 8) / 4
        }
        // Of a picture of 5 × 4.
        let cases: [(Axis, Axis, groups: Int)] = [
            (Axis(kernel: 2, stride: 2, crop: 0, output: 8), Axis(kernel: 2, stride: 2, crop: 0, output: 10), 1),
            (Axis(kernel: 3, stride: 2, crop: 0, output: 8), Axis(kernel: 4, stride: 3, crop: 1, output: 15), 1),
            (Axis(kernel: 3, crop: 1, output: 5), Axis(kernel: 1, crop: 0, output: 5), 2),
            // Outputs that nothing reaches, between the inputs and behind the last.
            (Axis(kernel: 1, stride: 3, crop: 0, output: 12), Axis(kernel: 2, stride: 3, crop: 0, output: 15), 1),
            (
                Axis(kernel: 3, stride: 2, dilation: 2, crop: 1, output: 9),
                Axis(kernel: 3, stride: 3, dilation: 2, crop: 2, output: 15), 3
            ),
            (
                Axis(kernel: 4, stride: 4, dilation: 6, crop: 0, output: 31),
                Axis(kernel: 5, stride: 2, crop: 2, output: 9), 1
            ),
            // Negative crops move the picture inwards.
            (Axis(kernel: 2, stride: 2, crop: -1, output: 11), Axis(kernel: 3, stride: 2, crop: -2, output: 14), 1),
            (Axis(kernel: 2, stride: 5, crop: 3, output: 2), Axis(kernel: 3, stride: 2, crop: 0, output: 1), 2),
        ]
        for (vertical, horizontal, groups) in cases {
            for order in [TransposedConvolution.WeightOrder.iohw, .ohwi] where groups == 1 || order == .iohw {
                let operation = operation(vertical, horizontal, groups: groups, order: order, activation: .relu)
                let (inputs, outputs) = (2 * groups, 3)
                let picture = try Tensor((0..<2 * 4 * 5 * inputs).map { _ in number() }, shape: [2, 4, 5, inputs])
                let (kh, kw) = (vertical.kernel, horizontal.kernel)
                let weightShape = order == .iohw ? [inputs, outputs, kh, kw] : [outputs, kh, kw, inputs]
                let weights = try Tensor((0..<weightShape.reduce(1, *)).map { _ in number() }, shape: weightShape)
                let bias = try Tensor((0..<outputs * groups).map { _ in number() })
                let wanted = try reference(operation, picture, weights, bias)
                for constant in [true, false] {
                    let result = try run(operation, picture, weights, bias, constant: constant)
                    XCTAssertEqual(result.shape, wanted.shape)
                    let values = try XCTUnwrap(result.floats)
                    for (a, b) in zip(values, try XCTUnwrap(wanted.floats)) {
                        XCTAssertEqual(a, b, accuracy: 1e-4, "\(vertical), \(horizontal)")
                    }
                }
            }
        }
    }

    func testRefusesWhatDoesNotFit() throws {
        func infer(_ axis: Axis, weights: [Int], picture: [Int] = [1, 4, 4, 2], groups: Int = 1) throws {
            _ = try operation(axis, axis, groups: groups).infer(
                [TensorDescription(.float32, picture), TensorDescription(.float32, weights)])
        }
        let axis = Axis(kernel: 2, stride: 2, crop: 0, output: 8)
        XCTAssertNoThrow(try infer(axis, weights: [2, 3, 2, 2]))
        XCTAssertThrowsError(try infer(axis, weights: [3, 3, 2, 2]))
        XCTAssertThrowsError(try infer(axis, weights: [2, 3, 2, 3]))
        XCTAssertThrowsError(try infer(axis, weights: [2, 3, 2]))
        XCTAssertThrowsError(try infer(axis, weights: [2, 3, 2, 2], groups: 0))
        XCTAssertThrowsError(try infer(axis, weights: [2, 3, 2, 2], picture: [1, 4, 8]))
        for bad in [
            Axis(kernel: 2, stride: 0, crop: 0, output: 8), Axis(kernel: 2, stride: .max, crop: 0, output: 8),
            Axis(kernel: 2, crop: .max, output: 8), Axis(kernel: 2, crop: 0, output: .min),
            Axis(kernel: 2, crop: 0, output: .max), Axis(kernel: 2, dilation: .max, crop: 0, output: 8),
        ] {
            XCTAssertThrowsError(try infer(bad, weights: [2, 3, 2, 2]), "\(bad)")
        }
    }

    private func run(
        _ operation: TransposedConvolution, _ picture: Tensor, _ weights: Tensor, _ bias: Tensor, constant: Bool
    ) throws -> Tensor {
        var graph = Graph()
        let input = graph.addInput("picture", .float32, picture.shape.map { $0 })
        var given = ["picture": picture]
        var values: [Graph.ValueID?] = [input]
        for (name, tensor) in [("weights", weights), ("bias", bias)] {
            if constant {
                values.append(graph.addValue(name, constant: tensor))
            } else {
                values.append(graph.addInput(name, .float32, tensor.shape.map { $0 }))
                given[name] = tensor
            }
        }
        graph.addOutput(graph.add(operation, values, name: "result"), name: "result", .float32)
        return try XCTUnwrap(Session(graph: graph, options: .init(threads: 2)).run(given)["result"])
    }

    /// Every input adds its multiple of the kernel.
    private func reference(
        _ operation: TransposedConvolution, _ picture: Tensor, _ weights: Tensor, _ bias: Tensor
    ) throws -> Tensor {
        let p = picture.shape
        let source = try XCTUnwrap(picture.floats)
        let kernel = try XCTUnwrap(weights.floats)
        let offsets = try XCTUnwrap(bias.floats)
        let (height, width) = (operation.outputHeight, operation.outputWidth)
        let (kh, kw) = (operation.kernelHeight, operation.kernelWidth)
        let inputs = p[3] / operation.groups
        let outputs = offsets.count / operation.groups
        var result = (0..<p[0] * height * width * offsets.count).map { offsets[$0 % offsets.count] }
        for n in 0..<p[0] {
            for iy in 0..<p[1] {
                for ix in 0..<p[2] {
                    for ky in 0..<kh {
                        for kx in 0..<kw {
                            let y = iy * operation.strideY + ky * operation.dilationY - operation.cropTop
                            let x = ix * operation.strideX + kx * operation.dilationX - operation.cropLeft
                            guard 0..<height ~= y, 0..<width ~= x else { continue }
                            for c in 0..<p[3] {
                                let group = c / inputs
                                for o in 0..<outputs {
                                    let weight =
                                        operation.order == .iohw
                                        ? kernel[((c * outputs + o) * kh + ky) * kw + kx]
                                        : kernel[((o * kh + ky) * kw + kx) * p[3] + c]
                                    result[((n * height + y) * width + x) * offsets.count + group * outputs + o] +=
                                        weight * source[((n * p[1] + iy) * p[2] + ix) * p[3] + c]
                                }
                            }
                        }
                    }
                }
            }
        }
        return try Tensor(result.map { max($0, 0) }, shape: [p[0], height, width, offsets.count])
    }
}
