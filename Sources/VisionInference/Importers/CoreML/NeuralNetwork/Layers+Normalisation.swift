extension NeuralNetworkLayerDefinition {
    static let normalisation: [String: NeuralNetworkLayerDefinition] = [
        "batchnorm": .init { layer in try layer.batchNormalised() },
        "mvn": .init { layer in
            let input = try layer.input()
            let axes = try layer.axes(input, fromEnd: layer.bool(1) ? [-3, -2, -1] : [-2, -1])
            return try layer.normalised(
                input, axes: axes, epsilon: layer.float(3, orIfZero: 1e-6), dividesByVariance: layer.bool(2))
        },
        "l2normalize": .init { layer in
            let input = try layer.input()
            let axes = try layer.axes(input, fromEnd: [-3, -2, -1])
            return try layer.l2Normalised(input, axes: axes, epsilon: layer.float(1, orIfZero: 1e-6))
        },
        "lrn": .init { layer in
            let input = try layer.input()
            let operation = LRN(
                axis: try layer.axes(input, fromEnd: [-3])[0], size: try layer.int(3), alpha: try layer.float(1),
                beta: try layer.float(2), bias: try layer.float(4, orIfZero: 1))
            return try layer.add(operation, [input])
        },
        "softmax": .init { layer in
            let input = try layer.input()
            let rank = try layer.rank(input)
            // The channels; of fewer axes the first.
            return try layer.add(Softmax(axis: rank >= 3 ? rank - 3 : 0), [input])
        },
        "softmaxND": .init { layer in try layer.add(Softmax(axis: layer.int(1)), [layer.input()]) },
        "layerNormalization": .init { layer in
            let input = try layer.input()
            let shape = try layer.shape(input)
            let normalised = try layer.ints(1)
            try layer.require(
                !normalised.isEmpty && Array(shape.suffix(normalised.count)) == normalised,
                "normalisation over \(normalised) of \(shape)")
            let epsilon = try layer.float(2)
            let operation = LayerNormalization(axis: shape.count - normalised.count, epsilon: epsilon)
            return try layer.add(operation, [input, layer.weights(3, normalised), layer.weights(4, normalised)])
        },
    ]
}

extension NeuralNetworkLowering {
    fileprivate func batchNormalised() throws -> Value {
        let channels = try int(1)
        let epsilon = try float(10, orIfZero: 1e-5)
        let input = try input()
        let found = try self.channels(input)
        try require(found == channels, "\(channels) channels, and an input with \(found)")
        guard try bool(5) else {
            let parameters = try [15, 16, 17, 18].map { try weights($0, [channels]) }
            let axis = try axes(input, fromEnd: [-3])[0]
            return try add(BatchNormalization(axis: axis, epsilon: epsilon), [input] + parameters)
        }
        // Over each image, or over the whole batch.
        let rank = try rank(input)
        let axes = try bool(6) ? [rank - 2, rank - 1] : (0..<rank).filter { $0 != rank - 3 }
        return try normalised(
            input, axes: axes, epsilon: epsilon, gamma: byChannel(15, channels), beta: byChannel(16, channels))
    }
}
