extension ONNXDefinition {
    static let windows: [String: ONNXDefinition] = [
        "Conv": ONNXDefinition(.floats, lower: convolution),
        "ConvTranspose": ONNXDefinition(.floats, lower: transposedConvolution),
        "MaxPool": ONNXDefinition(.numbers) { node in
            let count = node.node.outputs.count
            return try pool(
                node, .maximum, .maximum(columnMajor: node.flag("storage_order")), outputs: count)
        },
        "AveragePool": ONNXDefinition(.floats) { node in
            let counts = node.flag("count_include_pad")
            return try pool(node, .average(countsPadding: counts), .average(countsPadding: counts))
        },
        "LpPool": ONNXDefinition(.floats, since: 2) { node in
            try pool(node, nil, .norm(Double(node.int("p", 2))))
        },
        "GlobalAveragePool": global(.mean), "GlobalMaxPool": global(.max),
        "GlobalLpPool": ONNXDefinition(.floats, since: 2) { node in
            let input = try node.input(0)
            let axes = Array(2..<max(try node.rank(input), 2))
            switch node.int("p", 2) {
            case 1: return [try node.add(Reduce(kind: .l1, axes: axes), [input])]
            case 2: return [try node.add(Reduce(kind: .l2, axes: axes), [input])]
            default: throw node.unsupported("p = \(node.int("p", 2))")
            }
        },
        "DepthToSpace": ONNXDefinition(.any) { node in
            let mode: DepthToSpace.Mode = node.string("mode") == "CRD" ? .columnRowDepth : .depthColumnRow
            let operation = DepthToSpace(block: node.int("blocksize", 0), mode: mode, channelsFirst: true)
            return [try node.add(operation, [node.input(0)])]
        },
        "SpaceToDepth": ONNXDefinition(.any) { node in
            [try node.add(SpaceToDepth(block: node.int("blocksize", 0), channelsFirst: true), [node.input(0)])]
        },
    ]

    // MARK: Convolution

    @Sendable private static func convolution(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        [try node.convolved(node.input(0), node.input(1), node.optional(2))]
    }

    @Sendable private static func transposedConvolution(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let weights = try node.input(1)
        let sizes = try node.spatialSizes(input)
        let shape = try node.shape(input)
        let weightShape = try node.shape(weights)
        try node.require(weightShape.count == shape.count, "weights of shape \(weightShape) for \(shape)")
        let (window, result) = try transposedWindow(node, kernel: Array(weightShape[2...]), sizes)
        let groups = node.int("group", 1)
        let type = try node.type(input)
        let channels = weightShape[1].multipliedReportingOverflow(by: groups)
        try node.require(groups >= 1 && !channels.overflow, "\(groups) groups")
        guard window.rank <= 2, type != .float64, let geometry = window.pictureGeometry else {
            let operation = WindowTransposedConvolution(window, groups: groups, result: result)
            return [try node.add(operation, [input, weights, node.optional(2)])]
        }
        var picture = try node.cast(input, .float32)
        var factors = try node.cast(weights, .float32)
        if sizes.count == 1 {
            picture = try node.reshape(picture, [shape[0], shape[1], 1, shape[2]])
            factors = try node.reshape(factors, [weightShape[0], weightShape[1], 1, weightShape[2]])
        }
        let bias = try node.optional(2).map { try node.cast($0, .float32) }
        let operation = TransposedConvolution(
            kernelHeight: geometry.kernelHeight, kernelWidth: geometry.kernelWidth, strideY: geometry.strideY,
            strideX: geometry.strideX, dilationY: geometry.dilationY, dilationX: geometry.dilationX,
            cropTop: sizes.count == 1 ? 0 : window.before[0], cropLeft: window.before[window.rank - 1],
            outputHeight: sizes.count == 1 ? 1 : result[0], outputWidth: result[window.rank - 1], groups: groups,
            order: .iohw)
        var output = try node.asPicture(picture) { try node.add(operation, [$0, factors, bias]) }
        if sizes.count == 1 { output = try node.reshape(output, [shape[0], channels.partialValue] + result) }
        return [try node.cast(output, type)]
    }

    /// The window from the result back to the input, and the result's sizes.
    private static func transposedWindow(
        _ node: ONNXLowering, kernel: [Int], _ sizes: [Int]
    ) throws -> (SpatialWindow, [Int]) {
        let rank = sizes.count
        let strides = node.ints("strides") ?? sizes.map { _ in 1 }
        let dilations = node.ints("dilations") ?? sizes.map { _ in 1 }
        let extra = node.ints("output_padding") ?? sizes.map { _ in 0 }
        var pads = node.ints("pads") ?? [Int](repeating: 0, count: 2 * rank)
        let wanted = node.ints("output_shape").map { Array($0.suffix(rank)) }
        let mode = node.string("auto_pad", "NOTSET")
        let numbers = [kernel, strides, dilations, extra, wanted ?? sizes, sizes]
        try node.require(
            numbers.allSatisfy { $0.count == rank } && pads.count == 2 * rank
                && (numbers + [pads]).allSatisfy { $0.allSatisfy { -(1 << 24)...1 << 24 ~= $0 } }
                && (kernel + strides + dilations).allSatisfy { $0 > 0 },
            "kernel \(kernel), strides \(strides), dilations \(dilations), pads \(pads) over \(sizes)")
        var result: [Int] = []
        for axis in 0..<rank {
            let full = strides[axis] * (sizes[axis] - 1) + extra[axis] + (kernel[axis] - 1) * dilations[axis] + 1
            let isSame = mode == "SAME_UPPER" || mode == "SAME_LOWER"
            if let size = wanted?[axis] ?? (isSame ? sizes[axis] * strides[axis] : nil) {
                let total = max(full - size, 0)
                pads[axis] = mode == "SAME_UPPER" ? total / 2 : total - total / 2
                pads[axis + rank] = total - pads[axis]
                result.append(size)
            } else {
                if mode == "VALID" { (pads[axis], pads[axis + rank]) = (0, 0) }
                result.append(full - pads[axis] - pads[axis + rank])
            }
        }
        let window = SpatialWindow(
            kernel: kernel, strides: strides, dilations: dilations, before: Array(pads[..<rank]),
            after: Array(pads[rank...]), output: sizes)
        return (window, result)
    }

    // MARK: Pooling

    /// - Parameter picture: as the kernels for pictures of floats do it; nil where they do not.
    private static func pool(
        _ node: ONNXLowering, _ picture: Pool.Kind?, _ kind: WindowPool.Kind, outputs: Int = 1
    ) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let sizes = try node.spatialSizes(input)
        let shape = try node.shape(input)
        guard let kernel = node.ints("kernel_shape") else { throw node.invalid("no kernel_shape") }
        var window = try node.window(kernel: kernel, over: sizes, roundsUp: node.flag("ceil_mode"))
        let isExact = kind != .average(countsPadding: true)
        if isExact { window = window.reachingTheEnd(of: sizes) }
        let reaches = window.reachingTheEnd(of: sizes)
        guard let picture, outputs == 1, try node.type(input) == .float32, let geometry = window.pictureGeometry,
            // Where windows reach beyond the padding, what they count is not what the kernels count.
            isExact || zip(reaches.after, window.after).allSatisfy({ $0 <= $1 })
        else { return try node.add(WindowPool(kind, window), [input], outputs: outputs) }
        let operation = Pool(picture, geometry)
        guard sizes.count == 1 else {
            return [try node.asPicture(input) { try node.add(operation, [$0]) }]
        }
        let row = try node.reshape(input, [shape[0], shape[1], 1, shape[2]])
        let result = try node.asPicture(row) { try node.add(operation, [$0]) }
        return [try node.reshape(result, Array(shape[..<2]) + window.output)]
    }

    private static func global(_ kind: Reduce.Kind) -> ONNXDefinition {
        ONNXDefinition(.floats) { node in
            let input = try node.input(0)
            let axes = Array(2..<max(try node.rank(input), 2))
            if axes.isEmpty { return [input] }
            return [try node.add(Reduce(kind: kind, axes: axes), [input])]
        }
    }
}

extension ONNXLowering {
    /// The convolution that the node's attributes describe.
    func convolved(_ input: Value, _ weights: Value, _ bias: Value?) throws -> Value {
        let sizes = try spatialSizes(input)
        let kernel = try ints("kernel_shape") ?? Array(shape(weights).dropFirst(2))
        let window = try window(kernel: kernel, over: sizes)
        let groups = int("group", 1)
        let type = try type(input)
        guard let geometry = window.pictureGeometry, type != .float64 else {
            return try add(WindowConvolution(window, groups: groups), [input, weights, bias])
        }
        var picture = try cast(input, .float32)
        var factors = try cast(weights, .float32)
        let summand = try bias.map { try cast($0, .float32) }
        let shape = try shape(input)
        let weightShape = try self.shape(weights)
        try require(weightShape.count == shape.count, "weights of shape \(weightShape) for \(shape)")
        if sizes.count == 1 {
            picture = try reshape(picture, [shape[0], shape[1], 1, shape[2]])
            factors = try reshape(factors, [weightShape[0], weightShape[1], 1, weightShape[2]])
        }
        let operation = Convolution(geometry, groups: groups, order: .oihw)
        var result = try asPicture(picture) { try add(operation, [$0, factors, summand]) }
        if sizes.count == 1 { result = try reshape(result, [shape[0], weightShape[0]] + window.output) }
        return try cast(result, type)
    }
}
