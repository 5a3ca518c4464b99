/// The product of matrices of 32-bit floats, or of stacks of them, which are broadcast as NumPy does it.
///
/// Where the right matrix is constant a pass makes a convolution of it, whose weights are packed once.
package struct MatMul: Operator {
    /// The last two axes of the operand are swapped.
    package var transposesLeft: Bool
    package var transposesRight: Bool
    /// What the product is multiplied by.
    package var scale: Float

    package init(transposesLeft: Bool = false, transposesRight: Bool = false, scale: Float = 1) {
        self.transposesLeft = transposesLeft
        self.transposesRight = transposesRight
        self.scale = scale
    }

    /// Sizes of one product, and the axes of the stacks.
    struct Sizes {
        var rows: Int
        var inner: Int
        var columns: Int
        var leftStack: Shape
        var rightStack: Shape
        var stack: Shape
        var output: Shape
    }

    func sizes(_ left: Shape, _ right: Shape) throws -> Sizes {
        guard !left.isEmpty, !right.isEmpty else { throw ModelError.invalid("a product of \(left) and \(right)") }
        // A vector is a row on the left and a column on the right, and its axis of one is taken away again.
        var a = left.count == 1 ? [1, left[0]] : left
        var b = right.count == 1 ? [right[0], 1] : right
        if transposesLeft, left.count > 1 { a.swapAt(a.count - 1, a.count - 2) }
        if transposesRight, right.count > 1 { b.swapAt(b.count - 1, b.count - 2) }
        guard a[a.count - 1] == b[b.count - 2] else { throw ModelError.invalid("a product of \(left) and \(right)") }
        let stack = try Array(a.dropLast(2)).broadcast(with: Array(b.dropLast(2)))
        var output = stack
        if left.count > 1 { output.append(a[a.count - 2]) }
        if right.count > 1 { output.append(b[b.count - 1]) }
        return Sizes(
            rows: a[a.count - 2], inner: a[a.count - 1], columns: b[b.count - 1], leftStack: Array(a.dropLast(2)),
            rightStack: Array(b.dropLast(2)), stack: stack, output: output)
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let left = try required(inputs, 0)
        let right = try required(inputs, 1)
        guard left.type == .float32, right.type == .float32 else {
            throw ModelError.unsupported("only 32-bit floats are multiplied here")
        }
        let sizes = try sizes(left.shape, right.shape)
        for size in [sizes.rows, sizes.inner, sizes.columns] where size > Int(Int32.max) {
            throw ModelError.tooLarge("a matrix with a side of \(size)")
        }
        return .known([TensorDescription(.float32, sizes.output)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        guard let left = inputs[0]?.shape, let right = inputs[1]?.shape, let sizes = try? sizes(left, right) else {
            return 0
        }
        return Int.saturatingProduct([2, sizes.output.elementCount, sizes.inner])
    }
}
