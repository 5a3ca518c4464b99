/// Layers over (N, C, D, H, W), and those that take boxes out of images.
extension NeuralNetworkLayerDefinition {
    static let volumes: [String: NeuralNetworkLayerDefinition] = [
        "convolution3d": .init { layer in try layer.volumeConvolution() },
        "pooling3d": .init { layer in try layer.volumePooling() },
        "globalPooling3d": .init { layer in
            try layer.globalPool(layer.input(), layer.int(1) == 1 ? .mean : .max, spatialAxes: 3)
        },
        "cropResize": .init { layer in try layer.boxCrops() },
        "NonMaximumSuppression": .init(
            notes: "the limits of a second to fifth input only where they do not depend on the network's inputs",
            lower: { layer in try layer.suppressedBoxes() }),
    ]
}

extension NeuralNetworkLowering {
    /// Numbers in fields beside each other, of which 0 stands for a default.
    private func list(_ fields: ClosedRange<Int>, default fallback: Int) throws -> [Int] {
        try fields.map { try int($0) == 0 ? fallback : int($0) }
    }

    /// - Parameters:
    ///   - type: the field of the kind of padding.
    ///   - first: that of the first amount; amounts before and after each axis follow each other.
    private func volumePadding(type: Int, first: Int) throws -> SpatialWindow.Padding {
        switch try int(type) {
        case 0:
            let amounts = try (0..<6).map { try int(first + $0) }
            try require(amounts.allSatisfy { (0...1 << 20).contains($0) }, "padding of \(amounts)")
            return .explicit([0, 2, 4].map { amounts[$0] } + [1, 3, 5].map { amounts[$0] })
        case 1: return .explicit([Int](repeating: 0, count: 6))
        case 2: return .sameUpper
        case let type: throw ModelError.invalid("padding of type \(type)")
        }
    }

    private func volume() throws -> Value {
        let input = try input()
        try require(try rank(input) == 5, "an input with \(try rank(input)) axes, not 5")
        return input
    }

    fileprivate func volumeConvolution() throws -> Value {
        let input = try volume()
        let (outputs, groups) = (try int(1), max(try int(10), 1))
        let kernel = try list(20...22, default: 3)
        let (strides, dilations) = (try list(31...33, default: 1), try list(40...42, default: 1))
        let bias = try bool(50) ? try weights(61, [outputs]) : nil
        let (inputs, padding) = (try int(2), try volumePadding(type: 70, first: 80))
        try require(
            outputs > 0 && inputs > 0 && outputs % groups == 0 && inputs % groups == 0,
            "\(inputs) to \(outputs) channels in \(groups) groups")
        guard try bool(86) else {
            let window = try SpatialWindow(
                kernel: kernel, strides: strides, dilations: dilations, padding: padding, over: spatialSizes(input))
            return try convolution(
                input, weights(60, [outputs, inputs / groups] + kernel), bias, window, groups: groups)
        }
        // The file has the output's channels first.
        let factors = try transpose(weights(60, [outputs / groups, inputs] + kernel), [1, 0, 2, 3, 4])
        let stated = try ints(87)
        try require(stated.isEmpty || stated.count == 3, "an output shape of \(stated.count) sizes")
        let sizes = try spatialSizes(input)
        let axes = try (0..<3).map { axis in
            let full = try fullSize(
                sizes[axis], kernel: kernel[axis], stride: strides[axis], dilation: dilations[axis])
            switch padding {
            case .explicit(let edges):
                return TransposedPadding(
                    full: full, before: edges[axis], after: edges[axis + 3], size: stated.isEmpty ? nil : stated[axis])
            case .sameUpper, .sameLower:
                let size = stated.isEmpty ? sizes[axis] * strides[axis] : stated[axis]
                return TransposedPadding(full: full, size: size, isTopHeavy: false)
            }
        }
        return try transposedConvolution(
            input, factors, bias, strides: strides, dilations: dilations, groups: groups, axes: axes)
    }

    fileprivate func volumePooling() throws -> Value {
        let input = try volume()
        let (kernel, strides) = (try list(2...4, default: 1), try list(5...7, default: 1))
        let window = try SpatialWindow(
            kernel: kernel, strides: strides, dilations: [1, 1, 1], padding: volumePadding(type: 15, first: 8),
            over: spatialSizes(input))
        let kind: WindowPool.Kind =
            try int(1) == 0 ? .maximum(columnMajor: false) : .average(countsPadding: try !bool(14))
        return try pool(input, nil, kind, window)[0]
    }

    // MARK: Boxes

    /// Images (1, B, C, H, W) and boxes (N, 1, 4 or 5, 1, 1), the first of five numbers being the image's.
    fileprivate func boxCrops() throws -> Value {
        let image = try withSequence(input())
        let boxes = try withSequence(input(1))
        let (shape, boxShape) = (try shape(image), try shape(boxes))
        try require(
            shape.count == 5 && shape[0] == 1 && boxShape.count == 5 && boxShape[1] == 1
                && (boxShape[2] == 4 || boxShape[2] == 5) && boxShape[3] == 1 && boxShape[4] == 1,
            "boxes of shape \(boxShape) of images of shape \(shape)")
        let (size, format) = (try ints(1, count: 2, default: 1), try parameters.message(4)?.int(1) ?? 0)
        try require(BoxFormat.numbered.indices.contains(format), "the coordinates \(format)")
        let cropping = Cropping(
            height: size[0], width: size[1], grid: try samplingGrid(parameters.message(3)),
            format: BoxFormat.numbered[format], isNormalised: try bool(2), scale: try float(5, orIfZero: 1))
        let rows = try reshape(boxes, [boxShape[0], boxShape[2]])
        let images = try reshape(image, Array(shape[1...]))
        guard boxShape[2] == 5 else {
            return try withoutSequence(cropped(images, boxes: rows, imageIndices: nil, cropping))
        }
        let crops = try cropped(
            images, boxes: slice(rows, axis: 1, 1..<5), imageIndices: slice(rows, axis: 1, 0..<1), cropping)
        return try withoutSequence(unsqueeze(crops, axes: [1]))
    }

    fileprivate func suppressedBoxes() throws -> [Value] {
        func limit(_ index: Int, _ fallback: Double) throws -> Double {
            guard inputs.count > index else { return fallback }
            guard let tensor = try describe(input(index)).constant else { throw ExpansionPostponed() }
            return tensor.doubles?.first ?? fallback
        }
        let count = try limit(4, Double(int(3)))
        try require((1...Double(1 << 20)).contains(count), "\(count) boxes")
        let operation = PaddedNonMaxSuppression(
            overlap: Float(try limit(2, Double(float(1)))), threshold: Float(try limit(3, Double(float(2)))),
            limit: Int(count), isPerClass: try bool(4))
        let results = try add(operation, [floats(input(0)), floats(input(1))], outputs: 4)
        return try results[..<2] + results[2...].map { try floats($0) }
    }
}
