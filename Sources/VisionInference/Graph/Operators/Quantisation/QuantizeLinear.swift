/// Floats to integers: zero point + round(x / scale), halves to the even neighbour, clamped to the type.
///
/// Inputs: the tensor, scales (one, or one for each index along `axis`), and optionally zero points of the result's
/// type.
package struct QuantizeLinear: Operator {
    package var axis = 1
    /// The result's type where there are no zero points; unsigned bytes when the file does not say.
    package var type: ElementType?

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let scales = try required(inputs, 1)
        let zeroPoints = inputs.count > 2 ? inputs[2] : nil
        guard input.type.isFloat || input.type == .int32, scales.type.isFloat else {
            throw unsupported(input.type)
        }
        let result = zeroPoints?.type ?? type ?? .uint8
        guard result.quantisedRange != nil else {
            throw ModelError.unsupported("elements of type \(result)")
        }
        if let zeroPoints, zeroPoints.shape.elementCount != scales.shape.elementCount {
            throw ModelError.invalid(
                "\(scales.shape.elementCount) scales, \(zeroPoints.shape.elementCount) zero points")
        }
        _ = try QuantisationAxis(input.shape, axis: axis, scales: scales.shape)
        return .known([TensorDescription(result, input.shape)])
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        sunk(permutation, inputs, axis: axis).map {
            Sinking(replacement: QuantizeLinear(axis: $0, type: type), inputs: [0], outputPermutations: [permutation])
        }
    }
}

/// Integers to floats: scale (x − zero point).
///
/// Inputs: the tensor, scales (one, or one for each index along `axis`), and optionally zero points of the tensor's
/// type. The result is of the scales' type.
package struct DequantizeLinear: Operator {
    package var axis = 1
    /// Constants stay in integers until a pass has seen whether products of integers can use them.
    package var foldsConstants = false

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let scales = try required(inputs, 1)
        let zeroPoints = inputs.count > 2 ? inputs[2] : nil
        guard input.type.quantisedRange != nil, scales.type.isFloat else {
            throw unsupported(input.type)
        }
        if let zeroPoints {
            guard zeroPoints.type == input.type, zeroPoints.shape.elementCount == scales.shape.elementCount else {
                throw ModelError.invalid("zero points of type \(zeroPoints.type) and shape \(zeroPoints.shape)")
            }
        }
        _ = try QuantisationAxis(input.shape, axis: axis, scales: scales.shape)
        return .known([TensorDescription(scales.type, input.shape)])
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        sunk(permutation, inputs, axis: axis).map {
            Sinking(
                replacement: DequantizeLinear(axis: $0, foldsConstants: foldsConstants), inputs: [0],
                outputPermutations: [permutation])
        }
    }
}

/// The axis before a transpose; nil when it is none of the input's.
private func sunk(_ permutation: [Int], _ inputs: [TensorDescription?], axis: Int) -> Int? {
    guard let input = inputs.first ?? nil, inputs.count > 1, let scales = inputs[1] else { return nil }
    guard scales.shape.elementCount != 1 else { return axis }
    guard let axis = try? input.shape.resolvedAxis(axis), permutation.indices.contains(axis) else { return nil }
    return permutation[axis]
}

/// Floats to unsigned bytes with one scale for their range, which zero belongs to; also gives the scale and the zero
/// point.
package struct DynamicQuantizeLinear: Operator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        guard input.type == .float32 else {
            throw unsupported(input.type)
        }
        return .known([
            TensorDescription(.uint8, input.shape), TensorDescription(.float32, []), TensorDescription(.uint8, []),
        ])
    }
}
