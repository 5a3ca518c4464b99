extension Operator {
    /// An input of indices.
    func requiredIndices(_ inputs: [TensorDescription?], _ index: Int) throws -> TensorDescription {
        let input = try required(inputs, index)
        try check(input.type == .int64 || input.type == .int32, "indices of type \(input.type)")
        return input
    }
}

/// Slices along an axis, in the order of the indices in input 1, whose axes take the place of the axis.
package struct Gather: Operator {
    package var axis = 0
    /// Leading axes that the data and the indices share: not in ONNX.
    package var batchDimensions = 0

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try required(inputs, 0)
        let indices = try requiredIndices(inputs, 1)
        let axis = try data.shape.resolvedAxis(axis)
        try check(
            0 <= batchDimensions && batchDimensions <= axis && batchDimensions <= indices.shape.count
                && data.shape[..<batchDimensions] == indices.shape[..<batchDimensions],
            "\(batchDimensions) shared axes of shapes \(data.shape) and \(indices.shape)")
        let shape = data.shape[..<axis] + indices.shape[batchDimensions...] + data.shape[(axis + 1)...]
        _ = try Shape(shape).checkedElementCount(data.type)
        return .known([TensorDescription(data.type, Shape(shape))])
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        guard batchDimensions == 0, let axis = try? permutation.resolvedAxis(axis), inputs.count > 1,
            let indices = inputs[1]?.shape, indices.count <= 1
        else { return nil }
        var replacement = self
        replacement.axis = permutation[axis]
        // One slice: its axis disappears.
        let remaining = indices.isEmpty ? permutation.indices.filter { $0 != axis } : Array(permutation.indices)
        return Sinking(
            replacement: replacement, inputs: [0],
            outputPermutations: [remainingPermutation(permutation, remaining: remaining)])
    }
}

/// Elements, each at its own position but along the axis at the position that input 1 says.
package struct GatherElements: Operator {
    package var axis = 0

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try required(inputs, 0)
        let indices = try requiredIndices(inputs, 1)
        let axis = try data.shape.resolvedAxis(axis)
        try check(
            indices.shape.count == data.shape.count
                && indices.shape.indices.allSatisfy { $0 == axis || indices.shape[$0] <= data.shape[$0] },
            "indices of shape \(indices.shape) for data of shape \(data.shape)")
        return .known([TensorDescription(data.type, indices.shape)])
    }
}

/// Slices at positions that the last axis of input 1 lists, `batchDimensions` leading axes being shared.
package struct GatherND: Operator {
    package var batchDimensions = 0

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try required(inputs, 0)
        let indices = try requiredIndices(inputs, 1)
        let shared = batchDimensions
        guard let depth = indices.shape.last else { throw ModelError.invalid("GatherND: indices without axes") }
        try check(
            shared >= 0 && shared < indices.shape.count && shared <= data.shape.count
                && depth <= data.shape.count - shared && depth >= 0
                && data.shape[..<shared] == indices.shape[..<shared],
            "indices of shape \(indices.shape) for data of shape \(data.shape)")
        let shape = Shape(indices.shape.dropLast()) + data.shape[(shared + depth)...]
        _ = try shape.checkedElementCount(data.type)
        return .known([TensorDescription(data.type, shape)])
    }
}
