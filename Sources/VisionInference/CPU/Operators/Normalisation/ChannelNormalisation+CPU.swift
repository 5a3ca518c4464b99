/// What normalisations of channels have in common: a scale and a bias for each.
/// `axis` is that of the channels.
protocol ChannelNormalisation: FloatOperator, AxisOperator {}

extension ChannelNormalisation {
    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        4 * (outputs.first?.shape.elementCount ?? 0)
    }

    package func sinking(
        _ permutation: [Int], _ inputs: [TensorDescription?], _ outputs: [TensorDescription]
    ) -> Sinking? {
        // The first axis stays that of the pictures.
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

/// (x − mean) / √(variance + ε) · scale + bias, with numbers for every channel that were learnt. Inputs: x, scale, bias,
/// mean, variance.
package struct BatchNormalization: ChannelNormalisation {
    package var axis: Int
    package var epsilon: Float

    package init(axis: Int = 1, epsilon: Float = 1e-5) {
        self.axis = axis
        self.epsilon = epsilon
    }

    package var name: String { "BatchNormalization" }
    package var inPlaceInput: Int? { 0 }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        if input.shape.count == 1, axis == 1 {
            // One axis is that of the pictures, which then have one channel.
            for index in 1...4 {
                try check(try requiredFloat(inputs, index).shape == [1], "parameters for more than one channel")
            }
            return .known([TensorDescription(try requiredFloat(inputs, 0).type, input.shape)])
        }
        let checked = try inferChannels(inputs, parameters: 1...4)
        return .known([TensorDescription(checked.type, checked.shape)])
    }

    /// What a channel is multiplied by, and what is added then. Parameters may be of another type than the input.
    package func factors(_ inputs: [TensorView?]) throws -> (scale: [Double], bias: [Double]) {
        let parameters = try (1...4).map { try required(inputs, $0).doubles }
        let scale = zip(parameters[0], parameters[3]).map { $0 / ($1 + Double(epsilon)).squareRoot() }
        let bias = scale.indices.map { parameters[1][$0] - parameters[2][$0] * scale[$0] }
        return (scale, bias)
    }

    package func prepare(
        _ inputs: [TensorDescription?], _ outputs: [TensorDescription], _ preparation: Preparation
    ) throws -> any Step {
        let input = try required(inputs, 0)
        let constants: [Tensor] = inputs.dropFirst().compactMap { $0?.constant }
        guard input.type == .float32, input.shape.count > 1, !input.shape.contains(0),
            constants.count == 4
        else { return PlainStep(operation: self) }
        let views: [TensorView?] = [nil] + constants.map(\.view)
        let (scale, bias) = try withExtendedLifetime(constants) { try factors(views) }
        return AffineStep(
            sizes: try sizes(input.shape), scale: scale.map { Float($0) }, bias: bias.map { Float($0) })
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let factors = try factors(inputs)
        let sizes = input.shape.count == 1 ? (1, 1, input.elementCount) : try sizes(input.shape)
        let (source, target) = (input.pointer(T.self), outputs[0].pointer(T.self))
        for row in 0..<sizes.0 * sizes.1 {
            let (scale, bias) = (factors.scale[row % sizes.1], factors.bias[row % sizes.1])
            for index in row * sizes.2..<(row + 1) * sizes.2 {
                target[index] = T(double: source[index].double * scale + bias)
            }
        }
    }
}

/// Normalises each channel of each picture by itself, then applies a scale (input 1) and a bias (input 2) by channel.
package struct InstanceNormalization: ChannelNormalisation {
    package var axis: Int
    package var epsilon: Float

    package init(axis: Int = 1, epsilon: Float = 1e-5) {
        self.axis = axis
        self.epsilon = epsilon
    }

    package var name: String { "InstanceNormalization" }
    package var inPlaceInput: Int? { 0 }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try inferChannels(inputs, parameters: 1...2)
        try check(input.shape.count >= 2 && (try input.shape.resolvedAxis(axis)) > 0, "shape \(input.shape)")
        return .known([TensorDescription(input.type, input.shape)])
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let channels = try sizes(input.shape).channels
        let (scales, biases) = (try required(inputs, 1).doubles, try required(inputs, 2).doubles)
        try normaliseGroups(T.self, input, outputs[0], axis: axis, groups: channels, epsilon: epsilon) { channel in
            (scales[channel], biases[channel])
        }
    }
}

/// Normalises groups of channels of each picture, then applies a scale (input 1) and a bias (input 2) by channel, or, as
/// ONNX had it before operator set 21, by group.
package struct GroupNormalization: ChannelNormalisation {
    package var axis: Int
    package var groups: Int
    package var epsilon: Float

    package init(axis: Int = 1, groups: Int, epsilon: Float = 1e-5) {
        self.axis = axis
        self.groups = groups
        self.epsilon = epsilon
    }

    package var name: String { "GroupNormalization" }
    package var inPlaceInput: Int? { 0 }

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

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let channels = try sizes(input.shape).channels
        let (scales, biases) = (try required(inputs, 1).doubles, try required(inputs, 2).doubles)
        try normaliseGroups(T.self, input, outputs[0], axis: axis, groups: groups, epsilon: epsilon) { channel in
            (
                scales[scales.count == channels ? channel : channel / (channels / groups)],
                biases[biases.count == channels ? channel : channel / (channels / groups)]
            )
        }
    }
}

/// Normalises groups of channels; the first axis is that of the pictures.
private func normaliseGroups<T: FloatScalar>(
    _ type: T.Type, _ input: TensorView, _ output: TensorView, axis: Int, groups: Int, epsilon: Float,
    _ parameters: (Int) throws -> (scale: Double, bias: Double)
) throws {
    let shape = input.shape
    let axis = try shape.resolvedAxis(axis)
    guard !shape.contains(0) else { return }
    let pictures = shape[0]
    let outer = Shape(shape[1..<axis]).elementCount
    let channels = shape[axis]
    let inner = Shape(shape[(axis + 1)...]).elementCount
    let (source, target) = (input.pointer(T.self), output.pointer(T.self))
    let size = channels / groups
    let factors = try (0..<channels).map { try parameters($0) }
    for picture in 0..<pictures {
        for group in 0..<groups {
            // Lines of `inner` elements, of which a channel has one for each index of the axes before it.
            func forEachLine(_ body: (_ start: Int, _ channel: Int) -> Void) {
                for row in 0..<outer {
                    for channel in group * size..<(group + 1) * size {
                        body(((picture * outer + row) * channels + channel) * inner, channel)
                    }
                }
            }
            let count = Double(outer * size * inner)
            var sum = 0.0
            forEachLine { start, _ in for index in start..<start + inner { sum += source[index].double } }
            let mean = sum / count
            var squares = 0.0
            forEachLine { start, _ in
                for index in start..<start + inner {
                    squares += (source[index].double - mean) * (source[index].double - mean)
                }
            }
            let inverse = 1 / (squares / count + Double(epsilon)).squareRoot()
            forEachLine { start, channel in
                let scale = inverse * factors[channel].scale
                let bias = factors[channel].bias - mean * scale
                for index in start..<start + inner { target[index] = T(double: source[index].double * scale + bias) }
            }
        }
    }
}
