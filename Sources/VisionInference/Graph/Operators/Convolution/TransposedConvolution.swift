/// Transposed convolution of images (N, H, W, C): every input pixel adds its value times the kernel to the output.
///
/// Inputs: image, weights and optionally bias. It is done as one convolution for every phase of the stride: the output
/// pixels at the same remainder see the same taps.
package struct TransposedConvolution: Operator {
    /// The order of the axes of the weights: input channels, output channels of a group, rows, columns.
    package enum WeightOrder: Hashable, Sendable {
        /// I O H W, as ONNX has it.
        case iohw
        /// O H W I, as TensorFlow Lite has it.
        case ohwi
    }

    package var kernelHeight: Int
    package var kernelWidth: Int
    package var strideY: Int
    package var strideX: Int
    package var dilationY = 1
    package var dilationX = 1
    /// Rows and columns that are cut off the full result at its top and left.
    package var cropTop: Int
    package var cropLeft: Int
    package var outputHeight: Int
    package var outputWidth: Int
    package var groups = 1
    package var order: WeightOrder
    package var activation = Activation(.identity)

    package var name: String { "ConvTranspose" }

    /// Output channels, input channels of one group each, and where the weights lie.
    func weightShape(_ shape: Shape) throws -> (outputs: Int, inputs: Int, steps: (o: Int, i: Int, y: Int, x: Int)) {
        guard shape.count == 4 else { throw ModelError.invalid("weights of shape \(shape)") }
        let steps = shape.rowMajorStrides
        return switch order {
        case .iohw: (shape[1], shape[0], (steps[1], steps[0], steps[2], steps[3]))
        case .ohwi: (shape[0], shape[3], (steps[0], steps[3], steps[1], steps[2]))
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let image = try required(inputs, 0)
        let weights = try required(inputs, 1)
        guard image.shape.count == 4, image.type == .float32, weights.type == .float32 else {
            throw ModelError.unsupported("only images of 32-bit floats are convolved")
        }
        let shape = try weightShape(weights.shape)
        let kernel = order == .iohw ? Array(weights.shape[2...]) : Array(weights.shape[1...2])
        guard kernel == [kernelHeight, kernelWidth], groups >= 1, shape.inputs == image.shape[3],
            image.shape[3] % groups == 0, shape.outputs >= 1, groups == 1 || order == .iohw
        else { throw ModelError.invalid("weights \(weights.shape) for an image \(image.shape)") }
        for value in [kernelHeight, kernelWidth, strideY, strideX, dilationY, dilationX, outputHeight, outputWidth]
        where !(1...1 << 20).contains(value) { throw ModelError.invalid("a kernel, stride or size of \(value)") }
        for value in [cropTop, cropLeft] where !(-(1 << 20)...1 << 20).contains(value) {
            throw ModelError.invalid("padding \(value)")
        }
        guard image.shape[1] < 1 << 24, image.shape[2] < 1 << 24, strideY * strideX <= 1 << 12 else {
            throw ModelError.tooLarge("a transposed convolution of \(image.shape)")
        }
        let channels = shape.outputs * groups
        if inputs.count > 2, let bias = inputs[2], bias.type != .float32 || bias.shape != [channels] {
            throw ModelError.invalid("a bias of shape \(bias.shape) for \(channels) channels")
        }
        return .known([TensorDescription(.float32, [image.shape[0], outputHeight, outputWidth, channels])])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        guard let image = inputs[0]?.shape, let output = outputs.first?.shape else { return 0 }
        return Int.saturatingProduct([2, image.elementCount, output[3] / groups, kernelHeight, kernelWidth])
    }
}
