extension TFLiteGraphBuilder {
    /// Weights are O, H, W, I; those of a depthwise convolution 1, H, W, O.
    func addConvolution(_ node: TFLiteNode, depthwise: Bool) throws {
        guard case .convolution(let window) = node.options else { throw node.unsupported("it has no strides") }
        let image = try imageShape(node, 0)
        let weights = try node.input(1)
        let shape = tensor(weights).shape
        guard shape.count == 4 else { throw ModelError.invalid("weights of shape \(shape)") }
        let groups: Int
        if depthwise {
            groups = image[3]
        } else {
            guard shape[3] > 0, image[3] % shape[3] == 0 else {
                throw ModelError.invalid("weights of shape \(shape) for an image of \(image[3]) channels")
            }
            groups = image[3] / shape[3]
        }
        let geometry = WindowGeometry(
            kernelHeight: shape[1], kernelWidth: shape[2], strideY: window.strideY, strideX: window.strideX,
            dilationY: window.dilationY, dilationX: window.dilationX, padding: padding(window.padding))
        let operation = Convolution(
            geometry: geometry, groups: groups, order: depthwise ? .ihwo : .ohwi,
            activation: try fusedActivation(window.activation, node))
        let outputs = depthwise ? shape[3] : shape[0]
        let inputs: [Graph.ValueID?] = [
            try operand(node.input(0)), try floatValue(weights), try bias(node.optionalInput(2), count: outputs),
        ]
        try finish(node, add(operation, inputs))
    }

    func addPool(_ node: TFLiteNode, average: Bool) throws {
        guard case .pool(let window, let height, let width) = node.options else {
            throw node.unsupported("it has no window")
        }
        _ = try imageShape(node, 0)
        let geometry = WindowGeometry(
            kernelHeight: height, kernelWidth: width, strideY: window.strideY, strideX: window.strideX,
            padding: padding(window.padding))
        let operation = Pool(kind: average ? .average(countsPadding: false) : .maximum, geometry: geometry)
        try finish(
            node, add(operation, [try operand(node.input(0))]), window.activation)
    }

    func addResize(_ node: TFLiteNode, bilinear: Bool) throws {
        guard case .resize(let alignCorners, let halfPixelCentres) = node.options else {
            throw node.unsupported("it does not say how corners are aligned")
        }
        _ = try imageShape(node, 0)
        let size = try constantIntegers(node, 1, "size")
        guard size.count == 2 else { throw ModelError.invalid("a size of \(size.count) numbers") }
        let coordinates: ResizeImage.Coordinates =
            alignCorners ? .alignedCorners : halfPixelCentres ? .halfPixel : .asymmetric
        // With corners or centres in place, the nearest of two equally near pixels is the second.
        let filter: ResizeImage.Filter =
            bilinear ? .bilinear : .nearest(alignCorners || halfPixelCentres ? .preferCeiling : .floor)
        let operation = ResizeImage(filter: filter, coordinates: coordinates, height: size[0], width: size[1])
        try finish(node, add(operation, [try operand(node.input(0))]))
    }

    func addSpaceAndDepth(_ node: TFLiteNode, toDepth: Bool) throws {
        guard case .block(let block) = node.options else { throw node.unsupported("it has no block size") }
        let operation: any Operator = toDepth ? SpaceToDepth(block: block) : DepthToSpace(block: block)
        try finish(node, add(operation, [try operand(node.input(0))]))
    }

    /// Inputs: size of the output, weights, image, and bias in newer files.
    func addTransposedConvolution(_ node: TFLiteNode) throws {
        guard case .transposedConvolution(let window) = node.options else {
            throw node.unsupported("it has no strides")
        }
        let size = try constantIntegers(node, 0, "output size")
        guard size.count == 4 else { throw ModelError.invalid("an output size of \(size.count) numbers") }
        try addTransposedConvolution(
            node, image: 2, weights: 1, bias: node.optionalInput(3), window, outputHeight: size[1],
            outputWidth: size[2])
    }

    /// MediaPipe's operator: image, weights, bias; its options are three words, padding and the strides.
    func addTransposedConvolutionWithBias(_ node: TFLiteNode) throws {
        guard let options = customOptions(node.operation), options.count >= 12 else {
            throw node.unsupported("it has no strides")
        }
        let words = (0..<3).map {
            Int(Int32(littleEndian: options.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)))
        }
        guard words[0] == 1 || words[0] == 2 else { throw node.unsupported("padding number \(words[0])") }
        let same = words[0] == 1
        let window = TFLiteOptions.Window(padding: same ? .same : .valid, strideY: words[2], strideX: words[1])
        let image = try imageShape(node, 0)
        let weights = try tensor(node.input(1)).shape
        guard weights.count == 4, window.strideX > 0, window.strideY > 0 else {
            throw ModelError.invalid("weights of shape \(weights) and strides \(words)")
        }
        func size(_ input: Int, _ stride: Int, _ kernel: Int) throws -> Int {
            let (enlarged, overflows) = input.multipliedReportingOverflow(by: stride)
            guard !overflows, enlarged <= 1 << 24 else {
                throw ModelError.tooLarge("an image enlarged \(stride) times")
            }
            return same ? enlarged : enlarged + max(kernel - stride, 0)
        }
        try addTransposedConvolution(
            node, image: 0, weights: 1, bias: node.optionalInput(2), window,
            outputHeight: try size(image[1], window.strideY, weights[1]),
            outputWidth: try size(image[2], window.strideX, weights[2]))
    }

    private func addTransposedConvolution(
        _ node: TFLiteNode, image: Int, weights: Int, bias biasTensor: Int?, _ window: TFLiteOptions.Window,
        outputHeight: Int, outputWidth: Int
    ) throws {
        let imageShape = try imageShape(node, image)
        let shape = try tensor(node.input(weights)).shape
        guard shape.count == 4 else { throw ModelError.invalid("weights of shape \(shape)") }
        // What the whole result has more than the output is cut off at both ends, the odd row at the end.
        func crop(_ input: Int, _ kernel: Int, _ stride: Int, _ output: Int) -> Int {
            max((max(input, 1) - 1) * stride + kernel - output, 0) / 2
        }
        let operation = TransposedConvolution(
            kernelHeight: shape[1], kernelWidth: shape[2], strideY: window.strideY, strideX: window.strideX,
            cropTop: crop(imageShape[1], shape[1], window.strideY, outputHeight),
            cropLeft: crop(imageShape[2], shape[2], window.strideX, outputWidth),
            outputHeight: outputHeight, outputWidth: outputWidth, order: .ohwi,
            activation: try fusedActivation(window.activation, node))
        let inputs: [Graph.ValueID?] = [
            try operand(node.input(image)), try floatValue(node.input(weights)),
            try bias(biasTensor, count: shape[0]),
        ]
        try finish(node, add(operation, inputs))
    }

    // MARK: Help

    private func padding(_ padding: TFLitePadding) -> WindowGeometry.Padding {
        padding == .same ? .sameUpper : .none
    }

    private func imageShape(_ node: TFLiteNode, _ index: Int) throws -> [Int] {
        let shape = try tensor(node.input(index)).shape
        guard shape.count == 4 else { throw ModelError.invalid("an image of shape \(shape)") }
        return shape
    }

    /// A bias as one number a channel, however many axes of one element the file gives it.
    func bias(_ index: Int?, count: Int) throws -> Graph.ValueID? {
        guard let index else { return nil }
        let value = try floatValue(index)
        guard let constant = graph.values[value].constant, constant.shape != [count], constant.elementCount == count
        else {
            return value
        }
        return graph.addValue(tensor(index).name, constant: try constant.reshaped([count]))
    }
}
