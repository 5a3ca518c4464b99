/// Local response normalisation: x / (bias + alpha / size · the sum of squares of `size` channels around x) ^ beta.
package struct LRN: FloatLineOperator {
    package var axis = 1
    package var size: Int
    package var alpha: Float = 1e-4
    package var beta: Float = 0.75
    package var bias: Float = 1

    func checkParameters() throws { try check((1...1 << 20).contains(size), "size \(size)") }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        (size + 3) * (outputs.first?.shape.elementCount ?? 0)
    }
}
