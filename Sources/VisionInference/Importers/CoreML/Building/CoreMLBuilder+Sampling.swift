extension CoreMLBuilder {
    /// How the four numbers of a box are meant.
    enum BoxFormat: String {
        case cornersHeightFirst = "CORNERS_HEIGHT_FIRST"
        case cornersWidthFirst = "CORNERS_WIDTH_FIRST"
        case centreHeightFirst = "CENTER_SIZE_HEIGHT_FIRST"
        case centreWidthFirst = "CENTER_SIZE_WIDTH_FIRST"

        /// In the order of the specification's `BoxCoordinatesMode`.
        static let numbered: [BoxFormat] = [
            .cornersHeightFirst, .cornersWidthFirst, .centreHeightFirst, .centreWidthFirst,
        ]
    }

    /// How boxes are cut out of images and resized.
    struct Cropping {
        var height: Int
        var width: Int
        var grid: SamplingGrid
        var format: BoxFormat
        /// Coordinates are 0…1, not 0…size − 1.
        var isNormalised: Bool
        var scale: Float
        /// What is outside of the image; nil: its nearest pixel.
        var padding: Float?
    }

    /// Boxes (N, 4) of images (B, C, H, W), resized: (N, B, C, height, width), or with the image of each box (N) given
    /// (N, C, height, width).
    func cropped(_ images: Value, boxes: Value, imageIndices: Value?, _ cropping: Cropping) throws -> Value {
        let (shape, boxShape) = (try shape(images), try shape(boxes))
        try require(
            shape.count == 4 && !shape.contains(0) && boxShape.count == 2 && boxShape[1] == 4 && boxShape[0] > 0,
            "boxes of shape \(boxShape) of images of shape \(shape)")
        try require(
            (1...1 << 14).contains(cropping.height) && (1...1 << 14).contains(cropping.width),
            "a size of \(cropping.width) × \(cropping.height)")
        let (rows, columns) = try edges(of: floats(boxes), cropping, height: shape[2], width: shape[3])
        let y = try positions(rows.start, rows.end, count: cropping.height, cropping.grid)
        let x = try positions(columns.start, columns.end, count: cropping.width, cropping.grid)
        let count = boxShape[0]
        let grid = try grid(
            x: expand(unsqueeze(x, axes: [1]), to: [count, cropping.height, cropping.width]),
            y: expand(unsqueeze(y, axes: [2]), to: [count, cropping.height, cropping.width]),
            width: shape[3], height: shape[2])
        // All boxes as the rows of one sampling of one image with the channels of all.
        let channels = try [shape[0], shape[1]].checkedElementCount(.float32)
        let sampled = try add(
            GridSample(padding: .border),
            [
                reshape(floats(images), [1, channels, shape[2], shape[3]]),
                reshape(grid, [1, count * cropping.height, cropping.width, 2]),
            ])
        let parts = try reshape(sampled, [shape[0], shape[1], count, cropping.height, cropping.width])
        var result = try transpose(parts, [2, 0, 1, 3, 4])
        if let padding = cropping.padding {
            let isInside = try binary(
                .and, reshape(inside(y, shape[2]), [count, 1, 1, cropping.height, 1]),
                reshape(inside(x, shape[3]), [count, 1, 1, 1, cropping.width]))
            result = try add(Where(), [isInside, result, scalar(Double(padding), .float32)])
        }
        guard let imageIndices else { return result }
        let indices = try reshape(self.indices(imageIndices), [count, 1])
        return try add(GatherND(batchDimensions: 1), [result, indices])
    }

    /// The first and last row, and the first and last column, of every box: (N, 1) each.
    private func edges(
        of boxes: Value, _ cropping: Cropping, height: Int, width: Int
    ) throws -> (rows: (start: Value, end: Value), columns: (start: Value, end: Value)) {
        var numbers = try (0..<4).map { try slice(boxes, axis: 1, $0..<$0 + 1) }
        if cropping.format == .cornersWidthFirst || cropping.format == .centreWidthFirst {
            numbers = [numbers[1], numbers[0], numbers[3], numbers[2]]
        }
        if cropping.format == .centreHeightFirst || cropping.format == .centreWidthFirst {
            let halves = try [numbers[2], numbers[3]].map { try affine($0, 0.5, 0) }
            numbers = try [
                binary(.sub, numbers[0], halves[0]), binary(.sub, numbers[1], halves[1]),
                binary(.add, numbers[0], halves[0]), binary(.add, numbers[1], halves[1]),
            ]
        }
        let rowScale = cropping.scale * (cropping.isNormalised ? Float(height - 1) : 1)
        let columnScale = cropping.scale * (cropping.isNormalised ? Float(width - 1) : 1)
        return (
            (try affine(numbers[0], rowScale, 0), try affine(numbers[2], rowScale, 0)),
            (try affine(numbers[1], columnScale, 0), try affine(numbers[3], columnScale, 0))
        )
    }

    /// Where the points between two positions (N, 1) lie: (N, count).
    private func positions(_ start: Value, _ end: Value, count: Int, _ grid: SamplingGrid) throws -> Value {
        func fractions(_ fraction: (Float) -> Float) throws -> Value {
            constant(try Tensor((0..<count).map { fraction(Float($0)) }, shape: [1, count]))
        }
        let length = try binary(.sub, end, start)
        let steps = Float(count)
        switch grid {
        case .strictEndpoints, .endpoints:
            let single: Float = grid == .endpoints ? 0.5 : 0
            let shares = try fractions { count == 1 ? single : $0 / (steps - 1) }
            return try binary(.add, start, binary(.mul, length, shares))
        case .asymmetric:
            let offsets = try binary(.mul, affine(length, 1, 1), fractions { $0 / steps })
            return try binary(.min, binary(.add, start, offsets), end)
        case .halfPixel:
            let offsets = try binary(.mul, affine(length, 1, 1), fractions { ($0 + 0.5) / steps })
            return try binary(.max, binary(.min, binary(.add, start, affine(offsets, 1, -0.5)), end), start)
        case .cells:
            let wide = try binary(.max, length, scalar(1, .float32))
            return try binary(.min, binary(.add, start, binary(.mul, wide, fractions { ($0 + 0.5) / steps })), end)
        }
    }

    private func inside(_ positions: Value, _ size: Int) throws -> Value {
        try binary(
            .and, binary(.greaterOrEqual, positions, scalar(0, .float32)),
            binary(.lessOrEqual, positions, scalar(Double(size - 1), .float32)))
    }

    // MARK: Sampling at positions

    /// Positions in pixels as `GridSample` takes them, −1 and 1 being the image's outer edges: (…, 2).
    private func grid(x: Value, y: Value, width: Int, height: Int) throws -> Value {
        try stack(
            [
                affine(x, 2 / Float(width), 1 / Float(width) - 1), affine(y, 2 / Float(height), 1 / Float(height) - 1),
            ], axis: rank(x))
    }

    /// What is outside of an image that is sampled.
    enum SampledBorder {
        case constant(Float), border
        /// Reflected without the outermost pixels, or with them.
        case reflection, symmetric
    }

    /// Images (N, C, H, W) at positions in pixels, each (N, H′, W′).
    func sampled(_ image: Value, x: Value, y: Value, isBilinear: Bool, _ border: SampledBorder) throws -> Value {
        let shape = try shape(image)
        try require(shape.count == 4 && !shape.contains(0), "an image of shape \(shape)")
        let (height, width) = (shape[2], shape[3])
        var operation = GridSample(mode: isBilinear ? .linear : .nearest)
        var positions = try grid(x: x, y: y, width: width, height: height)
        switch border {
        case .constant(let value):
            guard value != 0 else { break }
            // What is outside counts as zero, to which the value is added.
            let lower = try affine(floats(image), 1, -value)
            return try affine(add(operation, [lower, positions]), 1, value)
        case .border: operation.padding = .border
        case .symmetric: operation.padding = .reflection
        case .reflection:
            operation.padding = .reflection
            operation.alignsCorners = true
            positions = try stack(
                [affine(x, 2 / Float(max(width - 1, 1)), -1), affine(y, 2 / Float(max(height - 1, 1)), -1)],
                axis: rank(x))
        }
        return try add(operation, [floats(image), positions])
    }

    /// Images (N, C, H, W) through affine maps (N or 1, 6) from the result's positions to theirs, −1 and 1 being the
    /// centres of the outermost pixels.
    func transformed(_ image: Value, by matrices: Value, height: Int, width: Int) throws -> Value {
        let (shape, matrixShape) = (try shape(image), try shape(matrices))
        try require(
            shape.count == 4 && matrixShape.count == 2 && matrixShape[1] == 6
                && (matrixShape[0] == shape[0] || matrixShape[0] == 1),
            "matrices of shape \(matrixShape) for images of shape \(shape)")
        try require(
            (1...1 << 14).contains(height) && (1...1 << 14).contains(width) && height * width <= 1 << 24,
            "a size of \(width) × \(height)")
        func position(_ index: Int, _ count: Int) -> Float { count == 1 ? 0 : Float(index) * 2 / Float(count - 1) - 1 }
        var numbers: [Float] = []
        numbers.reserveCapacity(3 * height * width)
        for row in 0..<height {
            for column in 0..<width { numbers += [position(column, width), position(row, height), 1] }
        }
        let base = constant(try Tensor(numbers, shape: [height * width, 3]))
        let maps = try transpose(reshape(floats(matrices), [matrixShape[0], 2, 3]), [0, 2, 1])
        let positions = try reshape(matMul(base, maps), [matrixShape[0], height, width, 2])
        return try add(
            GridSample(alignsCorners: true), [floats(image), expand(positions, to: [shape[0], height, width, 2])])
    }
}
