extension Det: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let size = input.shape[input.shape.count - 1]
        let target = outputs[0].pointer(T.self)
        for matrix in 0..<outputs[0].elementCount {
            let source = input.pointer(T.self) + matrix * size * size
            var rows = (0..<size).map { row in (0..<size).map { source[row * size + $0].double } }
            // Gaussian elimination, always by the largest element of the column.
            var determinant = 1.0
            for column in 0..<size {
                guard
                    let best = (column..<size).max(by: { rows[$0][column].magnitude < rows[$1][column].magnitude }),
                    rows[best][column] != 0
                else {
                    determinant = 0
                    break
                }
                if best != column {
                    rows.swapAt(best, column)
                    determinant = -determinant
                }
                determinant *= rows[column][column]
                for row in column + 1..<max(size, column + 1) {
                    let factor = rows[row][column] / rows[column][column]
                    for index in column..<size { rows[row][index] -= factor * rows[column][index] }
                }
            }
            target[matrix] = T(double: determinant)
        }
    }
}
