import CVisionKernels

extension ByteSource {
    /// Rows that are convolved together: enough for kernels, few enough for the caches.
    private static let rowsAtOnce = 8
    /// The floats of such rows: wider images are rendered in floats.
    private static let floatLimit = 1 << 24

    /// Whether rows of that many pixels, and the radius around them, can be convolved.
    package static func canConvolve(width: Int, radius: Int) -> Bool {
        (width + 2 * radius) * 4 * rowsAtOnce <= floatLimit
    }

    /// Writes the convolution with the same weights along both axes, of which there is an odd number.
    package func convolve(_ weights: [Float], _ bounds: PixelRect, _ target: ByteTarget) {
        let radius = weights.count / 2
        let part = columns(from: bounds.x - radius, to: bounds.maxX + radius)
        guard !part.isEmpty else { return target.clear(bounds) }
        let padded = bounds.width + 2 * radius
        let before = part.lowerBound - (bounds.x - radius)
        var middle = [Float](repeating: 0, count: 4 * padded * Self.rowsAtOnce)
        var line = [Float](repeating: 0, count: 4 * bounds.width)
        let empty = [UInt8](repeating: 0, count: 4 * part.count)
        raster.withUnsafePixels { base in
            empty.withUnsafeBufferPointer { empty in
                // From the top, as rows follow each other in memory.
                let rows = (0..<bounds.height + 2 * radius).map { row in
                    address(part.lowerBound, bounds.maxY - 1 + radius - row, base) ?? empty.baseAddress
                }
                middle.withUnsafeMutableBufferPointer { middle in
                    line.withUnsafeMutableBufferPointer { line in
                        guard let middle = middle.baseAddress, let line = line.baseAddress else { return }
                        for top in stride(from: 0, to: bounds.height, by: Self.rowsAtOnce) {
                            let count = min(Self.rowsAtOnce, bounds.height - top)
                            rows.withUnsafeBufferPointer { rows in
                                guard let first = rows.baseAddress else { return }
                                cvk_u8_filter_columns(
                                    middle + 4 * before, 16 * padded, first + top, Int32(4 * part.count), Int32(count),
                                    weights, Int32(weights.count))
                            }
                            for row in 0..<count {
                                let source = middle + row * 4 * padded
                                if isClamped {
                                    Self.repeatEdges(source, padded, before..<before + part.count)
                                }
                                cvk_f32_filter_row_c4(
                                    line, source, Int32(bounds.width), weights, Int32(weights.count))
                                let size = 4 * bounds.width
                                cvk_u8_from_f32(
                                    target.at(bounds.x, bounds.maxY - 1 - top - row), size, line, 4 * size,
                                    Int32(size), 1, 1, 0)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Writes the mean over a square of `2 radius + 1` columns and rows.
    package func boxMean(radius: Int, _ bounds: PixelRect, _ target: ByteTarget) {
        let part = columns(from: bounds.x - radius, to: bounds.maxX + radius)
        guard !part.isEmpty else { return target.clear(bounds) }
        let padded = bounds.width + 2 * radius
        let before = part.lowerBound - (bounds.x - radius)
        let taps = 2 * radius + 1
        var sums = [Int32](repeating: 0, count: 4 * padded)
        let empty = [UInt8](repeating: 0, count: 4 * part.count)
        raster.withUnsafePixels { base in
            empty.withUnsafeBufferPointer { empty in
                sums.withUnsafeMutableBufferPointer { sums in
                    guard let sums = sums.baseAddress, let empty = empty.baseAddress else { return }
                    func row(_ y: Int) -> UnsafePointer<UInt8> { address(part.lowerBound, y, base) ?? empty }
                    func add(_ added: UnsafePointer<UInt8>, _ removed: UnsafePointer<UInt8>) {
                        cvk_i32_box_columns(sums + 4 * before, added, removed, Int32(4 * part.count))
                    }
                    let top = bounds.maxY - 1
                    for y in top - radius + 1...top + radius + 1 { add(row(y), empty) }
                    for y in stride(from: top, through: bounds.y, by: -1) {
                        add(row(y - radius), row(y + radius + 1))
                        if isClamped { Self.repeatEdges(sums, padded, before..<before + part.count) }
                        cvk_i32_box_row_c4(
                            target.at(bounds.x, y), sums, Int32(bounds.width), Int32(taps),
                            1 / (Float(taps) * Float(taps)))
                    }
                }
            }
        }
    }

    /// Gives the pixels around a part of a row the values of the part's first and last one.
    private static func repeatEdges<Value>(_ row: UnsafeMutablePointer<Value>, _ count: Int, _ part: Range<Int>) {
        for channel in 0..<4 {
            let (first, last) = (row[4 * part.lowerBound + channel], row[4 * part.upperBound - 4 + channel])
            for x in 0..<part.lowerBound { row[4 * x + channel] = first }
            for x in part.upperBound..<max(part.upperBound, count) { row[4 * x + channel] = last }
        }
    }

    /// Writes an image whose pixels are weighted sums of pixels along both axes.
    ///
    /// - Parameters:
    ///   - columns: What makes each column of the bounds.
    ///   - rows: What makes each row of the bounds, from the bottom.
    package func resample(_ columns: ResampleTaps, _ rows: ResampleTaps, _ bounds: PixelRect, _ target: ByteTarget) {
        let width = columns.range.count
        var middle = [Float](repeating: 0, count: 4 * width)
        var line = [Float](repeating: 0, count: 4 * bounds.width)
        let firsts = columns.firsts.map { Int32($0 - columns.range.lowerBound) }
        raster.withUnsafePixels { base in
            for row in 0..<bounds.height {
                let weights = Array(rows.weights[row * rows.count..<(row + 1) * rows.count])
                let sources = (0..<rows.count).map {
                    address(columns.range.lowerBound, rows.firsts[row] + $0, base)
                }
                cvk_u8_filter_columns(
                    &middle, 16 * width, sources, Int32(4 * width), 1, weights, Int32(rows.count))
                cvk_f32_resize_row_c4(
                    &line, middle, Int32(bounds.width), firsts, columns.weights, Int32(columns.count))
                let size = 4 * bounds.width
                cvk_u8_from_f32(target.at(bounds.x, bounds.y + row), size, line, 4 * size, Int32(size), 1, 1, 0)
            }
        }
    }
}

/// The pixels of the source that each pixel of a result is made of, along one axis: as many for all.
package struct ResampleTaps: Sendable {
    /// The first of the source's pixels for each pixel of the result.
    package private(set) var firsts: [Int] = []
    /// `count` weights for each pixel of the result.
    package private(set) var weights: [Float] = []
    /// The number of the source's pixels for each pixel of the result.
    package let count: Int
    /// All of the source's pixels that take part.
    package let range: Range<Int>

    /// - Parameters:
    ///   - taps: The weights of each pixel of the result, of which there is one, and the first pixel that they are for.
    ///   - limits: The pixels of the source, in which all lie.
    package init(_ taps: [(first: Int, weights: [Float])], limits: Range<Int>) {
        let count = min(taps.map(\.weights.count).max() ?? 1, limits.count)
        self.count = count
        for (first, values) in taps {
            // Those at the end of the source begin earlier, with weights of zero.
            let start = min(first, limits.upperBound - count)
            firsts.append(start)
            weights += [Float](repeating: 0, count: first - start) + values
            weights += [Float](repeating: 0, count: count - (first - start) - values.count)
        }
        let lowest = firsts.min() ?? limits.lowerBound
        range = lowest..<(firsts.max() ?? lowest) + count
    }
}
