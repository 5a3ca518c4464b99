extension ArgReduce: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        let size = input.shape[axis]
        let outer = Shape(input.shape[..<axis]).elementCount
        let inner = Shape(input.shape[(axis + 1)...]).elementCount
        let source = input.pointer(T.self)
        for row in 0..<outer {
            for column in 0..<inner {
                let elements = source + (row * size * inner + column)
                var best = 0
                var value = elements[0].wide
                for index in 1..<max(size, 1) {
                    let other = elements[index * inner].wide
                    let isBetter =
                        kind == .max
                        ? (selectsLast ? other >= value : other > value)
                        : (selectsLast ? other <= value : other < value)
                    // The first NaN is the extreme, as in NumPy.
                    if isBetter || (T.isNaN(other) && !T.isNaN(value)) {
                        best = index
                        value = other
                        if T.isNaN(other) { break }
                    }
                }
                let position = row * inner + column
                if indexType == .int64 {
                    outputs[0].pointer(Int64.self)[position] = Int64(best)
                } else {
                    outputs[0].pointer(Int32.self)[position] = Int32(best)
                }
            }
        }
    }
}
