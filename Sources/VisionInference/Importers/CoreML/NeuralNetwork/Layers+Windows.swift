extension NeuralNetworkLayerDefinition {
    static let windows: [String: NeuralNetworkLayerDefinition] = [
        "convolution": .init(notes: "weights as a second input only without transposition") { layer in
            try layer.bool(60) ? layer.transposedConvolution() : layer.convolution()
        },
        "pooling": .init { layer in try layer.pooled() },
        "padding": .init { layer in try layer.padded() },
        "crop": .init { layer in try layer.cropped() },
        "upsample": .init { layer in try layer.upsampled() },
        "resizeBilinear": .init { layer in
            let size = try layer.ints(1, count: 2, default: 1)
            return try layer.resizedBilinearly(
                layer.input(), height: size[0], width: size[1], layer.samplingGrid(layer.parameters.message(2)))
        },
        "reorganizeData": .init { layer in
            let block = try layer.int(2)
            try layer.require((2...1 << 12).contains(block), "blocks of \(block)")
            let mode = try layer.int(1)
            return try layer.asImages(layer.input()) { image in
                switch mode {
                case 0: return try layer.add(SpaceToDepth(block: block, channelsFirst: true), [image])
                case 1: return try layer.add(DepthToSpace(block: block, channelsFirst: true), [image])
                case 2:
                    return try layer.add(
                        DepthToSpace(block: block, mode: .columnRowDepth, channelsFirst: true), [image])
                default: throw ModelError.invalid("the mode \(mode)")
                }
            }
        },
    ]
}

extension NeuralNetworkLowering {
    /// Amounts at the start and the end of rows and columns (`BorderAmounts`).
    private func borders(_ message: ProtobufMessage?) throws -> [(start: Int, end: Int)] {
        let edges = try message?.messages(10).map { (start: try $0.int(1), end: try $0.int(2)) } ?? []
        guard edges.isEmpty || edges.count == 2 else { throw ModelError.invalid("borders of \(edges.count) axes") }
        let limit = 1 << 20
        try require(
            edges.allSatisfy { (0...limit).contains($0.start) && (0...limit).contains($0.end) }, "borders \(edges)")
        return edges.isEmpty ? [(0, 0), (0, 0)] : edges
    }

    /// The padding that a message's fields `valid` and `same` state.
    private func padding(valid: Int, same: Int) throws -> SpatialWindow.Padding {
        if let same = try parameters.message(same) { return try same.int(1) == 1 ? .sameLower : .sameUpper }
        let edges = try borders(parameters.message(valid)?.message(1))
        return .explicit(edges.map(\.start) + edges.map(\.end))
    }

    // MARK: Convolution

    /// Weights, those of the first two axes given, and the bias if there is one.
    private func convolutionWeights(_ outer: [Int], outputs: Int) throws -> (weights: Value, bias: Value?) {
        let kernel = try ints(20, count: 2, default: 3)
        let bias = try bool(70) ? try weights(91, [outputs]) : nil
        if inputs.count > 1 { return (try floats(input(1)), bias) }
        return (try weights(90, outer + kernel), bias)
    }

    fileprivate func convolution() throws -> Value {
        let (outputs, groups) = (try int(1), max(try int(10), 1))
        let (weights, bias) = try convolutionWeights([outputs, int(2)], outputs: outputs)
        let kernel = Array(try shape(weights).dropFirst(2))
        try require(kernel.count == 2, "a kernel of \(kernel.count) axes")
        return try asImages(input()) { image in
            let window = try SpatialWindow(
                kernel: kernel, strides: ints(30, count: 2, default: 1), dilations: ints(40, count: 2, default: 1),
                padding: padding(valid: 50, same: 51), over: spatialSizes(image))
            return try convolution(image, weights, bias, window, groups: groups)
        }
    }

    fileprivate func transposedConvolution() throws -> Value {
        let (outputs, groups) = (try int(1), max(try int(10), 1))
        guard inputs.count == 1 else { throw ModelError.unsupported("weights that are computed") }
        try require(outputs > 0 && outputs % groups == 0, "\(outputs) channels in \(groups) groups")
        let (weights, bias) = try convolutionWeights([int(2), outputs / groups], outputs: outputs)
        let kernel = Array(try shape(weights).dropFirst(2))
        let (strides, dilations) = (try ints(30, count: 2, default: 1), try ints(40, count: 2, default: 1))
        let stated = try ints(100)
        try require(stated.isEmpty || stated.count == 2, "an output shape of \(stated.count) sizes")
        let padding = try padding(valid: 50, same: 51)
        return try asImages(input()) { image in
            let sizes = try spatialSizes(image)
            let axes = try (0..<2).map { axis in
                let full = try fullSize(
                    sizes[axis], kernel: kernel[axis], stride: strides[axis], dilation: dilations[axis])
                switch padding {
                case .explicit(let edges) where stated.isEmpty:
                    return TransposedPadding(full: full, before: edges[axis], after: edges[axis + 2], size: nil)
                case .explicit:
                    return TransposedPadding(full: full, size: stated[axis], isTopHeavy: false)
                case .sameUpper, .sameLower:
                    var isTopHeavy = false
                    if case .sameLower = padding { isTopHeavy = true }
                    let size = stated.isEmpty ? sizes[axis] * strides[axis] : stated[axis]
                    return TransposedPadding(full: full, size: size, isTopHeavy: isTopHeavy)
                }
            }
            return try transposedConvolution(
                image, weights, bias, strides: strides, dilations: dilations, groups: groups, axes: axes)
        }
    }

    // MARK: Pooling

    fileprivate func pooled() throws -> Value {
        let type = try int(1)
        try require((0...2).contains(type), "pooling of type \(type)")
        if try bool(60) { return try globalPool(input(), [Reduce.Kind.max, .mean, .l2][type]) }
        let counts = try !bool(50)
        let (image, kind): (Pool.Kind?, WindowPool.Kind) =
            switch type {
            case 0: (.maximum, .maximum(columnMajor: false))
            case 1: (.average(countsPadding: counts), .average(countsPadding: counts))
            default: (nil, .norm(2))
            }
        var padding = try padding(valid: 30, same: 31)
        let complete = try parameters.message(32)
        if let complete {
            let amounts = try complete.ints(10)
            try require(amounts.isEmpty || amounts.count == 2, "padding of \(amounts.count) axes")
            padding = .explicit(amounts.isEmpty ? [0, 0, 0, 0] : amounts + amounts)
        }
        let (kernel, strides) = (try ints(10, count: 2, default: 3), try ints(20, count: 2, default: 1))
        return try asImages(input()) { value in
            let window = try SpatialWindow(
                kernel: kernel, strides: strides, dilations: [1, 1], padding: padding, over: spatialSizes(value),
                roundsUp: complete != nil)
            return try pool(value, image, kind, window)[0]
        }
    }

    // MARK: Borders and sizes

    fileprivate func padded() throws -> Value {
        let edges = try borders(parameters.message(10))
        let mode: Pad.Mode = parameters.has(2) ? .reflect : parameters.has(3) ? .edge : .constant
        let value = try parameters.message(1)?.float(1) ?? 0
        let input = try input()
        let rank = try rank(input)
        try require(rank >= 2, "an input with \(rank) axes")
        let none = [Int](repeating: 0, count: rank - 2)
        return try pad(
            input, before: none + edges.map(\.start), after: none + edges.map(\.end), mode: mode,
            value: mode == .constant ? scalar(Double(value), .float32) : nil)
    }

    fileprivate func cropped() throws -> Value {
        let input = try input()
        let shape = try shape(input)
        try require(shape.count >= 3, "an input of shape \(shape)")
        let axes = [shape.count - 2, shape.count - 1]
        if inputs.count > 1 {
            let offset = try ints(5, count: 2, default: 0)
            let size = try self.shape(self.input(1)).suffix(2)
            let limit = 1 << 24
            try require(
                size.count == 2 && offset.allSatisfy { (0...limit).contains($0) }, "an offset of \(offset)")
            let ends = zip(offset, size).map { $0 + $1 }
            try require(zip(ends, axes).allSatisfy { $0 <= shape[$1] }, "a crop to \(ends) of \(shape)")
            return try slice(input, from: offset, to: ends, axes: axes)
        }
        let edges = try borders(parameters.message(1))
        let ends = zip(axes, edges).map { shape[$0] - $1.end }
        try require(zip(ends, edges).allSatisfy { $0 > $1.start }, "borders \(edges) of \(shape)")
        return try slice(input, from: edges.map(\.start), to: ends, axes: axes)
    }

    fileprivate func upsampled() throws -> Value {
        var factors = try ints(1).map { Double($0) }
        if factors.isEmpty { factors = try parameters.floats(7).map { Double($0) } }
        if factors.isEmpty { factors = [1, 1] }
        try require(factors.count == 2, "\(factors.count) factors")
        let isBilinear = try int(5) == 1
        let grids: [SamplingGrid] = [.asymmetric, .strictEndpoints, .halfPixel]
        let mode = try int(6)
        try require(grids.indices.contains(mode), "the mode \(mode)")
        return try asImages(input()) { image in
            let sizes = try spatialSizes(image)
            let (height, width) = (try scaledSize(sizes[0], factors[0]), try scaledSize(sizes[1], factors[1]))
            if isBilinear { return try resizedBilinearly(image, height: height, width: width, grids[mode]) }
            return try resized(image, .nearest(.floor), .asymmetric, height, width)
        }
    }

    func samplingGrid(_ mode: ProtobufMessage?) throws -> SamplingGrid {
        let method = try mode?.int(1) ?? 0
        let grids: [SamplingGrid] = [.strictEndpoints, .endpoints, .asymmetric, .cells]
        guard grids.indices.contains(method) else { throw ModelError.invalid("the sampling method \(method)") }
        return grids[method]
    }
}
