extension GeneralMatMul: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let left = try required(inputs, 0)
        let right = try required(inputs, 1)
        let sizes = try MatMul().sizes(left.shape, right.shape)
        let a = left.elements(type)
        let b = right.elements(type)
        let result = outputs[0].elements(type)
        let leftSteps = sizes.leftStack.broadcastStrides(to: sizes.stack)
        let rightSteps = sizes.rightStack.broadcastStrides(to: sizes.stack)
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
