/// Subtracts the mean of all axes from `axis` on, divides by the standard deviation, and applies a scale (input 1) and
/// a bias (input 2). Further outputs: the means and the inverse standard deviations.
package struct LayerNormalization: Operator {
    package var axis = -1
    package var epsilon: Float = 1e-5

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        let normalised = Shape(input.shape[axis...])
        for index in [1, 2] where index == 1 || isPresent(inputs, index) {
            let factor = try required(inputs, index)
            try check(
                factor.type == input.type && (try normalised.broadcast(with: factor.shape)) == normalised,
                "scale or bias of type \(factor.type), shape \(factor.shape) for \(normalised)")
        }
        let kept = Shape(input.shape[..<axis]) + normalised.map { _ in 1 }
        // Statistics of half-precision floats are kept as `Float`.
        let statistics: ElementType = input.type == .float64 ? .float64 : .float32
        return .known([
            TensorDescription(input.type, input.shape), TensorDescription(statistics, kept),
            TensorDescription(statistics, kept),
        ])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        5 * (outputs.first?.shape.elementCount ?? 0)
    }
}
