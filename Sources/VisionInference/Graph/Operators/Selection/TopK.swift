/// The largest or smallest elements along an axis, as many as input 1 says, and their indices. Of equal ones the first
/// comes first; NaN counts as larger than all.
package struct TopK: Operator {
    package var axis = -1
    package var largest = true
    /// Without, the order is not promised; it is the same.
    package var sorted = true
    /// `int64` as in ONNX, or `int32`.
    package var indexType: ElementType = .int64

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        try check(indexType == .int64 || indexType == .int32, "indices of type \(indexType)")
        switch try integer(inputs, 1) {
        case .absent: throw ModelError.invalid("TopK lacks its number")
        case .unknown: return .dependsOnData
        case .values(let values):
            var shape = input.shape
            try check((0...shape[axis]).contains(values[0]), "\(values[0]) elements of \(shape[axis])")
            shape[axis] = values[0]
            return .known([TensorDescription(input.type, shape), TensorDescription(indexType, shape)])
        }
    }
}
