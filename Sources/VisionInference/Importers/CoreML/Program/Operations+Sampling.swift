/// Operations that sample images, and exchange pixels with batches and channels.
extension ProgramDefinition {
    static let sampling: [String: ProgramDefinition] = [
        "crop_resize": .init { operation in try operation.boxCrops() },
        "resample": .init { operation in try operation.resampled() },
        "affine": .init { operation in
            try operation.require(
                operation.text("padding_mode", "constant") == "constant"
                    && operation.text("sampling_mode", "bilinear") == "bilinear"
                    && operation.text("coordinates_mode", "") == "normalized_minus_one_to_one"
                    && operation.float("padding_value", 0) == 0 && operation.bool("align_corners", true),
                "other modes than those of Core ML")
            return try operation.transformed(
                operation.value(), by: operation.value("transform_matrix"), height: operation.int("output_height", 1),
                width: operation.int("output_width", 1))
        },
        "resize": .init { operation in try operation.resizedByShape() },
        "pixel_unshuffle": .init { operation in
            let value = try operation.value()
            let (shape, block) = (try operation.shape(value), try operation.int("downscale_factor", 1))
            try operation.require(
                shape.count == 4 && (1...1 << 12).contains(block) && shape[2] % block == 0 && shape[3] % block == 0,
                "blocks of \(block) of shape \(shape)")
            let (height, width) = (shape[2] / block, shape[3] / block)
            let parts = try operation.reshape(value, [shape[0], shape[1], height, block, width, block])
            return try operation.reshape(
                operation.transpose(parts, [0, 1, 3, 5, 2, 4]), [shape[0], -1, height, width])
        },
        "space_to_batch": .init { operation in
            let (block, edges) = try operation.blocks("paddings")
            let value = try operation.pad(
                operation.value(), before: [0, 0, edges[0], edges[2]], after: [0, 0, edges[1], edges[3]])
            let shape = try operation.shape(value)
            try operation.require(
                shape.count == 4 && shape[2] % block[0] == 0 && shape[3] % block[1] == 0,
                "blocks of \(block) of shape \(shape)")
            let (height, width) = (shape[2] / block[0], shape[3] / block[1])
            let parts = try operation.reshape(value, [shape[0], shape[1], height, block[0], width, block[1]])
            return try operation.reshape(
                operation.transpose(parts, [3, 5, 0, 1, 2, 4]), [-1, shape[1], height, width])
        },
        "batch_to_space": .init { operation in
            let (block, edges) = try operation.blocks("crops")
            let value = try operation.value()
            let shape = try operation.shape(value)
            try operation.require(
                shape.count == 4 && shape[0] % (block[0] * block[1]) == 0, "blocks of \(block) of shape \(shape)")
            let batch = shape[0] / (block[0] * block[1])
            let parts = try operation.reshape(value, [block[0], block[1], batch, shape[1], shape[2], shape[3]])
            let (height, width) = (shape[2] * block[0], shape[3] * block[1])
            let joined = try operation.reshape(
                operation.transpose(parts, [2, 3, 4, 0, 5, 1]), [batch, shape[1], height, width])
            try operation.require(
                edges[0] + edges[1] < height && edges[2] + edges[3] < width, "a crop by \(edges) of \(shape)")
            return try operation.slice(
                joined, from: [edges[0], edges[2]], to: [height - edges[1], width - edges[3]], axes: [2, 3])
        },
    ]
}

extension ProgramLowering {
    /// The block's height and width, and what is added or cut at the top, the bottom, the left and the right.
    fileprivate func blocks(_ name: String) throws -> (block: [Int], edges: [Int]) {
        let (block, edges) = (try ints("block_shape") ?? [], try ints(name) ?? [])
        try require(
            block.count == 2 && block.allSatisfy { (1...1 << 12).contains($0) } && edges.count == 4
                && edges.allSatisfy { (0...1 << 20).contains($0) }, "blocks of \(block), edges \(edges)")
        return (block, edges)
    }

    /// Until iOS 16 boxes are (N, 1, 4 or 5, 1, 1), later (N, 4) with the image of each beside.
    fileprivate func boxCrops() throws -> Value {
        guard let format = BoxFormat(rawValue: text("box_coordinate_mode", BoxFormat.cornersHeightFirst.rawValue))
        else { throw ModelError.invalid("the coordinates “\(text("box_coordinate_mode", ""))”") }
        let cropping = Cropping(
            height: try int("target_height", 1), width: try int("target_width", 1), grid: try samplingGrid(),
            format: format, isNormalised: try bool("normalized_coordinates"), scale: try float("spatial_scale", 1),
            padding: try float("pad_value", 0))
        let image = try value()
        if let boxes = optional("boxes") {
            let count = try shape(boxes).first ?? 0
            let indices = try optional("box_indices") ?? constant(Array(0..<count))
            return try cropped(image, boxes: boxes, imageIndices: indices, cropping)
        }
        let boxes = try value("roi")
        let shape = try shape(boxes)
        try require(
            shape.count == 5 && shape[1] == 1 && (shape[2] == 4 || shape[2] == 5) && shape[3] == 1 && shape[4] == 1,
            "boxes of shape \(shape)")
        let rows = try reshape(boxes, [shape[0], shape[2]])
        guard shape[2] == 5 else { return try cropped(image, boxes: rows, imageIndices: nil, cropping) }
        let crops = try cropped(
            image, boxes: slice(rows, axis: 1, 1..<5), imageIndices: slice(rows, axis: 1, 0..<1), cropping)
        return try unsqueeze(crops, axes: [1])
    }

    fileprivate func resampled() throws -> Value {
        let (image, positions) = (try value(), try floats(value("coordinates")))
        let (shape, listed) = (try shape(image), try shape(positions))
        try require(
            shape.count == 4 && listed.count == 4 && listed[3] == 2 && listed[0] == shape[0],
            "positions of shape \(listed) in images of shape \(shape)")
        let aligns = try bool("align_corners", true)
        func pixels(_ index: Int, _ size: Int) throws -> Value {
            let position = try slice(positions, at: index, axis: 3)
            // 0…1 across the image.
            let share: Value
            switch text("coordinates_mode", "") {
            case "unnormalized": return position
            case "normalized_minus_one_to_one": share = try affine(position, 0.5, 0.5)
            case "normalized_zero_to_one": share = position
            case let mode: throw ModelError.invalid("the coordinates “\(mode)”")
            }
            return try aligns ? affine(share, Float(size - 1), 0) : affine(share, Float(size), -0.5)
        }
        let border: SampledBorder
        switch text("padding_mode", "constant") {
        case "constant": border = .constant(try float("padding_value", 0))
        case "border": border = .border
        case "reflection": border = .reflection
        case "symmetric": border = .symmetric
        case let mode: throw ModelError.invalid("the padding “\(mode)”")
        }
        let mode = text("sampling_mode", "bilinear")
        try require(["bilinear", "nearest"].contains(mode), "the sampling mode “\(mode)”")
        return try sampled(
            image, x: pixels(0, shape[3]), y: pixels(1, shape[2]), isBilinear: mode == "bilinear", border)
    }

    /// The last axes get the sizes that a shape lists; 0 keeps one.
    fileprivate func resizedByShape() throws -> Value {
        let value = try value()
        let (shape, wanted) = (try shape(value), try ints("shape") ?? [])
        let count = try int("resized_dims", 0)
        guard count <= 2, count >= 1, wanted.count >= count, shape.count >= count else {
            throw ModelError.unsupported("resizing of \(count) axes")
        }
        let sizes = (0..<count).map { axis in
            let size = wanted[wanted.count - count + axis]
            return size == 0 ? shape[shape.count - count + axis] : size
        }
        let (height, width) = (count == 2 ? sizes[0] : shape.count > 1 ? shape[shape.count - 2] : 1, sizes[count - 1])
        // As images of as many axes as are needed.
        let wide = try unsqueeze(value, axes: Array(0..<max(3 - shape.count, 0)))
        let result: Value
        switch text("interpolation_mode", "LINEAR") {
        case "LINEAR": result = try resizedBilinearly(wide, height: height, width: width, samplingGrid())
        case "NEAREST_NEIGHBOR":
            try require((1...1 << 20).contains(height) && (1...1 << 20).contains(width), "a size of \(sizes)")
            result = try asImages(wide) { try resized($0, .nearest(.floor), .asymmetric, height, width) }
        case let mode: throw ModelError.invalid("the interpolation “\(mode)”")
        }
        return try reshape(result, Array(shape.dropLast(count)) + sizes)
    }
}
