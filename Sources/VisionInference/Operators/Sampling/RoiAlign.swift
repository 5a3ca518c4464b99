/// Regions of pictures (N, C, H, W), each brought to the same size: inputs 1 and 2 are their corners (x, y, x, y) and
/// which picture they belong to. Each element of the result is the mean (or the largest) of samples between pixels.
package struct RoiAlign: FloatOperator {
    package enum Mode: Hashable, Sendable { case average, max }

    package var mode: Mode
    package var height: Int
    package var width: Int
    /// Samples along each axis; 0: as many as a result has pixels.
    package var samplingRatio: Int
    package var spatialScale: Float
    /// Corners are moved by half a pixel, and regions may be smaller than one.
    package var isHalfPixel: Bool

    package init(
        mode: Mode = .average, height: Int = 1, width: Int = 1, samplingRatio: Int = 0, spatialScale: Float = 1,
        isHalfPixel: Bool = true
    ) {
        self.mode = mode
        self.height = height
        self.width = width
        self.samplingRatio = samplingRatio
        self.spatialScale = spatialScale
        self.isHalfPixel = isHalfPixel
    }

    package var name: String { "RoiAlign" }
    private static let sampleLimit = 1 << 10

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let (input, regions) = (try requiredFloat(inputs, 0), try required(inputs, 1))
        let pictures = try requiredIndices(inputs, 2)
        try check(
            input.shape.count == 4 && regions.type == input.type && regions.shape.count == 2 && regions.shape[1] == 4
                && pictures.shape == [regions.shape[0]],
            "regions of shape \(regions.shape), pictures of shape \(pictures.shape) for \(input.shape)")
        try check(
            (1...1 << 15).contains(height) && (1...1 << 15).contains(width)
                && (0...Self.sampleLimit).contains(samplingRatio),
            "\(height) × \(width) results of \(samplingRatio) samples")
        let shape = [regions.shape[0], input.shape[1], height, width]
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        32 * (outputs.first?.shape.elementCount ?? 0)
    }

    /// Pixels around a place and their weights.
    private struct Sample {
        var offsets = (0, 0, 0, 0)
        var weights = (0.0, 0.0, 0.0, 0.0)

        init(_ y: Double, _ x: Double, _ height: Int, _ width: Int) {
            // More than a pixel outside there is nothing; so is it where a coordinate is NaN.
            guard y >= -1, y <= Double(height), x >= -1, x <= Double(width), height > 0, width > 0 else { return }
            func axis(_ place: Double, _ size: Int) -> (Int, Int, Double) {
                let inside = max(place, 0)
                let low = Int(inside)
                if low >= size - 1 { return (size - 1, size - 1, 0) }
                return (low, low + 1, inside - Double(low))
            }
            let (top, bottom, down) = axis(y, height)
            let (left, right, across) = axis(x, width)
            offsets = (top * width + left, top * width + right, bottom * width + left, bottom * width + right)
            weights = ((1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across)
        }
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let (regions, pictures) = (try required(inputs, 1).pointer(T.self), try required(inputs, 2))
        let (channels, rows, columns) = (input.shape[1], input.shape[2], input.shape[3])
        let target = outputs[0].pointer(T.self)
        let offset = isHalfPixel ? 0.5 : 0
        for region in 0..<outputs[0].shape[0] {
            let picture = pictures.index(at: region)
            try check(picture >= 0 && picture < input.shape[0], "picture \(picture) of \(input.shape[0])")
            let corners = (0..<4).map { regions[4 * region + $0].double * Double(spatialScale) - offset }
            var size = (width: corners[2] - corners[0], height: corners[3] - corners[1])
            if !isHalfPixel { size = (max(size.width, 1), max(size.height, 1)) }
            let step = (x: size.width / Double(width), y: size.height / Double(height))
            func count(_ step: Double) throws -> Int {
                if samplingRatio > 0 { return samplingRatio }
                try check(step <= Double(Self.sampleLimit), "a region of \(size.width) × \(size.height)")
                return max(Int(step.isNaN ? 0 : step.rounded(.up)), 0)
            }
            let samples = (x: try count(step.x), y: try count(step.y))
            for place in 0..<height * width {
                let (y, x) = (place / width, place % width)
                var points: [Sample] = []
                for row in 0..<samples.y {
                    for column in 0..<samples.x {
                        points.append(
                            Sample(
                                corners[1] + (Double(y) + (Double(row) + 0.5) / Double(samples.y)) * step.y,
                                corners[0] + (Double(x) + (Double(column) + 0.5) / Double(samples.x)) * step.x, rows,
                                columns))
                    }
                }
                for channel in 0..<channels {
                    let values = input.pointer(T.self) + (picture * channels + channel) * rows * columns
                    target[(region * channels + channel) * height * width + place] = T(
                        double: rows * columns == 0 ? 0 : combined(points, values))
                }
            }
        }
    }

    /// The largest is that of weighted pixels, as ONNX defines it.
    private func combined<T: FloatScalar>(_ points: [Sample], _ values: UnsafePointer<T>) -> Double {
        var sum = 0.0
        var largest = points.isEmpty ? 0 : -Double.infinity
        for point in points {
            let parts = (
                point.weights.0 * values[point.offsets.0].double, point.weights.1 * values[point.offsets.1].double,
                point.weights.2 * values[point.offsets.2].double, point.weights.3 * values[point.offsets.3].double
            )
            sum += parts.0 + parts.1 + parts.2 + parts.3
            largest = max(largest, max(max(parts.0, parts.1), max(parts.2, parts.3)))
        }
        return mode == .max ? largest : sum / Double(max(points.count, 1))
    }
}
