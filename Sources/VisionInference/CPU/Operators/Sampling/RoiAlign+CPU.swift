internal import Foundation

/// Samples of regions of pictures (N, C, H, W), the mean or maximum of some within each of `height` × `width` cells.
/// Inputs: pictures, regions (x1, y1, x2, y2), and the picture of each region.
package struct RoiAlign: FloatOperator {
    package var height: Int
    package var width: Int
    /// Samples along each side of a cell; 0: as many as the cell has pixels.
    package var samples: Int
    /// From the regions' units to pixels.
    package var scale: Float
    /// The centre of the first pixel is at half a unit.
    package var halfPixel: Bool
    package var takesMaximum: Bool

    package init(height: Int, width: Int, samples: Int, scale: Float, halfPixel: Bool, takesMaximum: Bool) {
        self.height = height
        self.width = width
        self.samples = samples
        self.scale = scale
        self.halfPixel = halfPixel
        self.takesMaximum = takesMaximum
    }

    package var name: String { "RoiAlign" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        let regions = try required(inputs, 1)
        let pictures = try required(inputs, 2)
        try check(
            input.shape.count == 4 && input.shape[2] > 0 && input.shape[3] > 0 && regions.shape.count == 2
                && regions.shape[1] == 4 && regions.type == input.type && pictures.shape == [regions.shape[0]]
                && (pictures.type == .int64 || pictures.type == .int32),
            "regions \(regions.shape) of \(input.shape)")
        try check(
            1...1 << 12 ~= height && 1...1 << 12 ~= width && 0...1 << 8 ~= samples, "\(width) × \(height) cells")
        return .known([TensorDescription(input.type, [regions.shape[0], input.shape[1], height, width])])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        // Without a number of samples a cell of a region within the picture has at most the picture's pixels.
        let picture = (inputs.first ?? nil)?.shape ?? []
        let perCell = samples > 0 ? samples * samples : Shape(picture.suffix(2)).elementCount
        return Int.saturatingProduct([8, outputs.first?.shape.elementCount ?? 0, perCell])
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.elements(type)
        let regions = try required(inputs, 1).elements(type)
        let pictures = try required(inputs, 2).integers ?? []
        let target = outputs[0].elements(type)
        let (channels, rows, columns) = (input.shape[1], input.shape[2], input.shape[3])
        let offset = halfPixel ? 0.5 : 0
        for region in pictures.indices {
            guard pictures[region] >= 0, pictures[region] < input.shape[0] else {
                throw ModelError.invalid("RoiAlign: region \(region) is in picture \(pictures[region])")
            }
            let edges = (0..<4).map { regions[region * 4 + $0].double * Double(scale) - offset }
            var (w, h) = (edges[2] - edges[0], edges[3] - edges[1])
            if !halfPixel { (w, h) = (max(w, 1), max(h, 1)) }
            guard w.magnitude < 1e6, h.magnitude < 1e6 else {
                throw ModelError.invalid("RoiAlign: region \(region) is \(w) × \(h) pixels")
            }
            let (cellWidth, cellHeight) = (w / Double(width), h / Double(height))
            let countX = samples > 0 ? samples : max(Int(cellWidth.rounded(.up)), 0)
            let countY = samples > 0 ? samples : max(Int(cellHeight.rounded(.up)), 0)
            guard countX * countY <= 1 << 20 else {
                throw ModelError.tooLarge(
                    "RoiAlign: region \(region) of \(w) × \(h) pixels for \(width) × \(height) cells")
            }
            for cellY in 0..<height {
                for cellX in 0..<width {
                    var taps: [(offset: Int, weight: Double)] = []
                    for sy in 0..<countY {
                        let down = Double(cellY) + (Double(sy) + 0.5) / Double(countY)
                        let y = edges[1] + down * cellHeight
                        for sx in 0..<countX {
                            let right = Double(cellX) + (Double(sx) + 0.5) / Double(countX)
                            let x = edges[0] + right * cellWidth
                            Self.addTaps(&taps, x, y, columns, rows)
                        }
                    }
                    for channel in 0..<channels {
                        let base = (pictures[region] * channels + channel) * rows * columns
                        let products = taps.lazy.map { source[base + $0.offset].double * $0.weight }
                        let value =
                            takesMaximum
                            ? products.max() ?? 0 : products.reduce(0, +) / Double(max(countX * countY, 1))
                        target[((region * channels + channel) * height + cellY) * width + cellX] = T(double: value)
                    }
                }
            }
        }
    }

    /// The four pixels around a position; none more than a pixel outside.
    private static func addTaps(
        _ taps: inout [(offset: Int, weight: Double)], _ x: Double, _ y: Double, _ columns: Int, _ rows: Int
    ) {
        guard x >= -1, y >= -1, x <= Double(columns), y <= Double(rows) else { return }
        func parts(_ position: Double, _ size: Int) -> (low: Int, high: Int, fraction: Double) {
            let clamped = max(position, 0)
            let low = Int(clamped)
            return low >= size - 1 ? (size - 1, size - 1, 0) : (low, low + 1, clamped - Double(low))
        }
        let (left, right, fx) = parts(x, columns)
        let (top, bottom, fy) = parts(y, rows)
        taps.append((top * columns + left, (1 - fx) * (1 - fy)))
        taps.append((top * columns + right, fx * (1 - fy)))
        taps.append((bottom * columns + left, (1 - fx) * fy))
        taps.append((bottom * columns + right, fx * fy))
    }
}
