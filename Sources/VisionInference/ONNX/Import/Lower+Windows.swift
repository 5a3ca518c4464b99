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
        "DepthToSpace": ONNXDefinition(.any, lower: depthToSpace),
        "SpaceToDepth": ONNXDefinition(.any, lower: spaceToDepth),
    ]

    // MARK: Convolution

    @Sendable private static func convolution(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let weights = try node.input(1)
        let sizes = try node.spatialSizes(input)
        let kernel = try node.ints("kernel_shape") ?? Array(node.shape(weights).dropFirst(2))
        let window = try node.window(kernel: kernel, over: sizes)
        let groups = node.int("group", 1)
        let type = try node.type(input)
        guard let geometry = window.pictureGeometry, type != .float64 else {
            return [try node.add(WindowConvolution(window, groups: groups), [input, weights, node.optional(2)])]
        }
        var operands = try [input, weights, node.optional(2)].map { try $0.map { try node.cast($0, .float32) } }
        let shape = try node.shape(input)
        let weightShape = try node.shape(weights)
        try node.require(weightShape.count == shape.count, "weights of shape \(weightShape) for \(shape)")
        if sizes.count == 1 {
            operands[0] = try node.reshape(node.cast(input, .float32), [shape[0], shape[1], 1, shape[2]])
            operands[1] = try node.reshape(
                node.cast(weights, .float32), [weightShape[0], weightShape[1], 1, weightShape[2]])
        }
        guard let picture = operands[0] else { throw node.invalid("no input") }
        let operation = Convolution(geometry, groups: groups, order: .oihw)
        var result = try node.asPicture(picture) { try node.add(operation, [$0, operands[1], operands[2]]) }
        if sizes.count == 1 { result = try node.reshape(result, [shape[0], weightShape[0]] + window.output) }
        return [try node.cast(result, type)]
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

    // MARK: Blocks of pixels

    private static func blocks(_ node: ONNXLowering) throws -> (Graph.ValueID, Shape, block: Int) {
        let input = try node.input(0)
        let shape = try node.shape(input)
        let block = node.int("blocksize", 0)
        try node.require(shape.count == 4 && 1...1 << 12 ~= block, "blocks of \(block) in \(shape)")
        return (input, shape, block)
    }

    @Sendable private static func depthToSpace(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let (input, shape, block) = try blocks(node)
        try node.require(shape[1] % (block * block) == 0, "\(shape[1]) channels for blocks of \(block)")
        let depth = shape[1] / (block * block)
        let isColumnFirst = node.string("mode", "DCR") == "CRD"
        let split =
            isColumnFirst
            ? try node.reshape(input, [shape[0], depth, block, block, shape[2], shape[3]])
            : try node.reshape(input, [shape[0], block, block, depth, shape[2], shape[3]])
        let moved = try node.transpose(split, isColumnFirst ? [0, 1, 4, 2, 5, 3] : [0, 3, 4, 1, 5, 2])
        return [try node.reshape(moved, [shape[0], depth, shape[2] * block, shape[3] * block])]
    }

    @Sendable private static func spaceToDepth(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let (input, shape, block) = try blocks(node)
        try node.require(shape[2] % block == 0 && shape[3] % block == 0, "blocks of \(block) in \(shape)")
        let (height, width) = (shape[2] / block, shape[3] / block)
        let split = try node.reshape(input, [shape[0], shape[1], height, block, width, block])
        let moved = try node.transpose(split, [0, 3, 5, 1, 2, 4])
        return [try node.reshape(moved, [shape[0], shape[1] * block * block, height, width])]
    }
}
