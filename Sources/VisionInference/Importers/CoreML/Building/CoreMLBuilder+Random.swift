extension CoreMLBuilder {
    /// Numbers of a distribution, the same in every prediction: results here follow from the inputs alone.
    ///
    /// - Parameter seed: what the file states; a negative one, which asks for other numbers every time, counts as 0.
    func randomNumbers(_ distribution: RandomNumbers.Distribution, seed: Int, _ shape: [Int]) throws -> Value {
        try require(shape.allSatisfy { $0 >= 0 }, "random numbers of shape \(shape)")
        return try add(RandomNumbers(distribution: distribution, seed: UInt64(max(seed, 0))), [constant(shape)])
    }

    /// Indices drawn with the probabilities that the last axis states, as many for each row as wanted.
    ///
    /// The largest of the logarithms, each with a number of Gumbel's distribution added, is at an index of that
    /// probability.
    func drawnIndices(
        _ input: Value, areLogarithms: Bool, epsilon: Float, temperature: Float, count: Int, seed: Int
    ) throws -> Value {
        let shape = try shape(input)
        guard let classes = shape.last, classes > 0 else { throw ModelError.invalid("probabilities of shape \(shape)") }
        try require((1...1 << 20).contains(count), "\(count) numbers to be drawn")
        var logarithms = try floats(input)
        if !areLogarithms { logarithms = try unary(.log, affine(logarithms, 1, epsilon)) }
        if temperature != 1 { logarithms = try affine(logarithms, 1 / temperature, 0) }
        let rows = Array(shape.dropLast()) + [count, classes]
        _ = try rows.checkedElementCount(.float32)
        let uniform = try randomNumbers(.uniform(0, 1), seed: seed, rows)
        // The logarithm of 0 would be infinite.
        let logarithm = try unary(.neg, unary(.log, affine(uniform, 1, 1e-9)))
        let gumbel = try unary(.neg, unary(.log, affine(logarithm, 1, 1e-9)))
        let scores = try binary(.add, unsqueeze(logarithms, axes: [shape.count - 1]), gumbel)
        return try add(ArgReduce(kind: .max, axis: shape.count, keepsDimensions: false), [scores])
    }
}
