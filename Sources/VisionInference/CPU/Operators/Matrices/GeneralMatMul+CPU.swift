/// The product of matrices, or stacks of them, of any numbers, element by element: for types that `MatMul`, which is made
/// for 32-bit floats, does not take. Integers wrap around.
package struct GeneralMatMul: NumericOperator {
    package init() {}

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

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let left = try required(inputs, 0)
        let right = try required(inputs, 1)
        let sizes = try MatMul().sizes(left.shape, right.shape)
        let a = left.elements(type)
        let b = right.elements(type)
        let result = outputs[0].elements(type)
        let leftSteps = sizes.leftStack.steps(broadcastTo: sizes.stack)
        let rightSteps = sizes.rightStack.steps(broadcastTo: sizes.stack)
        let (rows, inner, columns) = (sizes.rows, sizes.inner, sizes.columns)
        var sums = [T.Wide](repeating: T(double: 0).wide, count: columns)
        forEachIndex(sizes.stack) { index, number in
            let leftStart = zip(index, leftSteps).reduce(0) { $0 + $1.0 * $1.1 } * rows * inner
            let rightStart = zip(index, rightSteps).reduce(0) { $0 + $1.0 * $1.1 } * inner * columns
            for row in 0..<rows {
                for column in 0..<columns { sums[column] = T(double: 0).wide }
                for k in 0..<inner {
                    let factor = a[leftStart + row * inner + k].wide
                    for column in 0..<columns {
                        sums[column] = T.add(
                            sums[column], T.multiply(factor, b[rightStart + k * columns + column].wide))
                    }
                }
                let start = (number * rows + row) * columns
                for column in 0..<columns { result[start + column] = T(wide: sums[column]) }
            }
        }
    }
}

extension Array where Element == Int {
    /// Elements from one index to the next along each axis of `shape` in a dense tensor of this shape, which can be
    /// broadcast to it.
    fileprivate func steps(broadcastTo shape: Shape) -> [Int] {
        let own = rowMajorStrides
        return shape.indices.map { axis in
            let mine = axis - (shape.count - count)
            return mine < 0 || self[mine] == 1 ? 0 : own[mine]
        }
    }
}
