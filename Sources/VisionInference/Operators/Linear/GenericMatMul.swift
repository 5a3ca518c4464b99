/// The product of matrices of any numbers, the axes before the last two being broadcast; a vector is a row on the left
/// and a column on the right.
package struct GenericMatMul: NumericOperator {
    package init() {}

    package var name: String { "MatMul" }

    /// Sizes of one product, and how the products follow each other.
    struct Layout {
        var rows: Int
        var inner: Int
        var columns: Int
        var batch: Shape
        var firstBatch: Shape
        var secondBatch: Shape
        var output: Shape

        init(_ a: Shape, _ b: Shape) throws {
            guard let lastOfFirst = a.last, !b.isEmpty else {
                throw ModelError.invalid("a matrix product of shapes \(a) and \(b)")
            }
            let first = a.count == 1 ? [1] + a : a
            let second = b.count == 1 ? b + [1] : b
            rows = first[first.count - 2]
            inner = lastOfFirst
            columns = second[second.count - 1]
            guard second[second.count - 2] == inner else {
                throw ModelError.invalid("a matrix product of shapes \(a) and \(b)")
            }
            firstBatch = Shape(first.dropLast(2))
            secondBatch = Shape(second.dropLast(2))
            batch = try firstBatch.broadcast(with: secondBatch)
            output = batch + (a.count == 1 ? [] : [rows]) + (b.count == 1 ? [] : [columns])
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let (a, b) = (try requiredNumber(inputs, 0), try requiredNumber(inputs, 1))
        try check(a.type == b.type, "matrices of types \(a.type) and \(b.type)")
        let layout = try Layout(a.shape, b.shape)
        _ = try layout.output.checkedElementCount(a.type)
        return .known([TensorDescription(a.type, layout.output)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        2 * (outputs.first?.shape.elementCount ?? 0) * ((inputs.first ?? nil)?.shape.last ?? 0)
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (a, b) = (try required(inputs, 0), try required(inputs, 1))
        let layout = try Layout(a.shape, b.shape)
        let rows = StridedRows(
            layout.batch,
            [layout.batch.rowMajorStrides]
                + [layout.firstBatch, layout.secondBatch].map {
                    $0.broadcastStrides(to: layout.batch)
                })
        let (first, second, target) = (a.pointer(T.self), b.pointer(T.self), outputs[0].pointer(T.self))
        guard outputs[0].elementCount > 0 else { return }
        rows.forEach { offsets in
            for index in 0..<rows.count {
                multiplyMatrices(
                    first + (offsets[1] + index * rows.steps[1]) * layout.rows * layout.inner,
                    (layout.inner, 1),
                    second + (offsets[2] + index * rows.steps[2]) * layout.inner * layout.columns,
                    (layout.columns, 1),
                    target + (offsets[0] + index * rows.steps[0]) * layout.rows * layout.columns,
                    (layout.rows, layout.inner, layout.columns), alpha: nil)
            }
        }
    }
}

/// target = alpha · a · b, row by row. Steps: from a row and from a column to the next.
func multiplyMatrices<T: NumericScalar>(
    _ a: UnsafePointer<T>, _ aSteps: (row: Int, column: Int), _ b: UnsafePointer<T>,
    _ bSteps: (row: Int, column: Int), _ target: UnsafeMutablePointer<T>,
    _ sizes: (rows: Int, inner: Int, columns: Int), alpha: T.Wide?
) {
    let zero = T(double: 0).wide
    var sums = [T.Wide](repeating: zero, count: sizes.columns)
    sums.withUnsafeMutableBufferPointer { sums in
        for row in 0..<sizes.rows {
            sums.update(repeating: zero)
            for inner in 0..<sizes.inner {
                let factor = a[row * aSteps.row + inner * aSteps.column].wide
                let line = b + inner * bSteps.row
                for column in 0..<sizes.columns {
                    sums[column] = T.add(sums[column], T.multiply(factor, line[column &* bSteps.column].wide))
                }
            }
            for column in 0..<sizes.columns {
                target[row * sizes.columns + column] = T(
                    wide: alpha.map { T.multiply($0, sums[column]) } ?? sums[column])
            }
        }
    }
}

/// alpha · a · b + beta · c for matrices of any numbers; a and b may be transposed, c (which may be left out) is broadcast.
package struct GenericGemm: NumericOperator {
    package var alpha: Float
    package var beta: Float
    package var transposesFirst: Bool
    package var transposesSecond: Bool

    package init(
        alpha: Float = 1, beta: Float = 1, transposesFirst: Bool = false, transposesSecond: Bool = false
    ) {
        self.alpha = alpha
        self.beta = beta
        self.transposesFirst = transposesFirst
        self.transposesSecond = transposesSecond
    }

    package var name: String { "Gemm" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let (a, b) = (try requiredNumber(inputs, 0), try requiredNumber(inputs, 1))
        try check(
            a.type == b.type && a.shape.count == 2 && b.shape.count == 2,
            "matrices of types \(a.type), \(b.type) and shapes \(a.shape), \(b.shape)")
        let first = transposesFirst ? [a.shape[1], a.shape[0]] : a.shape
        let second = transposesSecond ? [b.shape[1], b.shape[0]] : b.shape
        try check(first[1] == second[0], "matrices of shapes \(a.shape) and \(b.shape)")
        let shape = [first[0], second[1]]
        _ = try shape.checkedElementCount(a.type)
        if isPresent(inputs, 2) {
            let c = try required(inputs, 2)
            try check(
                c.type == a.type && (try shape.broadcast(with: c.shape)) == shape,
                "a summand of type \(c.type) and shape \(c.shape) for \(shape)")
        }
        return .known([TensorDescription(a.type, shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        let inner = (inputs.first ?? nil)?.shape[transposesFirst ? 0 : 1] ?? 0
        return 2 * (outputs.first?.shape.elementCount ?? 0) * inner
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (a, b) = (try required(inputs, 0), try required(inputs, 1))
        let shape = outputs[0].shape
        let target = outputs[0].pointer(T.self)
        multiplyMatrices(
            a.pointer(T.self), transposesFirst ? (1, a.shape[1]) : (a.shape[1], 1), b.pointer(T.self),
            transposesSecond ? (1, b.shape[1]) : (b.shape[1], 1), target,
            (shape[0], a.shape[transposesFirst ? 0 : 1], shape[1]),
            alpha: alpha == 1 ? nil : T(double: Double(alpha)).wide)
        guard let c = optional(inputs, 2) else { return }
        let rows = StridedRows(shape, [shape.rowMajorStrides, c.shape.broadcastStrides(to: shape)])
        let (summand, factor) = (c.pointer(T.self), T(double: Double(beta)).wide)
        rows.forEach { offsets in
            for index in 0..<rows.count {
                let place = offsets[0] + index
                let value = summand[offsets[1] + index * rows.steps[1]].wide
                target[place] = T(wide: T.add(target[place].wide, T.multiply(factor, value)))
            }
        }
    }
}

/// The determinants of square matrices.
package struct Det: FloatOperator {
    package init() {}

    package var name: String { "Det" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        let rank = input.shape.count
        try check(rank >= 2 && input.shape[rank - 1] == input.shape[rank - 2], "shape \(input.shape)")
        return .known([TensorDescription(input.type, Shape(input.shape.dropLast(2)))])
    }

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
