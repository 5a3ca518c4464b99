/// The weights of EfficientNet-Lite for the engine: batch norm is folded into the convolutions.
struct EfficientNetWeights {
    private let checkpoint: TorchCheckpoint

    /// TensorFlow's default for these networks; PyTorch's own is 1e-5.
    private static let epsilon = 1e-3

    init(_ checkpoint: TorchCheckpoint) {
        self.checkpoint = checkpoint
    }

    /// Returns the weights (in the shape of the convolution) and biases equivalent to the convolution and the norm.
    func folded(_ layer: EfficientNetLite.Convolution) throws -> (weights: [Float], biases: [Float]) {
        var weights = try floats(layer.weights + ".weight", layer.shape)
        let channel = [layer.outputs]
        let gain = try floats(layer.norm + ".weight", channel)
        let shift = try floats(layer.norm + ".bias", channel)
        let mean = try floats(layer.norm + ".running_mean", channel)
        let variance = try floats(layer.norm + ".running_var", channel)
        var biases = [Float](repeating: 0, count: layer.outputs)
        let size = weights.count / layer.outputs
        for output in 0..<layer.outputs {
            let scale = Double(gain[output]) / (Double(variance[output]) + Self.epsilon).squareRoot()
            guard scale.isFinite else {
                throw WeightFileError(.mismatch, "\(layer.norm) has a variance of \(variance[output])")
            }
            for index in (output * size)..<((output + 1) * size) {
                weights[index] = Float(Double(weights[index]) * scale)
            }
            biases[output] = Float(Double(shift[output]) - Double(mean[output]) * scale)
        }
        return (weights, biases)
    }

    /// The last layer: a row of weights for each class, and the biases.
    func classifier() throws -> (weights: [Float], biases: [Float]) {
        let (classes, channels) = (EfficientNetLite.classCount, EfficientNetLite.headChannels)
        return (try floats("_fc.weight", [classes, channels]), try floats("_fc.bias", [classes]))
    }

    private func floats(_ name: String, _ shape: [Int]) throws -> [Float] {
        guard let tensor = checkpoint[name] else {
            throw WeightFileError(.mismatch, "the checkpoint has no tensor \(name)")
        }
        guard tensor.shape == shape else {
            throw WeightFileError(.mismatch, "\(name) has the shape \(tensor.shape), not \(shape)")
        }
        return try tensor.floats()
    }
}
