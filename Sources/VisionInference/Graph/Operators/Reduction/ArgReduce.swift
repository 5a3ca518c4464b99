/// The index of the largest or smallest element along an axis. Of equal ones the first counts, or with `selectsLast`
/// the last.
package struct ArgReduce: AxisOperator, ReducingOperator {
    package enum Kind: Hashable, Sendable { case max, min }

    package var kind: Kind
    package var axis = 0
    package var keepsDimensions = true
    package var selectsLast = false
    /// What indices are: `int64` as in ONNX, or `int32`.
    package var indexType: ElementType = .int64

    package var name: String { kind == .max ? "ArgMax" : "ArgMin" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        try check(input.shape[axis] > 0, "axis \(axis) of shape \(input.shape) is empty")
        try check(indexType == .int64 || indexType == .int32, "indices of type \(indexType)")
        var shape = input.shape
        if keepsDimensions { shape[axis] = 1 } else { shape.remove(at: axis) }
        return .known([TensorDescription(indexType, shape)])
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        guard let axis = try? permutation.resolvedAxis(axis), let replacement = before(permutation) else { return nil }
        return Sinking(
            replacement: replacement, inputs: [0], outputPermutations: [reduced(permutation, over: [axis])])
    }
}
