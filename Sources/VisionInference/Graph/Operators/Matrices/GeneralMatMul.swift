/// The product of matrices, or stacks of them, of any numbers, element by element: for types that `MatMul`, which is
/// made for 32-bit floats, does not take. Integers wrap around.
package struct GeneralMatMul: Operator {
    package var name: String { "MatMul" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let left = try requiredNumber(inputs, 0)
        let right = try required(inputs, 1)
        try check(left.type == right.type, "a product of \(left.type) and \(right.type)")
        return .known([TensorDescription(left.type, try MatMul().sizes(left.shape, right.shape).output)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        MatMul().operations(inputs, outputs)
    }
}
