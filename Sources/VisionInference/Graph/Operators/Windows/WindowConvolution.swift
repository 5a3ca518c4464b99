/// Convolution of (N, C, axis, …) with any number of axes, element by element: for what `Convolution`, which is made for
/// pictures of 32-bit floats, does not do.
///
/// Inputs: data, weights (M, C / groups, axis, …), bias or nothing.
package struct WindowConvolution: FloatOperator {
    package var window: SpatialWindow
    package var groups: Int

    package init(_ window: SpatialWindow, groups: Int) {
        self.window = window
        self.groups = groups
    }

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

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let weights = try required(inputs, 1)
        let source = data.elements(type)
        let factors = weights.elements(type)
        let bias = optional(inputs, 2)?.elements(type)
        let target = outputs[0].elements(type)
        let sizes = Array(data.shape[2...])
        let steps = sizes.rowMajorStrides
        let plane = sizes.elementCount
        let taps = window.kernel.elementCount
        let channels = weights.shape[1]
        let results = weights.shape[0] / groups
        let outputPlane = window.output.elementCount
        for image in 0..<data.shape[0] {
            for result in 0..<weights.shape[0] {
                let group = result / results
                forEachIndex(window.output) { position, number in
                    var sum = bias?[result].double ?? 0
                    for channel in 0..<channels {
                        let base = (image * data.shape[1] + group * channels + channel) * plane
                        let first = (result * channels + channel) * taps
                        window.forEach(position, input: sizes, strides: steps) { offset, tap in
                            sum += source[base + offset].double * factors[first + tap].double
                        }
                    }
                    target[(image * weights.shape[0] + result) * outputPlane + number] = T(double: sum)
                }
            }
        }
    }
}

/// Transposed convolution of (N, C, axis, …): every element adds its value times the kernel to the output. The window is
/// that of the convolution from the output back to the input.
///
/// Inputs: data, weights (C, M / groups, axis, …), bias or nothing.
package struct WindowTransposedConvolution: FloatOperator {
    /// `output` is the size of this operator's input.
    package var window: SpatialWindow
    package var groups: Int
    /// Sizes of the result.
    package var result: [Int]

    package init(_ window: SpatialWindow, groups: Int, result: [Int]) {
        self.window = window
        self.groups = groups
        self.result = result
    }

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

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let data = try required(inputs, 0)
        let weights = try required(inputs, 1)
        let source = data.elements(type)
        let factors = weights.elements(type)
        let bias = optional(inputs, 2)?.elements(type)
        let target = outputs[0].elements(type)
        let steps = result.rowMajorStrides
        let plane = result.elementCount
        let inputPlane = window.output.elementCount
        let taps = window.kernel.elementCount
        let perGroup = weights.shape[1]
        let channels = data.shape[1] / groups
        var sums = [Double](repeating: 0, count: plane)
        for image in 0..<data.shape[0] {
            for out in 0..<perGroup * groups {
                let start = bias?[out].double ?? 0
                for index in sums.indices { sums[index] = start }
                for channel in out / perGroup * channels..<(out / perGroup + 1) * channels {
                    let first = (channel * perGroup + out % perGroup) * taps
                    let base = (image * data.shape[1] + channel) * inputPlane
                    forEachIndex(window.output) { position, number in
                        let value = source[base + number].double
                        window.forEach(position, input: result, strides: steps) { offset, tap in
                            sums[offset] += value * factors[first + tap].double
                        }
                    }
                }
                let place = (image * perGroup * groups + out) * plane
                for index in sums.indices { target[place + index] = T(double: sums[index]) }
            }
        }
    }
}
