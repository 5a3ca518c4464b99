/// Samples (N, C, axis, …) at positions that input 1 (N, output axis, …, coordinates) lists, in −1…1 across the input,
/// the last axis first.
package struct GridSample: Operator {
    package enum Mode: Hashable, Sendable { case nearest, linear, cubic }
    package enum Padding: Hashable, Sendable { case zeros, border, reflection }

    package var mode: Mode = .linear
    package var padding: Padding = .zeros
    /// −1 and 1 are the centres of the outermost elements, not their outer edges.
    package var alignsCorners = false

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        let grid = try requiredFloat(inputs, 1)
        let rank = input.shape.count - 2
        try check(
            rank >= 1 && grid.shape.count == rank + 2 && grid.shape[0] == input.shape[0] && grid.shape[rank + 1] == rank
                && grid.type == input.type && !input.shape.dropFirst(2).contains(0),
            "a grid of \(grid.shape) over \(input.shape)")
        return .known([TensorDescription(input.type, Array(input.shape[..<2]) + grid.shape[1...rank])])
    }
}
