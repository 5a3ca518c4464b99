/// Ones where the indices (input 0) say, zeros elsewhere, or other values: input 1 is the length of the new axis, input
/// 2 the two values, first that of what is off. Indices out of range leave all off.
package struct OneHot: Operator {
    package var axis = -1

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let indices = try requiredNumber(inputs, 0)
        let depth = try requiredNumber(inputs, 1)
        let values = try required(inputs, 2)
        try check(
            values.shape.elementCount == 2 && depth.shape.elementCount == 1,
            "depth of shape \(depth.shape), values of shape \(values.shape)")
        let rank = indices.shape.count
        let axis = try Shape(repeating: 1, count: rank + 1).resolvedAxis(axis)
        guard let size = depth.constant?.doubles?.first else { return .dependsOnData }
        try check(size >= 0 && size <= Double(ModelLimits.tensorBytes), "depth \(size)")
        var shape = indices.shape
        shape.insert(Int(size), at: axis)
        _ = try shape.checkedElementCount(values.type)
        return .known([TensorDescription(values.type, shape)])
    }
}

/// Numbers from input 0 to before input 1 in steps of input 2.
package struct NumberRange: Operator {
    package var name: String { "Range" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let bounds = try (0..<3).map { try requiredNumber(inputs, $0) }
        try check(
            bounds.allSatisfy { $0.type == bounds[0].type && $0.shape.allSatisfy { $0 == 1 } },
            "bounds of types \(bounds.map(\.type)) and shapes \(bounds.map(\.shape))")
        let values = bounds.compactMap { $0.constant?.doubles?.first }
        guard values.count == 3 else { return .dependsOnData }
        let count = ((values[1] - values[0]) / values[2]).rounded(.up)
        try check(
            values[2] != 0 && count.isFinite && count <= Double(ModelLimits.tensorBytes),
            "from \(values[0]) to \(values[1]) in steps of \(values[2])")
        return .known([TensorDescription(bounds[0].type, [Int(max(count, 0))])])
    }
}

/// A matrix of the input's shape with ones on the diagonal that begins in column `k`.
package struct EyeLike: Operator {
    /// nil: the input's.
    package var type: ElementType?
    package var k = 0

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        try check(input.shape.count == 2, "shape \(input.shape)")
        return .known([TensorDescription(type ?? input.type, input.shape)])
    }
}

/// The upper or lower triangle of matrices, zeros elsewhere. Input 1: how many columns further right it begins.
package struct Trilu: Operator {
    package var upper = true

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        try check(input.shape.count >= 2, "shape \(input.shape)")
        _ = try integer(inputs, 1)
        return .known([TensorDescription(input.type, input.shape)])
    }
}
