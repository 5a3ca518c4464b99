/// What normalisations of channels have in common: a scale and a bias for each.
/// `axis` is that of the channels.
protocol ChannelNormalisation: AxisOperator {}

extension ChannelNormalisation {
    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        4 * (outputs.first?.shape.elementCount ?? 0)
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        // The first axis stays that of the images.
        guard permutation.first == 0, let replacement = before(permutation) else { return nil }
        return Sinking(replacement: replacement, inputs: [0], outputPermutations: [permutation])
    }

    /// The input, checked, with its channels; inputs `parameters` have a number for each channel.
    func inferChannels(_ inputs: [TensorDescription?], parameters: ClosedRange<Int>) throws -> TensorDescription {
        let input = try requiredFloat(inputs, 0)
        let channels = input.shape[try input.shape.resolvedAxis(axis)]
        for index in parameters {
            let parameter = try requiredFloat(inputs, index)
            try check(
                parameter.shape == [channels],
                "parameters of shape \(parameter.shape) for \(channels) channels")
        }
        return input
    }

    /// Sizes before, of and behind the channels.
    func sizes(_ shape: Shape) throws -> (outer: Int, channels: Int, inner: Int) {
        let axis = try shape.resolvedAxis(axis)
        return (Shape(shape[..<axis]).elementCount, shape[axis], Shape(shape[(axis + 1)...]).elementCount)
    }
}

/// (x − mean) / √(variance + ε) · scale + bias, with numbers for every channel that were learnt. Inputs: x, scale,
/// bias, mean, variance.
package struct BatchNormalization: ChannelNormalisation {
    package var axis = 1
    package var epsilon: Float = 1e-5

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        if input.shape.count == 1, axis == 1 {
            // One axis is that of the images, which then have one channel.
            for index in 1...4 {
                try check(try requiredFloat(inputs, index).shape == [1], "parameters for more than one channel")
            }
            return .known([TensorDescription(try requiredFloat(inputs, 0).type, input.shape)])
        }
        let checked = try inferChannels(inputs, parameters: 1...4)
        return .known([TensorDescription(checked.type, checked.shape)])
    }
}

/// Normalises each channel of each image by itself, then applies a scale (input 1) and a bias (input 2) by channel.
package struct InstanceNormalization: ChannelNormalisation {
    package var axis = 1
    package var epsilon: Float = 1e-5

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try inferChannels(inputs, parameters: 1...2)
        try check(input.shape.count >= 2 && (try input.shape.resolvedAxis(axis)) > 0, "shape \(input.shape)")
        return .known([TensorDescription(input.type, input.shape)])
    }
}

/// Normalises groups of channels of each image, then applies a scale (input 1) and a bias (input 2) by channel, or, as
/// ONNX had it before operator set 21, by group.
package struct GroupNormalization: ChannelNormalisation {
    package var axis = 1
    package var groups: Int
    package var epsilon: Float = 1e-5

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        let channels = input.shape[axis]
        try check(axis > 0 && groups > 0 && channels % groups == 0, "\(groups) groups of \(channels) channels")
        for index in [1, 2] {
            let parameter = try requiredFloat(inputs, index)
            try check(
                parameter.shape == [channels] || parameter.shape == [groups],
                "parameters of shape \(parameter.shape) for \(channels) channels in \(groups) groups")
        }
        return .known([TensorDescription(input.type, input.shape)])
    }
}
