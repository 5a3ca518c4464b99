import CVisionKernels

extension ByteSource {
    /// Whether the source has a pixel for each of a rectangle without repeating edges.
    package func covers(_ bounds: PixelRect) -> Bool { visible.intersection(bounds) == bounds }

    /// Calls a function with each row of a rectangle and its y; what lies around the source is made for it.
    private func forEachRow(_ bounds: PixelRect, _ body: (UnsafePointer<UInt8>, _ y: Int) -> Void) {
        let part = columns(from: bounds.x, to: bounds.maxX)
        var line = [UInt8](repeating: 0, count: covers(bounds) ? 0 : 4 * bounds.width)
        raster.withUnsafePixels { base in
            for y in bounds.y..<bounds.maxY {
                let start = part.isEmpty ? nil : address(part.lowerBound, y, base)
                if line.isEmpty, let start {
                    body(start, y)
                    continue
                }
                line.withUnsafeMutableBufferPointer { line in
                    for x in 0..<bounds.width {
                        let column = bounds.x + x
                        let nearest = min(max(column, part.lowerBound), part.upperBound - 1)
                        let isThere = start != nil && (isClamped || part.contains(column))
                        for channel in 0..<4 {
                            let value = isThere ? start?[4 * (nearest - part.lowerBound) + channel] : nil
                            line[4 * x + channel] = value ?? 0
                        }
                    }
                    if let address = line.baseAddress { body(UnsafePointer(address), y) }
                }
            }
        }
    }

    /// The sums of blue, green, red and alpha over a rectangle, 255 for each full component.
    package func sum(over bounds: PixelRect) -> SIMD4<Double> {
        // Sums of columns have room for so many rows.
        let rowsAtOnce = 1 << 20
        var total = SIMD4<Double>.zero
        var columns = [Int32](repeating: 0, count: 4 * bounds.width)
        let zeros = [UInt8](repeating: 0, count: 4 * bounds.width)
        forEachRow(bounds) { row, y in
            cvk_i32_box_columns(&columns, row, zeros, Int32(columns.count))
            guard y == bounds.maxY - 1 || (y - bounds.y) % rowsAtOnce == rowsAtOnce - 1 else { return }
            for x in columns.indices {
                total[x % 4] += Double(columns[x])
                columns[x] = 0
            }
        }
        return total
    }

    /// Writes the pixels with the matrix applied to their colours, not multiplied by alpha.
    package func apply(_ matrix: ColourMatrix, _ bounds: PixelRect, _ target: ByteTarget) {
        let coefficients = matrix.fromBlue
        forEachRow(bounds) { row, y in
            cvk_u8_colour_matrix_c4(target.at(bounds.x, y), row, Int32(bounds.width), coefficients)
        }
    }

    /// Writes the pixels.
    package func copy(_ bounds: PixelRect, _ target: ByteTarget) {
        forEachRow(bounds) { row, y in target.at(bounds.x, y).update(from: row, count: 4 * bounds.width) }
    }

    /// Draws the pixels over those that are there.
    package func draw(over bounds: PixelRect, _ target: ByteTarget) {
        let size = 4 * bounds.width
        forEachRow(bounds) { row, y in
            cvk_u8_c4_over(
                target.at(bounds.x, y), size, row, size, Int32(bounds.width), 1, [0, 1, 2, 3], 3, CVK_ALPHA_MULTIPLIED,
                1 << 14)
        }
    }

    /// Writes the mean of this and another source, which is there where a channel of a mask is 0. All of them must
    /// cover the bounds.
    ///
    /// - Parameter channel: 0 for blue, 1 for green, 2 for red, 3 for alpha.
    package func blend(
        over back: ByteSource, by mask: ByteSource, channel: Int, _ bounds: PixelRect, _ target: ByteTarget
    ) {
        raster.withUnsafePixels { front in
            back.raster.withUnsafePixels { behind in
                mask.raster.withUnsafePixels { shares in
                    for y in bounds.y..<bounds.maxY {
                        guard let front = address(bounds.x, y, front), let behind = back.address(bounds.x, y, behind),
                            let shares = mask.address(bounds.x, y, shares)
                        else { continue }
                        cvk_u8_mask_c4(
                            target.at(bounds.x, y), front, behind, shares, Int32(bounds.width), Int32(channel))
                    }
                }
            }
        }
    }

    /// Writes one row of a projective warp, bilinear, and transparent beyond the edges.
    ///
    /// - Parameters:
    ///   - span: The columns that are written.
    ///   - point: The map of the position of a pixel's centre to homogeneous coordinates in this source's image, whose
    ///     third is positive in the row.
    package func warp(
        _ span: Range<Int>, _ y: Int, _ point: (SIMD2<Double>) -> SIMD3<Double>, _ target: ByteTarget
    ) {
        guard !span.isEmpty else { return }
        let start = point(SIMD2(Double(span.lowerBound) + 0.5, Double(y) + 0.5))
        let step = point(SIMD2(Double(span.lowerBound) + 1.5, Double(y) + 0.5)) - start
        let (left, top) = (Double(visible.x) + 0.5, Double(visible.maxY) - 0.5)
        var map = cvk_projective_row(
            u: start.x - left * start.z, v: top * start.z - start.y, w: start.z, du: step.x - left * step.z,
            dv: top * step.z - step.y, dw: step.z)
        raster.withUnsafePixels { base in
            guard let first = address(visible.x, visible.maxY - 1, base) else { return }
            cvk_u8_warp_row_c4(
                target.at(span.lowerBound, y), first, raster.rowBytes, Int32(span.count), Int32(visible.width),
                Int32(visible.height), &map)
        }
    }
}

extension ByteTarget {
    /// Gives each pixel its own channels in another order.
    func reorder(_ order: [UInt8]) {
        guard order != [0, 1, 2, 3] else { return }
        let size = 4 * area.width
        var line = [UInt8](repeating: 0, count: size)
        for y in area.y..<area.maxY {
            let row = at(area.x, y)
            cvk_b1_copy(&line, size, row, size, Int32(size), 1)
            cvk_u8_c4_from_c4(row, size, line, size, Int32(area.width), 1, order)
        }
    }
}
