extension ChannelsFirst: MILOperator {
    func write(_ node: MILNode) throws {
        switch operation {
        case let operation as Convolution: try operation.write(node, channelsLast(node.inputs))
        case let operation as TransposedConvolution: try operation.write(node)
        case let operation as Pool: try operation.write(node, channelsLast(node.inputs))
        case let operation as ResizeImage: try operation.writeImage(node)
        case var operation as DepthToSpace:
            operation.channelsFirst = true
            try operation.write(node)
        case var operation as SpaceToDepth:
            operation.channelsFirst = true
            try operation.write(node)
        default: throw ModelError.unsupported("it cannot be written as operations of an ML program")
        }
    }
}

extension WindowGeometry.Resolved {
    /// Padding as programs have it: before and after each axis.
    ///
    /// - Throws: `ModelError` where rows are cut off.
    fileprivate func programPadding() throws -> [Int] {
        let padding = [padTop, padBottom, padLeft, padRight]
        guard padding.allSatisfy({ $0 >= 0 }) else { throw ModelError.unsupported("its padding is negative") }
        return padding
    }
}

extension Convolution {
    /// Weights O, I, H, W.
    private var weightPermutation: [Int] {
        switch order {
        case .oihw: [0, 1, 2, 3]
        case .ohwi: [0, 3, 1, 2]
        case .ihwo: [3, 0, 1, 2]
        }
    }

    /// - Parameter inputs: with channels last.
    fileprivate func write(_ node: MILNode, _ inputs: [TensorDescription?]) throws {
        guard residual == .none, !node.has(4), let image = inputs[0]?.shape else {
            throw ModelError.unsupported("it has been joined with other operators")
        }
        let size = try geometry.resolved(height: image[1], width: image[2])
        let weights =
            try inputs[1]?.constant.map {
                try node.constant(node.permuted($0, weightPermutation), "weight")
            } ?? node.transpose(node.input(1), weightPermutation)
        var arguments: [(String, MILNode.Argument)] = [
            ("x", .value(try node.input(0))), ("weight", .value(weights)),
            ("strides", .ints([geometry.strideY, geometry.strideX])), ("pad_type", .text("custom")),
            ("pad", .ints(try size.programPadding())),
            ("dilations", .ints([geometry.dilationY, geometry.dilationX])), ("groups", .int(groups)),
        ]
        let bias = try node.bias(2, inputs, &arguments)
        let type = MILType(node.program.float, node.outputShape)
        let result = try node.add("conv", arguments, [type])[0]
        node.finish(try node.activation(activation, of: node.adding(bias, to: result)))
    }
}

extension MILNode {
    /// Adds the bias of a convolution to its parameters if it is constant, else returns it.
    func bias(
        _ index: Int, _ inputs: [TensorDescription?], _ arguments: inout [(String, Argument)]
    ) throws -> MILReference? {
        guard has(index) else { return nil }
        let value = try input(index)
        if inputs[index]?.constant == nil { return value }
        arguments.append(("bias", .value(value)))
        return nil
    }

    /// A value (N, C, axis, …) and a number for each channel.
    func adding(_ bias: MILReference?, to value: MILReference) throws -> MILReference {
        guard let bias else { return value }
        let shape = [1, bias.shape.elementCount] + Shape(repeating: 1, count: value.shape.count - 2)
        return try binary("add", value, reshape(bias, shape))
    }

    /// A transposed convolution of (N, C, axis, …), whose weights are (C, M / groups, axis, …).
    ///
    /// - Parameters:
    ///   - before: elements that are cut off the full result at the beginning of each axis; below zero, none are and
    ///     there are more.
    ///   - result: the sizes of the result.
    func transposedConvolution(
        weights: Tensor, kernel: [Int], strides: [Int], dilations: [Int], groups: Int, before: [Int], result: [Int]
    ) throws -> MILReference {
        var image = try input(0)
        let sizes = Array(image.shape.dropFirst(2))
        var (first, last) = (before, before)
        var (added, isWider) = ([Int](repeating: 0, count: 2 * sizes.count), false)
        for axis in sizes.indices {
            let full = (sizes[axis] - 1) * strides[axis] + (kernel[axis] - 1) * dilations[axis] + 1
            last[axis] = full - before[axis] - result[axis]
            // Zeros around the image make the full result larger, so that padding only cuts off.
            let more = [first[axis], last[axis]].map { max(0, (strides[axis] - 1 - $0) / strides[axis]) }
            (added[2 * axis], added[2 * axis + 1]) = (more[0], more[1])
            isWider = isWider || more != [0, 0]
            first[axis] += more[0] * strides[axis]
            last[axis] += more[1] * strides[axis]
        }
        if isWider {
            var shape = image.shape
            for axis in sizes.indices { shape[axis + 2] += added[2 * axis] + added[2 * axis + 1] }
            image = try add(
                "pad",
                [
                    "x": .value(image), "pad": .ints([0, 0, 0, 0] + added), "mode": .text("constant"),
                    "constant_val": .float(0),
                ], shape)
        }
        var arguments: [(String, Argument)] = [
            ("x", .value(image)), ("weight", .value(try constant(weights, "weight"))), ("strides", .ints(strides)),
            ("pad_type", .text("custom")), ("pad", .ints(zip(first, last).flatMap { [$0, $1] })),
            ("dilations", .ints(dilations)), ("groups", .int(groups)),
        ]
        let bias = try bias(2, inputs, &arguments)
        let type = MILType(program.float, outputShape)
        return try adding(bias, to: add("conv_transpose", arguments, [type])[0])
    }
}

extension TransposedConvolution {
    fileprivate func write(_ node: MILNode) throws {
        var weights = try node.tensor(1, "weights")
        if order == .ohwi { weights = try node.permuted(weights, [3, 0, 1, 2]) }
        let result = try node.transposedConvolution(
            weights: weights, kernel: [kernelHeight, kernelWidth], strides: [strideY, strideX],
            dilations: [dilationY, dilationX], groups: groups, before: [cropTop, cropLeft],
            result: [outputHeight, outputWidth])
        node.finish(try node.activation(activation, of: result))
    }
}

extension Pool {
    fileprivate func write(_ node: MILNode, _ inputs: [TensorDescription?]) throws {
        guard let image = inputs[0]?.shape else { throw ModelError.invalid("pooling of nothing") }
        let size = try geometry.resolved(height: image[1], width: image[2])
        let window = SpatialWindow(
            kernel: [geometry.kernelHeight, geometry.kernelWidth], strides: [geometry.strideY, geometry.strideX],
            dilations: [geometry.dilationY, geometry.dilationX], before: [size.padTop, size.padLeft],
            after: [size.padBottom, size.padRight], output: [size.outputHeight, size.outputWidth])
        let kind: WindowPool.Kind =
            switch kind {
            case .maximum: .maximum(columnMajor: false)
            case .average(let countsPadding): .average(countsPadding: countsPadding)
            }
        node.finish(try node.pooled(kind, window))
    }
}

extension MILNode {
    /// Pooling of (N, C, axis, …).
    func pooled(_ kind: WindowPool.Kind, _ window: SpatialWindow) throws -> MILReference {
        let image = try input(0)
        guard window.dilations.allSatisfy({ $0 == 1 }) else {
            throw ModelError.unsupported("its window has gaps (dilations \(window.dilations))")
        }
        let sizes = Array(image.shape.dropFirst(2))
        // As much padding at the end as the windows reach, so that sizes are those of a division rounded down.
        var padding: [Int] = []
        for axis in sizes.indices {
            let reached =
                (window.output[axis] - 1) * window.strides[axis] + window.kernel[axis] - sizes[axis]
                - window.before[axis]
            if case .average(countsPadding: true) = kind, reached > window.after[axis] {
                throw ModelError.unsupported("its last windows reach beyond the padding, which counts")
            }
            padding += [window.before[axis], max(reached, 0)]
        }
        guard padding.allSatisfy({ $0 >= 0 }) else { throw ModelError.unsupported("its padding is negative") }
        var arguments: [(String, Argument)] = [
            ("x", .value(image)), ("kernel_sizes", .ints(window.kernel)), ("strides", .ints(window.strides)),
            ("pad_type", .text("custom")), ("pad", .ints(padding)), ("ceil_mode", .bool(false)),
        ]
        let type: String
        switch kind {
        case .maximum: type = "max_pool"
        case .average(let countsPadding):
            type = "avg_pool"
            arguments.append(("exclude_padding_from_average", .bool(!countsPadding)))
        case .norm(2): type = "l2_pool"
        case .norm(let power): throw ModelError.unsupported("ML programs have no pooling by the power of \(power)")
        }
        return try add(type, arguments, [MILType(image.element, outputShape)])[0]
    }
}

extension WindowPool: MILOperator {
    func write(_ node: MILNode) throws {
        try node.refuseOutputs(from: 1)
        node.finish(try node.pooled(kind, window))
    }
}

extension WindowConvolution: MILOperator {
    func write(_ node: MILNode) throws {
        let padding = zip(window.before, window.after).flatMap { [$0, $1] }
        guard padding.allSatisfy({ $0 >= 0 }) else { throw ModelError.unsupported("its padding is negative") }
        var arguments: [(String, MILNode.Argument)] = [
            ("x", .value(try node.input(0))), ("weight", .value(try node.input(1))),
            ("strides", .ints(window.strides)), ("pad_type", .text("custom")), ("pad", .ints(padding)),
            ("dilations", .ints(window.dilations)), ("groups", .int(groups)),
        ]
        let bias = try node.bias(2, node.inputs, &arguments)
        let result = try node.add("conv", arguments, [MILType(node.program.float, node.outputShape)])[0]
        node.finish(try node.adding(bias, to: result))
    }
}

extension WindowTransposedConvolution: MILOperator {
    func write(_ node: MILNode) throws {
        node.finish(
            try node.transposedConvolution(
                weights: node.tensor(1, "weights"), kernel: window.kernel, strides: window.strides,
                dilations: window.dilations, groups: groups, before: window.before, result: result))
    }
}
