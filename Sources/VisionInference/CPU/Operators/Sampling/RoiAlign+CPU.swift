extension RoiAlign: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.elements(type)
        let regions = try required(inputs, 1).elements(type)
        let images = try required(inputs, 2).integers ?? []
        let target = outputs[0].elements(type)
        let (channels, rows, columns) = (input.shape[1], input.shape[2], input.shape[3])
        let offset = halfPixel ? 0.5 : 0
        for region in images.indices {
            guard images[region] >= 0, images[region] < input.shape[0] else {
                throw ModelError.invalid("RoiAlign: region \(region) is in image \(images[region])")
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
                        let base = (images[region] * channels + channel) * rows * columns
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
