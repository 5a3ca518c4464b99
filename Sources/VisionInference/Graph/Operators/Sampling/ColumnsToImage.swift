/// Adds up blocks that lie over each other: (N, C · block, windows) → (N, C, axis, …). The window moves over the
/// result.
package struct ColumnsToImage: Operator {
    package var window: SpatialWindow
    /// Sizes of the result.
    package var image: [Int]

    package var name: String { "Col2Im" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        try window.check(image)
        var block = 1
        for size in window.kernel { block = min(block * size, 1 << 24) }
        var windows = 1
        for size in window.output { windows = min(windows * size, 1 << 40) }
        try check(
            input.shape.count == 3 && input.shape[1] % block == 0 && input.shape[2] == windows,
            "columns of \(input.shape) for blocks of \(window.kernel) over \(image)")
        return .known([TensorDescription(input.type, [input.shape[0], input.shape[1] / block] + image)])
    }
}
