/// Axis i of the output is axis `permutation[i]` of the input; without a permutation, all axes in reverse.
package struct Transpose: Operator {
    package var permutation: [Int]?

    package init(permutation: [Int]? = nil) { self.permutation = permutation }

    /// The permutation of an input with this many axes.
    package func permutation(rank: Int) throws -> [Int] {
        let result = permutation ?? (0..<rank).reversed()
        try check(result.isPermutation(ofRank: rank), "permutation \(result) of \(rank) axes")
        return result
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        return .known([
            TensorDescription(input.type, input.shape.permuted(try permutation(rank: input.shape.count)))
        ])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int { 0 }
}
