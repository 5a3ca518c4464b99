extension BatchNormalization: FloatOperator {
    package var inPlaceInput: Int? { 0 }

    /// What a channel is multiplied by, and what is added then. Parameters may be of another type than the input.
    package func factors(_ inputs: [TensorView?]) throws -> (scale: [Double], bias: [Double]) {
        let parameters = try (1...4).map { try required(inputs, $0).doubles }
        let scale = zip(parameters[0], parameters[3]).map { $0 / ($1 + Double(epsilon)).squareRoot() }
        let bias = scale.indices.map { parameters[1][$0] - parameters[2][$0] * scale[$0] }
        return (scale, bias)
    }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
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

extension InstanceNormalization: FloatOperator {
    package var inPlaceInput: Int? { 0 }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let channels = try sizes(try required(inputs, 0).shape).channels
        try GroupNormalization(axis: axis, groups: channels, epsilon: epsilon).compute(type, inputs, outputs)
    }
}

extension GroupNormalization: FloatOperator {
    package var inPlaceInput: Int? { 0 }

    /// The first axis is that of the images.
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let shape = input.shape
        let axis = try shape.resolvedAxis(axis)
        let (scales, biases) = (try required(inputs, 1).doubles, try required(inputs, 2).doubles)
        guard !shape.contains(0) else { return }
        let outer = Shape(shape[1..<axis]).elementCount
        let channels = shape[axis]
        let inner = Shape(shape[(axis + 1)...]).elementCount
        let (source, target) = (input.pointer(T.self), outputs[0].pointer(T.self))
        let size = channels / groups
        for image in 0..<shape[0] {
            for group in 0..<groups {
                // Lines of `inner` elements, of which a channel has one for each index of the axes before it.
                func forEachLine(_ body: (_ start: Int, _ channel: Int) -> Void) {
                    for row in 0..<outer {
                        for channel in group * size..<(group + 1) * size {
                            body(((image * outer + row) * channels + channel) * inner, channel)
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
                    let scale = inverse * scales[scales.count == channels ? channel : group]
                    let bias = biases[biases.count == channels ? channel : group] - mean * scale
                    for index in start..<start + inner {
                        target[index] = T(double: source[index].double * scale + bias)
                    }
                }
            }
        }
    }
}
