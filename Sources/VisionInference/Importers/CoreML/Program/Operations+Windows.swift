extension ProgramDefinition {
    static let windows: [String: ProgramDefinition] = [
        "conv": .init { operation in try operation.convolution() },
        "conv_transpose": .init { operation in try operation.transposedConvolution() },
        "max_pool": .init { operation in try operation.pooled(.maximum, .maximum(columnMajor: false)) },
        "avg_pool": .init { operation in
            let counts = try !operation.bool("exclude_padding_from_average")
            return try operation.pooled(.average(countsPadding: counts), .average(countsPadding: counts))
        },
        "l2_pool": .init { operation in try operation.pooled(nil, .norm(2)) },
        "batch_norm": .init { operation in
            let value = try operation.value()
            let channels = try operation.shape(operation.value("mean"))
            func vector(_ name: String, _ fallback: Float) throws -> Graph.ValueID {
                if let given = operation.optional(name) { return given }
                let count = channels.first ?? 0
                return operation.constant(try Tensor([Float](repeating: fallback, count: count)))
            }
            return try operation.add(
                BatchNormalization(axis: 1, epsilon: operation.float("epsilon", 1e-5)),
                [value, vector("gamma", 1), vector("beta", 0), operation.value("mean"), operation.value("variance")])
        },
        "instance_norm": .init { operation in
            let value = try operation.value()
            let rank = try operation.rank(value)
            try operation.require(rank >= 3, "an input with \(rank) axes")
            return try operation.normalised(
                value, axes: Array(2..<rank), epsilon: operation.float("epsilon", 1e-5),
                gamma: operation.optional("gamma").map { _ in try operation.byChannel("gamma") },
                beta: operation.optional("beta").map { _ in try operation.byChannel("beta") })
        },
        "layer_norm": .init { operation in try operation.layerNormalised() },
        "l2_norm": .init { operation in
            let value = try operation.value()
            let rank = try operation.rank(value)
            try operation.require(rank >= 3, "an input with \(rank) axes")
            return try operation.l2Normalised(
                value, axes: [rank - 3, rank - 2, rank - 1], epsilon: operation.float("epsilon", 1e-6))
        },
        "local_response_norm": .init { operation in
            let lrn = LRN(
                axis: 1, size: try operation.int("size", 1), alpha: try operation.float("alpha", 1e-4),
                beta: try operation.float("beta", 0.75), bias: try operation.float("k", 1))
            return try operation.add(lrn, [operation.value()])
        },
        "upsample_nearest_neighbor": .init { operation in
            try operation.scaled { image, height, width in
                try operation.resized(image, .nearest(.floor), .asymmetric, height, width)
            }
        },
        "upsample_bilinear": .init { operation in
            let aligns = try operation.bool("align_corners", true)
            let hasCentres = try operation.bool("half_pixel_centers", !aligns)
            let grid: CoreMLBuilder.SamplingGrid = aligns ? .strictEndpoints : hasCentres ? .halfPixel : .asymmetric
            return try operation.scaled { image, height, width in
                try operation.resizedBilinearly(image, height: height, width: width, grid)
            }
        },
        "resize_nearest_neighbor": .init { operation in
            let (height, width) = try operation.targetSize()
            return try operation.asImages(operation.value()) { image in
                try operation.resized(image, .nearest(.floor), .asymmetric, height, width)
            }
        },
        "resize_bilinear": .init { operation in
            let (height, width) = try operation.targetSize()
            return try operation.resizedBilinearly(
                operation.value(), height: height, width: width, operation.samplingGrid())
        },
        "crop": .init { operation in
            let value = try operation.value()
            let shape = try operation.shape(value)
            let (rows, columns) = (try operation.ints("crop_height") ?? [], try operation.ints("crop_width") ?? [])
            try operation.require(
                shape.count >= 3 && rows.count == 2 && columns.count == 2
                    && (rows + columns).allSatisfy { (0...1 << 24).contains($0) }, "a crop of \(rows) and \(columns)")
            let axes = [shape.count - 2, shape.count - 1]
            let ends = [shape[axes[0]] - rows[1], shape[axes[1]] - columns[1]]
            try operation.require(ends[0] > rows[0] && ends[1] > columns[0], "a crop of \(rows) and \(columns)")
            return try operation.slice(value, from: [rows[0], columns[0]], to: ends, axes: axes)
        },
    ]
}

extension ProgramLowering {
    // MARK: Windows

    private func padding(_ rank: Int) throws -> SpatialWindow.Padding {
        switch text("pad_type", "valid") {
        case "valid": return .explicit([Int](repeating: 0, count: 2 * rank))
        case "same": return .sameUpper
        case "same_lower": return .sameLower
        case "custom":
            // Before and after each axis in turn.
            let pads = try ints("pad") ?? [Int](repeating: 0, count: 2 * rank)
            try require(pads.count == 2 * rank, "padding of \(pads.count) numbers for \(rank) axes")
            return .explicit((0..<rank).map { pads[2 * $0] } + (0..<rank).map { pads[2 * $0 + 1] })
        case let type: throw ModelError.invalid("the padding “\(type)”")
        }
    }

    fileprivate func convolution() throws -> Value {
        let (input, weights) = (try value(), try value("weight"))
        let kernel = Array(try shape(weights).dropFirst(2))
        let ones = kernel.map { _ in 1 }
        let window = try SpatialWindow(
            kernel: kernel, strides: ints("strides") ?? ones, dilations: ints("dilations") ?? ones,
            padding: padding(kernel.count), over: spatialSizes(input))
        return try convolution(floats(input), floats(weights), optional("bias"), window, groups: int("groups", 1))
    }

    fileprivate func transposedConvolution() throws -> Value {
        let (input, weights) = (try value(), try value("weight"))
        let (sizes, kernel) = (try spatialSizes(input), Array(try shape(weights).dropFirst(2)))
        let ones = kernel.map { _ in 1 }
        let (strides, dilations) = (try ints("strides") ?? ones, try ints("dilations") ?? ones)
        try require(
            [strides.count, dilations.count, sizes.count].allSatisfy { $0 == kernel.count },
            "strides \(strides) and dilations \(dilations) of a kernel \(kernel)")
        let stated = try ints("output_shape").map { Array($0.suffix(kernel.count)) }
        try require(stated.map { $0.count == kernel.count } ?? true, "an output shape of other axes")
        let padding = try padding(kernel.count)
        let axes = try kernel.indices.map { axis in
            let full = try fullSize(sizes[axis], kernel: kernel[axis], stride: strides[axis], dilation: dilations[axis])
            switch padding {
            case .explicit(let edges):
                // What a stated size has more than the padding leaves is at the end.
                return TransposedPadding(
                    full: full, before: edges[axis], after: edges[axis + kernel.count], size: stated?[axis])
            case .sameUpper:
                return TransposedPadding(
                    full: full, size: stated?[axis] ?? sizes[axis] * strides[axis], isTopHeavy: false)
            case .sameLower:
                return TransposedPadding(
                    full: full, size: stated?[axis] ?? sizes[axis] * strides[axis], isTopHeavy: true)
            }
        }
        return try transposedConvolution(
            floats(input), floats(weights), optional("bias"), strides: strides, dilations: dilations,
            groups: int("groups", 1), axes: axes)
    }

    fileprivate func pooled(_ image: Pool.Kind?, _ kind: WindowPool.Kind) throws -> Value {
        let input = try value()
        let kernel = try ints("kernel_sizes") ?? []
        let ones = kernel.map { _ in 1 }
        let window = try SpatialWindow(
            kernel: kernel, strides: ints("strides") ?? ones, dilations: ones, padding: padding(kernel.count),
            over: spatialSizes(input), roundsUp: bool("ceil_mode"))
        return try pool(floats(input), image, kind, window)[0]
    }

    // MARK: Sizes

    func samplingGrid() throws -> SamplingGrid {
        let grids: [String: SamplingGrid] = [
            "DEFAULT": .asymmetric, "STRICT_ALIGN_CORNERS": .strictEndpoints, "ALIGN_CORNERS": .endpoints,
            "OFFSET_CORNERS": .cells, "UNALIGN_CORNERS": .halfPixel,
        ]
        let mode = text("sampling_mode", "DEFAULT")
        guard let grid = grids[mode] else { throw ModelError.invalid("the sampling mode “\(mode)”") }
        return grid
    }

    fileprivate func targetSize() throws -> (height: Int, width: Int) {
        let size = (try int("target_size_height", 1), try int("target_size_width", 1))
        try require((1...1 << 20).contains(size.0) && (1...1 << 20).contains(size.1), "a size of \(size)")
        return size
    }

    fileprivate func scaled(_ body: (Value, Int, Int) throws -> Value) throws -> Value {
        let factors = try ["scale_factor_height", "scale_factor_width"].map { try numbers($0)?.first ?? 1 }
        return try asImages(value()) { image in
            let sizes = try spatialSizes(image)
            return try body(image, scaledSize(sizes[0], factors[0]), scaledSize(sizes[1], factors[1]))
        }
    }

    fileprivate func layerNormalised() throws -> Value {
        let input = try floats(value())
        let rank = try rank(input)
        let axes = try self.axes("axes", of: input)?.sorted() ?? Array(0..<rank)
        let epsilon = try float("epsilon", 1e-5)
        let (gamma, beta) = (optional("gamma"), optional("beta"))
        let shape = try shape(input)
        if let first = axes.first, axes == Array(first..<rank) {
            let normalised = Array(shape[first...])
            let scale =
                try gamma
                ?? constant(
                    Tensor([Float](repeating: 1, count: normalised.checkedElementCount(.float32)), shape: normalised))
            return try add(
                LayerNormalization(axis: first, epsilon: epsilon), [input, scale] + (beta.map { [$0] } ?? []))
        }
        // Factors have the axes that are normalised.
        func spread(_ factor: Value?) throws -> Value? {
            try factor.map { try unsqueeze($0, axes: (0..<rank).filter { !axes.contains($0) }) }
        }
        return try normalised(input, axes: axes, epsilon: epsilon, gamma: spread(gamma), beta: spread(beta))
    }
}
