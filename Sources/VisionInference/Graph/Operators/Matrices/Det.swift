/// The determinants of square matrices.
package struct Det: Operator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        let rank = input.shape.count
        try check(rank >= 2 && input.shape[rank - 1] == input.shape[rank - 2], "shape \(input.shape)")
        return .known([TensorDescription(input.type, Shape(input.shape.dropLast(2)))])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        let shape = (inputs.first ?? nil)?.shape ?? []
        return Int.saturatingProduct([shape.elementCount, shape.last ?? 0])
    }
}
