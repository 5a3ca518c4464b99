extension ONNXDefinition {
    static let sampling: [String: ONNXDefinition] = [
        "GridSample": ONNXDefinition(.floats, since: 16) { node in
            let modes: [String: GridSample.Mode] = [
                "nearest": .nearest, "linear": .linear, "bilinear": .linear, "cubic": .cubic, "bicubic": .cubic,
            ]
            let paddings: [String: GridSample.Padding] = [
                "zeros": .zeros, "border": .border, "reflection": .reflection,
            ]
            guard let mode = modes[node.string("mode", "linear")],
                let padding = paddings[node.string("padding_mode", "zeros")]
            else { throw node.unsupported("its modes") }
            let operation = GridSample(mode: mode, padding: padding, alignsCorners: node.flag("align_corners"))
            let input = try node.input(0)
            return [try node.add(operation, [input, node.cast(node.input(1), node.type(input))])]
        },
        "AffineGrid": ONNXDefinition(.floats, since: 20, lower: affineGrid),
        "RoiAlign": ONNXDefinition(.floats, since: 10) { node in
            // Operator set 10 had no choice, and was without the half pixel.
            let fallback = node.opset < 16 ? "output_half_pixel" : "half_pixel"
            let operation = RoiAlign(
                height: node.int("output_height", 1), width: node.int("output_width", 1),
                samples: node.int("sampling_ratio", 0), scale: node.float("spatial_scale", 1),
                halfPixel: node.string("coordinate_transformation_mode", fallback) == "half_pixel",
                takesMaximum: node.string("mode", "avg") == "max")
            return [try node.add(operation, [node.input(0), node.input(1), node.input(2)])]
        },
        "Col2Im": ONNXDefinition(.numbers, since: 18) { node in
            guard let image = try node.constantInts(1), let block = try node.constantInts(2) else {
                throw node.invalid("no sizes")
            }
            let operation = ColumnsToImage(window: try node.window(kernel: block, over: image), image: image)
            return [try node.add(operation, [node.input(0)])]
        },
        "MaxUnpool": ONNXDefinition(.numbers, since: 9, lower: maxUnpool),
    ]

    /// Positions of the output's elements, −1…1 along each axis, transformed by an affine matrix for each image.
    @Sendable private static func affineGrid(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let theta = try node.input(0)
        guard let size = try node.constantInts(1), size.count == 4 || size.count == 5, size.allSatisfy({ $0 > 0 })
        else {
            throw node.invalid("a size that is none of a batch of images")
        }
        let sizes = Array(size[2...])
        let rank = sizes.count
        let shape = try node.shape(theta)
        try node.require(shape == [size[0], rank, rank + 1], "matrices of \(shape)")
        _ = try (sizes + [rank + 1]).checkedElementCount(.float64)
        let isAligned = node.flag("align_corners")
        let positions = gridPositions(sizes, isAligned: isAligned)
        let base = node.constant(try Tensor(positions, shape: [positions.count / (rank + 1), rank + 1]))
        let transformed = try node.matMul(
            node.cast(base, node.type(theta)), node.transpose(theta, [0, 2, 1]))
        return [try node.reshape(transformed, [size[0]] + sizes + [rank])]
    }

    /// Where every pixel's centre lies, from −1 to 1 along each axis, the last axis first, and a one after it.
    private static func gridPositions(_ sizes: [Int], isAligned: Bool) -> [Double] {
        var positions: [Double] = []
        forEachIndex(sizes) { index, _ in
            for axis in sizes.indices.reversed() {
                let count = Double(sizes[axis])
                let position = Double(index[axis])
                positions.append(
                    isAligned ? (sizes[axis] == 1 ? 0 : position * 2 / (count - 1) - 1) : (position * 2 + 1) / count - 1
                )
            }
            positions.append(1)
        }
        return positions
    }

    /// Every element at the position where the pooling found it, zeros elsewhere.
    @Sendable private static func maxUnpool(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let input = try node.input(0)
        let shape = try node.shape(input)
        let sizes = try node.spatialSizes(input)
        guard let kernel = node.ints("kernel_shape"), kernel.count == sizes.count else {
            throw node.invalid("no kernel_shape")
        }
        let strides = node.ints("strides") ?? sizes.map { _ in 1 }
        let pads = node.ints("pads") ?? [Int](repeating: 0, count: 2 * sizes.count)
        let limit = 1 << 20
        try node.require(
            strides.count == sizes.count && pads.count == 2 * sizes.count
                && (kernel + strides + pads + sizes).allSatisfy { 0...limit ~= $0 },
            "kernel \(kernel), strides \(strides), pads \(pads)")
        var plain = Array(shape[..<2])
        for axis in sizes.indices {
            plain.append((sizes[axis] - 1) * strides[axis] + kernel[axis] - pads[axis] - pads[axis + sizes.count])
        }
        // Positions count within the output that the pooling's input is taken to have been.
        let count = try plain.checkedElementCount(try node.type(input))
        let zeros = node.constant(try Tensor(zeros: [count], of: node.type(input)))
        let flat = [try node.describe(input).shape.elementCount]
        let spread = try node.add(
            ScatterElements(axis: 0), [zeros, node.reshape(node.input(1), flat), node.reshape(input, flat)])
        let result = try node.reshape(spread, plain)
        guard let wanted = try node.constantInts(2), wanted != plain else { return [result] }
        try node.require(
            wanted.count == plain.count && zip(wanted, plain).allSatisfy { $0 >= $1 && $0 < limit },
            "an output of \(wanted)")
        let after = zip(wanted, plain).map { $0 - $1 }
        return [try node.pad(result, before: plain.map { _ in 0 }, after: after)]
    }
}
