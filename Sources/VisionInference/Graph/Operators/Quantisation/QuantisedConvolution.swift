/// What becomes of the sums of products of bytes.
enum QuantisedResult: Hashable, Sendable {
    /// Bytes: the scale is part of the channels' scales; `low` and `high` are an activation's bounds.
    case bytes(zeroPoint: Int, low: UInt8, high: UInt8)
    /// 32-bit floats.
    case floats

    var type: ElementType { self == .floats ? .float32 : .uint8 }
    var elementSize: Int { self == .floats ? 4 : 1 }
}

/// A layer of products of bytes with constant weights.
protocol QuantisedOperator: Operator {
    /// From sums to the result, one a channel.
    var scales: [Float] { get set }

    /// Sizes and numbers for these inputs, of which weights and bias may be unknown but for their shapes.
    func layer(_ inputs: [TensorDescription?]) throws -> QuantisedLayer
}

/// Convolution of images (N, H, W, C) of unsigned bytes.
///
/// Inputs: image, weights (constant signed bytes, zero point 0), and optionally bias (constant 32-bit integers in units
/// of the image's scale times the weights').
struct QuantisedConvolution: QuantisedOperator {
    var geometry: WindowGeometry
    var groups: Int
    var order: Convolution.WeightOrder
    /// Of the image; also what lies around it.
    var zeroPoint: Int
    var scales: [Float]
    var result: QuantisedResult

    var name: String { groups == 1 ? "QuantisedConv" : "QuantisedConv(groups: \(groups))" }

    func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let layer = try layer(inputs)
        return .known([
            TensorDescription(result.type, [layer.images, layer.outHeight, layer.outWidth, layer.outChannels])
        ])
    }

    func layer(_ inputs: [TensorDescription?]) throws -> QuantisedLayer {
        let inputImage = try required(inputs, 0)
        let weights = try required(inputs, 1)
        guard inputImage.shape.count == 4, inputImage.type == .uint8, weights.type == .int8 else {
            throw ModelError.invalid("a convolution of bytes of types \(inputImage.type) and \(weights.type)")
        }
        let shape = try Convolution(geometry: geometry, groups: groups, order: order).weightShape(weights.shape)
        guard groups >= 1, shape.outputs >= 1, shape.inputs >= 1, shape.outputs % groups == 0,
            shape.inputs.multipliedReportingOverflow(by: groups) == (inputImage.shape[3], false),
            shape.height == geometry.kernelHeight, shape.width == geometry.kernelWidth, scales.count == shape.outputs,
            (0...255).contains(zeroPoint)
        else {
            throw ModelError.invalid("weights \(weights.shape) for an image \(inputImage.shape) in \(groups) groups")
        }
        if inputs.count > 2, let bias = inputs[2], bias.type != .int32 || bias.shape.elementCount != shape.outputs {
            throw ModelError.invalid("bias of type \(bias.type) and shape \(bias.shape)")
        }
        let size = try geometry.resolved(height: inputImage.shape[1], width: inputImage.shape[2])
        return QuantisedLayer(
            images: inputImage.shape[0], inHeight: inputImage.shape[1], inWidth: inputImage.shape[2],
            inChannels: inputImage.shape[3], outHeight: size.outputHeight, outWidth: size.outputWidth,
            outChannels: shape.outputs, groups: groups, geometry: geometry, padTop: size.padTop, padLeft: size.padLeft,
            outputStep: shape.outputStep, inputStep: shape.inputStep, tapStep: shape.columnStep, zeroPoint: zeroPoint,
            scales: scales, result: result)
    }

    func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        (try? layer(inputs)).map { 2 * $0.images * $0.macs } ?? 0
    }
}

/// Products of rows of unsigned bytes with a matrix of weights: fully connected layers.
///
/// Inputs: rows (…, K), weights (constant signed bytes, K × N or N × K), and optionally bias, as for a convolution.
struct QuantisedDense: QuantisedOperator {
    /// The weights are N × K.
    var isTransposed: Bool
    var zeroPoint: Int
    var scales: [Float]
    var result: QuantisedResult

    var name: String { "QuantisedGemm" }

    func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let layer = try layer(inputs)
        let rows = try required(inputs, 0).shape
        return .known([TensorDescription(result.type, rows.dropLast() + [layer.outChannels])])
    }

    func layer(_ inputs: [TensorDescription?]) throws -> QuantisedLayer {
        let rows = try required(inputs, 0)
        let weights = try required(inputs, 1)
        guard rows.type == .uint8, weights.type == .int8, weights.shape.count == 2, let depth = rows.shape.last,
            depth > 0, weights.shape[isTransposed ? 1 : 0] == depth
        else { throw ModelError.invalid("weights \(weights.shape) for rows of bytes \(rows.shape)") }
        let outputs = weights.shape[isTransposed ? 0 : 1]
        guard scales.count == outputs, outputs > 0, (0...255).contains(zeroPoint) else {
            throw ModelError.invalid("\(scales.count) scales for weights \(weights.shape)")
        }
        if inputs.count > 2, let bias = inputs[2], bias.type != .int32 || bias.shape.elementCount != outputs {
            throw ModelError.invalid("bias of type \(bias.type) and shape \(bias.shape)")
        }
        let count = rows.shape.dropLast().reduce(1, *)
        return QuantisedLayer(
            images: 1, inHeight: 1, inWidth: count, inChannels: depth, outHeight: 1, outWidth: count,
            outChannels: outputs, groups: 1, geometry: WindowGeometry(kernelHeight: 1, kernelWidth: 1), padTop: 0,
            padLeft: 0, outputStep: isTransposed ? depth : 1, inputStep: isTransposed ? 1 : outputs, tapStep: 1,
            zeroPoint: zeroPoint, scales: scales, result: result)
    }

    func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        (try? layer(inputs)).map { 2 * $0.macs } ?? 0
    }
}
