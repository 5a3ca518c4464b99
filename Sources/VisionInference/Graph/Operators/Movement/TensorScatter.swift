/// Writes updates (input 1) into a cache (input 0), each batch from its own index (input 2, else 0) of the axis on.
package struct TensorScatter: Operator {
    package var axis = -2
    /// What goes beyond the end continues at the start.
    package var isCircular = false

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
}
