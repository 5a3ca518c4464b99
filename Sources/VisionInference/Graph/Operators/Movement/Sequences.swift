/// Reverses the first elements along the time axis of every batch; input 1 says how many.
package struct ReverseSequence: Operator {
    package var batchAxis = 1
    package var timeAxis = 0

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let lengths = try requiredIndices(inputs, 1)
        let batch = try input.shape.resolvedAxis(batchAxis)
        let time = try input.shape.resolvedAxis(timeAxis)
        try check(batch != time, "batch and time are both axis \(batch)")
        try check(lengths.shape == [input.shape[batch]], "lengths of shape \(lengths.shape)")
        return .known([TensorDescription(input.type, input.shape)])
    }
}

/// Sums of all elements up to each along an axis, which input 1 names.
package struct CumSum: Operator {
    /// Each sum leaves its own element out.
    package var exclusive = false
    /// From the end.
    package var reverse = false

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        switch try integer(inputs, 1) {
        case .absent: throw ModelError.invalid("CumSum lacks its axis")
        case .unknown: break
        case .values(let values): _ = try input.shape.resolvedAxis(values[0])
        }
        return .known([TensorDescription(input.type, input.shape)])
    }
}
