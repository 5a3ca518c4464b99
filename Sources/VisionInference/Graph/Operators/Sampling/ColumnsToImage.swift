/// Adds up blocks that lie over each other: (N, C · block, windows) → (N, C, axis, …). The window moves over the result.
package struct ColumnsToImage: NumericOperator {
    package var window: SpatialWindow
    /// Sizes of the result.
    package var image: [Int]

    package init(_ window: SpatialWindow, image: [Int]) {
        self.window = window
        self.image = image
    }

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

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.elements(type)
        let target = outputs[0].elements(type)
        let block = window.kernel.elementCount
        let windows = window.output.elementCount
        let plane = image.elementCount
        let steps = image.rowMajorStrides
        for index in target.indices { target[index] = T(double: 0) }
        for channel in 0..<outputs[0].shape[0] * outputs[0].shape[1] {
            forEachIndex(window.output) { position, number in
                window.forEach(position, input: image, strides: steps) { offset, tap in
                    let place = channel * plane + offset
                    let value = source[(channel * block + tap) * windows + number].wide
                    target[place] = T(wide: T.add(target[place].wide, value))
                }
            }
        }
    }
}
