/// Convolution of (N, C, axis, …) with any number of axes, element by element: for what `Convolution`, which is made
/// for images of 32-bit floats, does not do.
///
/// Inputs: data, weights (M, C / groups, axis, …), bias or nothing.
package struct WindowConvolution: Operator {
    package var window: SpatialWindow
    package var groups: Int

    package var name: String { "Conv" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try requiredFloat(inputs, 0)
        let weights = try required(inputs, 1)
        try check(data.shape.count == window.rank + 2 && weights.shape.count == window.rank + 2, "shapes do not fit")
        try window.check(Array(data.shape[2...]))
        try check(
            groups >= 1 && weights.shape[0] % groups == 0 && data.shape[1] % groups == 0
                && weights.shape[1] == data.shape[1] / groups && Array(weights.shape[2...]) == window.kernel
                && weights.type == data.type,
            "weights \(weights.shape) for data \(data.shape) in \(groups) groups")
        if isPresent(inputs, 2) {
            let bias = try required(inputs, 2)
            try check(bias.type == data.type && bias.shape == [weights.shape[0]], "a bias of shape \(bias.shape)")
        }
        return .known([TensorDescription(data.type, [data.shape[0], weights.shape[0]] + window.output)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        guard inputs.count > 1, let weights = inputs[1]?.shape, weights.count > 1 else { return 0 }
        return Int.saturatingProduct([2, outputs.first?.shape.elementCount ?? 0, weights[1], window.area])
    }
}

/// Transposed convolution of (N, C, axis, …): every element adds its value times the kernel to the output. The window
/// is that of the convolution from the output back to the input.
///
/// Inputs: data, weights (C, M / groups, axis, …), bias or nothing.
package struct WindowTransposedConvolution: Operator {
    /// `output` is the size of this operator's input.
    package var window: SpatialWindow
    package var groups: Int
    /// Sizes of the result.
    package var result: [Int]

    package var name: String { "ConvTranspose" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let data = try requiredFloat(inputs, 0)
        let weights = try required(inputs, 1)
        try check(data.shape.count == window.rank + 2 && weights.shape.count == window.rank + 2, "shapes do not fit")
        try window.check(result)
        try check(
            groups >= 1 && data.shape[1] % groups == 0 && weights.shape[0] == data.shape[1]
                && Array(weights.shape[2...]) == window.kernel && weights.type == data.type
                && window.output == Array(data.shape[2...]),
            "weights \(weights.shape) for data \(data.shape) in \(groups) groups")
        let (channels, overflow) = weights.shape[1].multipliedReportingOverflow(by: groups)
        try check(!overflow, "\(groups) groups")
        if isPresent(inputs, 2) {
            let bias = try required(inputs, 2)
            try check(bias.type == data.type && bias.shape == [channels], "a bias of shape \(bias.shape)")
        }
        return .known([TensorDescription(data.type, [data.shape[0], channels] + result)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        guard inputs.count > 1, let data = inputs[0]?.shape, let weights = inputs[1]?.shape, weights.count > 1 else {
            return 0
        }
        return Int.saturatingProduct([2, data.elementCount, weights[1], window.area])
    }
}
