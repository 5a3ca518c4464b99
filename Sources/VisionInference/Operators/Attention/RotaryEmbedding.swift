/// Turns pairs of features of every head by angles that belong to their position.
///
/// Inputs: x (batch, heads, sequence, size; or batch, sequence, heads · size), the cosines and the sines of the angles
/// (position, half of the turned features; or batch, sequence, half), and optionally the positions (batch, sequence).
package struct RotaryEmbedding: FloatOperator {
    /// Pairs lie beside each other, instead of half the features apart.
    package var isInterleaved: Bool
    /// Features that are turned; 0: all.
    package var rotatedSize: Int
    /// Of an input with three axes.
    package var heads: Int

    package init(isInterleaved: Bool = false, rotatedSize: Int = 0, heads: Int = 0) {
        self.isInterleaved = isInterleaved
        self.rotatedSize = rotatedSize
        self.heads = heads
    }

    package var name: String { "RotaryEmbedding" }

    private struct Sizes {
        let batch: Int
        let heads: Int
        let rows: Int
        let size: Int
        let rotated: Int
        /// Elements from one head and row to the next.
        let headStep: Int
        let rowStep: Int
    }

    private func sizes(_ shape: Shape) throws -> Sizes {
        if shape.count == 4 {
            let rotated = rotatedSize == 0 ? shape[3] : rotatedSize
            return Sizes(
                batch: shape[0], heads: shape[1], rows: shape[2], size: shape[3], rotated: rotated,
                headStep: shape[2] &* shape[3], rowStep: shape[3])
        }
        try check(shape.count == 3 && heads > 0 && shape[2] % heads == 0, "shape \(shape) in \(heads) heads")
        let size = shape[2] / heads
        return Sizes(
            batch: shape[0], heads: heads, rows: shape[1], size: size, rotated: rotatedSize == 0 ? size : rotatedSize,
            headStep: size, rowStep: shape[2])
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        let sizes = try sizes(input.shape)
        let half = sizes.rotated / 2
        try check(
            sizes.rotated > 0 && sizes.rotated <= sizes.size && sizes.rotated % 2 == 0, "\(sizes.rotated) features")
        let (cosines, sines) = (try required(inputs, 1), try required(inputs, 2))
        try check(
            cosines.type == input.type && sines.type == input.type && cosines.shape == sines.shape,
            "cosines and sines differ")
        if isPresent(inputs, 3) {
            try check(
                try requiredIndices(inputs, 3).shape == [sizes.batch, sizes.rows] && cosines.shape.count == 2
                    && cosines.shape[1] == half, "positions or cosines of a wrong shape")
        } else {
            try check(cosines.shape == [sizes.batch, sizes.rows, half], "cosines of shape \(cosines.shape)")
        }
        return .known([TensorDescription(input.type, input.shape)])
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let sizes = try sizes(input.shape)
        let half = sizes.rotated / 2
        let (cosineView, sines) = (try required(inputs, 1), try required(inputs, 2).pointer(T.self))
        let cosines = cosineView.pointer(T.self)
        let positions = optional(inputs, 3)
        for batch in 0..<sizes.batch {
            for row in 0..<sizes.rows {
                var angle = batch * sizes.rows + row
                if let positions {
                    angle = positions.index(at: angle)
                    try check(
                        angle >= 0 && angle < cosineView.shape[0], "position \(angle) of \(cosineView.shape[0])")
                }
                for head in 0..<sizes.heads {
                    let start =
                        batch * sizes.heads * sizes.rows * sizes.size + head * sizes.headStep + row * sizes.rowStep
                    let source = input.pointer(T.self) + start
                    let target = outputs[0].pointer(T.self) + start
                    for index in 0..<half {
                        let (cosine, sine) = (cosines[angle * half + index].wide, sines[angle * half + index].wide)
                        let first = isInterleaved ? 2 * index : index
                        let second = isInterleaved ? 2 * index + 1 : half + index
                        let (a, b) = (source[first].wide, source[second].wide)
                        target[first] = T(wide: cosine * a - sine * b)
                        target[second] = T(wide: sine * a + cosine * b)
                    }
                    for index in sizes.rotated..<sizes.size { target[index] = source[index] }
                }
            }
        }
    }
}

/// Writes updates (input 1) into a cache (input 0), each batch from its own index (input 2, else 0) of the axis on.
package struct TensorScatter: Operator {
    package var axis: Int
    /// What goes beyond the end continues at the start.
    package var isCircular: Bool

    package init(axis: Int = -2, isCircular: Bool = false) {
        self.axis = axis
        self.isCircular = isCircular
    }

    package var name: String { "TensorScatter" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let (cache, update) = (try required(inputs, 0), try required(inputs, 1))
        let axis = try cache.shape.resolvedAxis(axis)
        var shape = update.shape
        try check(
            axis > 0 && shape.count == cache.shape.count && shape[axis] <= cache.shape[axis],
            "updates \(update.shape) of \(cache.shape)")
        shape[axis] = cache.shape[axis]
        try check(shape == cache.shape && update.type == cache.type, "updates \(update.shape) of \(cache.shape)")
        if isPresent(inputs, 2) {
            try check(try requiredIndices(inputs, 2).shape == [shape[0]], "as many indices as batches are wanted")
        }
        return .known([TensorDescription(cache.type, cache.shape)])
    }

    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (cache, update) = (try required(inputs, 0), try required(inputs, 1))
        outputs[0].base.copyMemory(from: cache.base, byteCount: cache.byteCount)
        guard update.elementCount > 0 else { return }
        let axis = try cache.shape.resolvedAxis(axis)
        let (size, count) = (cache.shape[axis], update.shape[axis])
        let bytes = Shape(cache.shape[(axis + 1)...]).elementCount * cache.type.size
        let rows = Shape(cache.shape[..<axis]).elementCount
        for row in 0..<rows {
            let start = optional(inputs, 2)?.index(at: row / (rows / cache.shape[0])) ?? 0
            try check(start >= 0 && start < max(size, 1) && (isCircular || start <= size - count), "index \(start)")
            for index in 0..<count {
                let place = (start + index) % size
                (outputs[0].base + (row * size + place) * bytes).copyMemory(
                    from: update.base + (row * count + index) * bytes, byteCount: bytes)
            }
        }
    }
}
