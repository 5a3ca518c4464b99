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
            case 1: return [try node.reduce(.l1, input, axes: axes)]
            case 2: return [try node.reduce(.l2, input, axes: axes)]
            default: throw node.unsupported("p = \(node.int("p", 2))")
            }
        },
        "DepthToSpace": ONNXDefinition(.any) { node in
            let mode: DepthToSpace.Mode = node.string("mode") == "CRD" ? .columnRowDepth : .depthColumnRow
            let operation = DepthToSpace(block: node.int("blocksize", 0), mode: mode, channelsFirst: true)
            return [try node.add(operation, [node.input(0)])]
        },
        "SpaceToDepth": .direct(.any) { node in SpaceToDepth(block: node.int("blocksize", 0), channelsFirst: true) },
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
        try node.require(
            groups >= 1 && !weightShape[1].multipliedReportingOverflow(by: groups).overflow, "\(groups) groups")
        return [
            try node.transposedConvolution(
                input, weights, node.optional(2), window, groups: groups, result: result)
        ]
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

    private static func pool(
        _ node: ONNXLowering, _ image: Pool.Kind?, _ kind: WindowPool.Kind, outputs: Int = 1
    ) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        guard let kernel = node.ints("kernel_shape") else { throw node.invalid("no kernel_shape") }
        let window = try node.window(
            kernel: kernel, over: node.spatialSizes(input), roundsUp: node.flag("ceil_mode"))
        return try node.pool(input, image, kind, window, outputs: outputs)
    }

    private static func global(_ kind: Reduce.Kind) -> ONNXDefinition {
        ONNXDefinition(.floats) { node in
            let input = try node.input(0)
            let axes = Array(2..<max(try node.rank(input), 2))
            if axes.isEmpty { return [input] }
            return [try node.reduce(kind, input, axes: axes)]
        }
    }
}

extension ONNXLowering {
    /// The convolution that the node's attributes describe.
    func convolved(_ input: Value, _ weights: Value, _ bias: Value?) throws -> Value {
        let kernel = try ints("kernel_shape") ?? Array(shape(weights).dropFirst(2))
        let window = try window(kernel: kernel, over: spatialSizes(input))
        return try convolution(input, weights, bias, window, groups: int("group", 1))
    }

    /// The window that a node's attributes describe, over an input with these spatial sizes.
    func window(kernel: [Int], over sizes: [Int], roundsUp: Bool = false) throws -> SpatialWindow {
        let none = [Int](repeating: 0, count: 2 * sizes.count)
        let padding: SpatialWindow.Padding
        switch string("auto_pad", "NOTSET") {
        case "SAME_UPPER": padding = .sameUpper
        case "SAME_LOWER": padding = .sameLower
        case "VALID": padding = .explicit(none)
        case "NOTSET": padding = .explicit(ints("pads") ?? none)
        case let mode: throw invalid("auto_pad “\(mode)”")
        }
        let ones = sizes.map { _ in 1 }
        return try SpatialWindow(
            kernel: kernel, strides: ints("strides") ?? ones, dilations: ints("dilations") ?? ones, padding: padding,
            over: sizes, roundsUp: roundsUp)
    }

    /// The spatial sizes of (N, C, axis, …).
    func spatialSizes(_ value: Value) throws -> [Int] {
        let shape = try shape(value)
        try require(shape.count >= 3, "a window over \(shape)")
        return Array(shape[2...])
    }
}
