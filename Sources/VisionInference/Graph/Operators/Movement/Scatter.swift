/// What becomes of an element that updates are written to.
package enum ScatterReduction: Hashable, Sendable {
    case none, add, mul, max, min
}

/// The data (input 0) with the updates (input 2) written each at its own position, but along the axis at the position
/// that the indices (input 1) say.
package struct ScatterElements: Operator {
    package var axis = 0
    package var reduction: ScatterReduction = .none

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try required(inputs, 0)
        let indices = try requiredIndices(inputs, 1)
        let updates = try required(inputs, 2)
        let axis = try data.shape.resolvedAxis(axis)
        try check(updates.type == data.type, "updates of type \(updates.type) for data of type \(data.type)")
        try check(
            indices.shape.count == data.shape.count && updates.shape == indices.shape
                && indices.shape.indices.allSatisfy { $0 == axis || indices.shape[$0] <= data.shape[$0] },
            "indices of shape \(indices.shape), updates of shape \(updates.shape) for data of shape \(data.shape)")
        return .known([TensorDescription(data.type, data.shape)])
    }
}

/// The data (input 0) with the updates (input 2) written at positions that the last axis of the indices (input 1)
/// lists.
package struct ScatterND: Operator {
    package var reduction: ScatterReduction = .none

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try required(inputs, 0)
        let indices = try requiredIndices(inputs, 1)
        let updates = try required(inputs, 2)
        try check(updates.type == data.type, "updates of type \(updates.type) for data of type \(data.type)")
        guard let depth = indices.shape.last, depth <= data.shape.count,
            updates.shape == Shape(indices.shape.dropLast()) + data.shape[depth...]
        else {
            throw ModelError.invalid(
                "ScatterND: indices of shape \(indices.shape), updates of shape \(updates.shape), data of shape "
                    + "\(data.shape)")
        }
        return .known([TensorDescription(data.type, data.shape)])
    }
}
