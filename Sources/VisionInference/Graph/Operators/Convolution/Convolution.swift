/// Convolution of images (N, H, W, C), dense, grouped or depthwise.
///
/// Inputs: image, weights, and optionally bias (one a channel), residual (a tensor of the output's shape, added where
/// `residual` says) and the slopes of a PReLU (one a channel), which then replaces the activation. The residual of
/// a dense convolution may have fewer channels than the output, whose others then get nothing.
package struct Convolution: Operator {
    /// The order of the axes of the weights: output channels, rows, columns, input channels of a group.
    package enum WeightOrder: Hashable, Sendable {
        /// O I H W, as ONNX has it.
        case oihw
        /// O H W I.
        case ohwi
        /// I H W O: depthwise weights of TensorFlow Lite.
        case ihwo
    }

    package enum Residual: Hashable, Sendable {
        case none, beforeActivation, afterActivation
    }

    package var geometry: WindowGeometry
    package var groups = 1
    package var order: WeightOrder
    package var activation = Activation(.identity)
    package var residual: Residual = .none

    /// The indices of the inputs.
    enum Input {
        static let image = 0
        static let weights = 1
        static let bias = 2
        static let residual = 3
        static let slopes = 4
    }

    package var name: String { groups == 1 ? "Conv" : "Conv(groups: \(groups))" }

    /// Sizes of the weights, whatever their order.
    struct WeightShape {
        var outputs: Int
        var inputs: Int
        var height: Int
        var width: Int
        /// Elements from one to the next.
        var outputStep: Int
        var inputStep: Int
        var rowStep: Int
        var columnStep: Int
    }

    func weightShape(_ shape: Shape) throws -> WeightShape {
        guard shape.count == 4 else { throw ModelError.invalid("weights of shape \(shape)") }
        let steps = shape.rowMajorStrides
        let axes =
            switch order {
            case .oihw: (o: 0, i: 1, h: 2, w: 3)
            case .ohwi: (o: 0, i: 3, h: 1, w: 2)
            case .ihwo: (o: 3, i: 0, h: 1, w: 2)
            }
        return WeightShape(
            outputs: shape[axes.o], inputs: shape[axes.i], height: shape[axes.h], width: shape[axes.w],
            outputStep: steps[axes.o], inputStep: steps[axes.i], rowStep: steps[axes.h], columnStep: steps[axes.w])
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let image = try required(inputs, Input.image)
        let weights = try required(inputs, Input.weights)
        guard image.shape.count == 4 else { throw ModelError.invalid("a convolution of shape \(image.shape)") }
        guard image.type == .float32, weights.type == .float32 else {
            throw ModelError.unsupported("only 32-bit floats are convolved")
        }
        let shape = try weightShape(weights.shape)
        guard groups >= 1, shape.outputs >= 1, shape.inputs >= 1, shape.outputs % groups == 0,
            shape.inputs.multipliedReportingOverflow(by: groups) == (image.shape[3], false)
        else {
            throw ModelError.invalid("weights \(weights.shape) for an image \(image.shape) in \(groups) groups")
        }
        guard shape.height == geometry.kernelHeight, shape.width == geometry.kernelWidth else {
            throw ModelError.invalid(
                "weights of \(shape.width) × \(shape.height) for a kernel of "
                    + "\(geometry.kernelWidth) × \(geometry.kernelHeight)"
            )
        }
        let size = try geometry.resolved(height: image.shape[1], width: image.shape[2])
        let output = [image.shape[0], size.outputHeight, size.outputWidth, shape.outputs]
        for (index, wanted) in [
            (Input.bias, [shape.outputs]), (Input.slopes, [shape.outputs]), (Input.residual, output),
        ] {
            guard index < inputs.count, let input = inputs[index] else { continue }
            if index == Input.residual, groups == 1, input.type == .float32, input.shape.count == 4,
                input.shape.dropLast() == output.dropLast(), (1...shape.outputs).contains(input.shape[3])
            {
                continue
            }
            guard input.type == .float32, input.shape == wanted else {
                throw ModelError.invalid("input \(index) of a convolution has shape \(input.shape), not \(wanted)")
            }
        }
        if residual != .none { _ = try required(inputs, Input.residual) }
        return .known([TensorDescription(.float32, output)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        guard let output = outputs.first, let weights = inputs[Input.weights]?.shape,
            let shape = try? weightShape(weights)
        else { return 0 }
        return Int.saturatingProduct([2, output.shape.elementCount, shape.inputs, shape.height, shape.width])
    }

    /// Each output channel sees one input channel.
    func isDepthwise(_ weights: WeightShape) -> Bool { weights.inputs == 1 && groups > 1 }
}
