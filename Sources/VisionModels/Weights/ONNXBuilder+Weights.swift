import VisionInference

extension ONNXBuilder {
    /// A convolution with the next weights, and the next biases if it has any; named as its result is.
    ///
    /// - Parameter pad: Zeros around the input; nil for as many as keep its size where the stride is 1.
    mutating func convolution(
        _ input: String, _ name: String, _ weights: inout CompiledWeights, outputs: Int, inputs: Int, kernel: Int = 1,
        stride: Int = 1, pad: Int? = nil, isDepthwise: Bool = false, isActivated: Bool = false, hasBias: Bool = true
    ) throws -> String {
        let shape = [outputs, isDepthwise ? 1 : inputs, kernel, kernel]
        var values = [input, try initialiser(name + ".weight", shape, try weights.take(shape))]
        if hasBias { values.append(try initialiser(name + ".bias", [outputs], try weights.take([outputs]))) }
        let pads = [Int](repeating: pad ?? kernel / 2, count: 4)
        let value = node(
            "Conv", values,
            [
                "group": .int(isDepthwise ? Int64(inputs) : 1), "kernel_shape": .ints([kernel, kernel]),
                "pads": .ints(pads), "strides": .ints([stride, stride]),
            ], name: name, output: name)
        return isActivated ? node("Relu", [value], name: name + ".relu", output: name + ".relu") : value
    }

    /// A linear layer with the next weights and biases, over rows.
    ///
    /// - Parameters:
    ///   - channels: The numbers of a position, which lie side by side in a row.
    ///   - positions: The positions in a row. The weights have the positions of a channel side by side instead.
    mutating func linear(
        _ input: String, _ name: String, _ weights: inout CompiledWeights, channels: Int, positions: Int = 1,
        outputs: Int
    ) throws -> String {
        let inputs = channels * positions
        let taken = try weights.take([outputs, inputs])
        var turned = [Float](repeating: 0, count: taken.count)
        for output in 0..<outputs {
            for channel in 0..<channels {
                for position in 0..<positions {
                    turned[(position * channels + channel) * outputs + output] =
                        taken[output * inputs + channel * positions + position]
                }
            }
        }
        let weight = try initialiser(name + ".weight", [inputs, outputs], turned)
        let bias = try initialiser(name + ".bias", [outputs], try weights.take([outputs]))
        return node("Gemm", [input, weight, bias], name: name, output: name)
    }
}
