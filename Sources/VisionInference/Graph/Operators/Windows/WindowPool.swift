/// Pooling of (N, C, axis, …) with any number of axes and any numbers, element by element: for what `Pool`, which is
/// made for images of floats, does not do.
package struct WindowPool: Operator {
    package enum Kind: Hashable, Sendable {
        /// A second output, if there is one, is where in the whole tensor the largest element is: in row-major order,
        /// or with `columnMajor` with the first of the spatial axes running fastest.
        case maximum(columnMajor: Bool)
        /// - Parameter countsPadding: padding counts as zeros, though not what a window reaches beyond the padding.
        case average(countsPadding: Bool)
        /// The p-th root of the sum of the p-th powers of magnitudes.
        case norm(Double)
    }

    package var kind: Kind
    package var window: SpatialWindow

    package var name: String {
        switch kind {
        case .maximum: "MaxPool"
        case .average: "AveragePool"
        case .norm: "LpPool"
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        try check(input.shape.count == window.rank + 2, "a window of \(window.rank) axes over \(input.shape)")
        try window.check(Array(input.shape[2...]))
        let shape = Array(input.shape[..<2]) + window.output
        return .known([TensorDescription(input.type, shape), TensorDescription(.int64, shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        Int.saturatingProduct([outputs.first?.shape.elementCount ?? 0, window.area])
    }
}
