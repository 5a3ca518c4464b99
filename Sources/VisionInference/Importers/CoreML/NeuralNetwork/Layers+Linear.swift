extension NeuralNetworkLayerDefinition {
    static let linear: [String: NeuralNetworkLayerDefinition] = [
        "innerProduct": .init { layer in try layer.innerProduct() },
        "batchedMatmul": .init { layer in try layer.batchedProduct() },
        "embedding": .init { layer in try layer.embedded() },
        "embeddingND": .init { layer in try layer.embeddedLastAxis() },
        "dot": .init { layer in
            var (a, b) = (try layer.input(0), try layer.input(1))
            let axes = try layer.axes(a, fromEnd: [-3])
            if try layer.bool(1) {
                a = try layer.l2Normalised(a, axes: axes, epsilon: 1e-12)
                b = try layer.l2Normalised(b, axes: axes, epsilon: 1e-12)
            }
            return try layer.reduce(.sum, layer.binary(.mul, a, b), axes: axes)
        },
    ]
}

extension NeuralNetworkLowering {
    fileprivate func innerProduct() throws -> Value {
        let (channels, outputs) = (try int(1), try int(2))
        let bias = try bool(10) ? try weights(21, [outputs]) : nil
        let input = try input()
        let shape = try shape(input)
        guard shape.count >= 4 else {
            try require(shape.last == channels, "an input of shape \(shape) for \(channels) channels")
            return try linear(input, weights(20, [outputs, channels]), bias)
        }
        // Channels, rows and columns are one vector: a window over the whole image.
        let inner = Array(shape.suffix(3))
        try require(inner.elementCount == channels, "an input of shape \(shape) for \(channels) channels")
        let kernel = try weights(20, [outputs] + inner)
        return try asImages(input) { image in
            let window = try SpatialWindow(
                kernel: Array(inner[1...]), strides: [1, 1], dilations: [1, 1], padding: .explicit([0, 0, 0, 0]),
                over: spatialSizes(image))
            return try convolution(image, kernel, bias, window, groups: 1)
        }
    }

    fileprivate func batchedProduct() throws -> Value {
        if inputs.count > 1 {
            return try product(input(0), input(1), transposesA: bool(1), transposesB: bool(2))
        }
        let (rows, columns) = (try int(5), try int(6))
        // Stored column by column: the transposed matrix, row by row.
        let matrix = try transpose(weights(8, [columns, rows]), [1, 0])
        let result = try matMul(input(), matrix)
        return try bool(7) ? binary(.add, result, weights(9, [columns])) : result
    }

    /// The columns of a matrix [vectors' size, vocabulary] at the indices, which have no axes of their own.
    private func lookedUp(_ indices: Value, vocabulary: Int, size: Int) throws -> Value {
        let table = try transpose(weights(20, [size, vocabulary]), [1, 0])
        return try add(Gather(axis: 0), [table, self.indices(indices)])
    }

    fileprivate func embedded() throws -> Value {
        let (vocabulary, size) = (try int(1), try int(2))
        let input = try input()
        let shape = try shape(input)
        try require(shape.count >= 4 && shape.suffix(3) == [1, 1, 1], "indices of shape \(shape)")
        let lead = Array(shape.dropLast(3))
        var result = try lookedUp(reshape(input, lead), vocabulary: vocabulary, size: size)
        if try bool(10) { result = try binary(.add, result, weights(21, [size])) }
        return try reshape(result, lead + [size, 1, 1])
    }

    fileprivate func embeddedLastAxis() throws -> Value {
        let (vocabulary, size) = (try int(1), try int(2))
        let input = try input()
        let shape = try shape(input)
        try require(shape.count >= 2 && shape.last == 1, "indices of shape \(shape)")
        var result = try lookedUp(reshape(input, Array(shape.dropLast())), vocabulary: vocabulary, size: size)
        if try bool(3) { result = try binary(.add, result, weights(21, [size])) }
        return result
    }
}
