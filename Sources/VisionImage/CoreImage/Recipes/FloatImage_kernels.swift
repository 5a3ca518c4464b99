import CVisionKernels

extension FloatImage {
    /// Rows that are convolved together.
    private static let rowsAtOnce = 8

    /// Returns the pixels of a rectangle of the convolution with the same weights along both axes, of which there is
    /// an odd number. What lies around this image is transparent.
    package func convolved(_ weights: [Float], _ bounds: PixelRect) throws -> FloatImage {
        let radius = weights.count / 2
        var result = try FloatImage(bounds: bounds)
        let part = self.bounds.intersection(bounds.outset(x: radius, y: radius))
        guard !part.isEmpty else { return result }
        let padded = bounds.width + 2 * radius
        let middleBounds = PixelRect(x: bounds.x - radius, y: 0, width: padded, height: Self.rowsAtOnce)
        var middle = try FloatImage(bounds: middleBounds)
        let empty = [Pixel](repeating: .zero, count: part.width)
        pixels.withUnsafeBytes { source in
            empty.withUnsafeBytes { empty in
                guard let source = source.baseAddress, let empty = empty.baseAddress else { return }
                let rows = (0..<bounds.height + 2 * radius).map { index -> UnsafePointer<Float>? in
                    let y = bounds.y - radius + index
                    guard y >= part.y, y < part.maxY else { return empty.floats }
                    let first = (y - self.bounds.y) * self.bounds.width + part.x - self.bounds.x
                    return (source + 16 * first).floats
                }
                middle.pixels.withUnsafeMutableBytes { middle in
                    result.pixels.withUnsafeMutableBytes { target in
                        guard let middle = middle.baseAddress?.floats, let target = target.baseAddress?.floats else {
                            return
                        }
                        for bottom in stride(from: 0, to: bounds.height, by: Self.rowsAtOnce) {
                            let count = min(Self.rowsAtOnce, bounds.height - bottom)
                            rows.withUnsafeBufferPointer { rows in
                                guard let first = rows.baseAddress else { return }
                                cvk_f32_filter_columns(
                                    middle + 4 * (part.x - middleBounds.x), 16 * padded, first + bottom,
                                    Int32(4 * part.width), Int32(count), weights, Int32(weights.count))
                            }
                            for row in 0..<count {
                                cvk_f32_filter_row_c4(
                                    target + 4 * (bottom + row) * bounds.width, middle + 4 * row * padded,
                                    Int32(bounds.width), weights, Int32(weights.count))
                            }
                        }
                    }
                }
            }
        }
        return result
    }

    /// Returns the pixels of a rectangle that are weighted sums of pixels along both axes. All pixels that the taps
    /// name are there.
    package func resampled(_ columns: ResampleTaps, _ rows: ResampleTaps, _ bounds: PixelRect) throws -> FloatImage {
        let part = self.bounds
        let width = columns.range.count
        var result = try FloatImage(bounds: bounds)
        var line = [Float](repeating: 0, count: 4 * width)
        let firsts = columns.firsts.map { Int32($0 - columns.range.lowerBound) }
        pixels.withUnsafeBytes { source in
            result.pixels.withUnsafeMutableBytes { target in
                guard let source = source.baseAddress, let target = target.baseAddress?.floats else { return }
                for row in 0..<bounds.height {
                    let weights = Array(rows.weights[row * rows.count..<(row + 1) * rows.count])
                    let sources = (0..<rows.count).map { tap -> UnsafePointer<Float>? in
                        let y = rows.firsts[row] + tap
                        return (source + 16 * ((y - part.y) * part.width + columns.range.lowerBound - part.x)).floats
                    }
                    cvk_f32_filter_columns(
                        &line, 16 * width, sources, Int32(4 * width), 1, weights, Int32(rows.count))
                    cvk_f32_resize_row_c4(
                        target + 4 * row * bounds.width, line, Int32(bounds.width), firsts, columns.weights,
                        Int32(columns.count))
                }
            }
        }
        return result
    }

    /// Returns the image with a matrix applied to its colours, not multiplied by alpha.
    package func applying(_ matrix: ColourMatrix) -> FloatImage {
        var result = self
        result.pixels.withUnsafeMutableBytes { pixels in
            guard let address = pixels.baseAddress?.floats else { return }
            for row in 0..<bounds.height {
                let start = address + 4 * row * bounds.width
                cvk_f32_colour_matrix_c4(start, start, Int32(bounds.width), matrix.rows)
            }
        }
        return result
    }

    /// The pixels of a rectangle of bytes blue, green, red and alpha as they are, the top row of which comes first.
    ///
    /// - Parameter address: That of the top left pixel.
    init(bounds: PixelRect, bytes address: UnsafeRawPointer, rowBytes: Int) throws {
        try self.init(bounds: bounds)
        let size = Int32(4 * bounds.width)
        var line = [UInt8](repeating: 0, count: 4 * bounds.width)
        pixels.withUnsafeMutableBytes { target in
            guard let target = target.baseAddress else { return }
            for row in 0..<bounds.height {
                let source = (address + (bounds.height - 1 - row) * rowBytes).bytes
                cvk_u8_c4_from_c4(&line, Int(size), source, Int(size), Int32(bounds.width), 1, [2, 1, 0, 3])
                cvk_f32_from_u8(
                    (target + 16 * row * bounds.width).floats, 4 * Int(size), line, Int(size), size, 1, 1 / 255, 0)
            }
        }
    }

    /// Writes the pixels as bytes B, G, R, A, rounded and limited to 0…255, into the rows of a bitmap from the top.
    func write(to target: UnsafeMutableRawPointer, rowBytes: Int) {
        let size = Int32(4 * bounds.width)
        var line = [UInt8](repeating: 0, count: 4 * bounds.width)
        pixels.withUnsafeBytes { pixels in
            guard let source = pixels.baseAddress else { return }
            for row in 0..<bounds.height {
                cvk_u8_from_f32(
                    &line, Int(size), (source + 16 * row * bounds.width).floats, 4 * Int(size), size, 1, 255, 0)
                cvk_u8_c4_from_c4(
                    (target + (bounds.height - 1 - row) * rowBytes).bytes, Int(size), line, Int(size),
                    Int32(bounds.width), 1, [2, 1, 0, 3])
            }
        }
    }
}
