/// The indices of all elements that are not zero: a row for every axis.
package struct NonZero: Operator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        _ = try required(inputs, 0)
        return .dependsOnData
    }
}

/// The slices along an axis (elements of the flat tensor without one) where input 1 is true.
package struct Compress: Operator {
    package var axis: Int?

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        let condition = try required(inputs, 1)
        try check(
            condition.type == .bool && condition.shape.count == 1,
            "condition of type \(condition.type) and shape \(condition.shape)")
        let size = try axis.map { input.shape[try input.shape.resolvedAxis($0)] } ?? input.shape.elementCount
        try check(condition.shape[0] <= size, "\(condition.shape[0]) conditions for \(size) elements")
        guard let chosen = condition.constant?.integers?.filter({ $0 != 0 }).count else { return .dependsOnData }
        guard let axis = try axis.map({ try input.shape.resolvedAxis($0) }) else {
            return .known([TensorDescription(input.type, [chosen])])
        }
        var shape = input.shape
        shape[axis] = chosen
        return .known([TensorDescription(input.type, shape)])
    }
}

/// The different elements, or slices along an axis, in order, or in that of their first appearance. Further outputs:
/// where each appears first, which of them each element is, and how often each appears.
package struct Unique: Operator {
    package var axis: Int?
    package var sorted = true

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        if let axis { _ = try input.shape.resolvedAxis(axis) }
        return .dependsOnData
    }
}
