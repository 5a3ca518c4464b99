import VisionImage

/// An image thresholded by the mean of its neighbourhood: lighter pixels count as light.
struct ContrastField {
    let width, height: Int
    private let values: [Int16]
    /// The radius of the neighbourhood, in pixels.
    private static let reach = 24

    init(of image: Raster) throws {
        (width, height) = (image.width, image.height)
        let mean = try image.resized(
            width: max(1, width / Self.reach), height: max(1, height / Self.reach), filter: .area
        ).resized(width: width, height: height, filter: .bilinear)
        var values = [Int16](repeating: 0, count: width * height)
        let (columns, rows) = (width, height)
        values.withUnsafeMutableBufferPointer { values in
            image.withUnsafePixels { pixels in
                mean.withUnsafePixels { means in
                    for y in 0..<rows {
                        let row = (pixels + y * image.rowBytes).assumingMemoryBound(to: UInt8.self)
                        let meanRow = (means + y * mean.rowBytes).assumingMemoryBound(to: UInt8.self)
                        for x in 0..<columns { values[y * columns + x] = Int16(row[x]) - Int16(meanRow[x]) }
                    }
                }
            }
        }
        self.values = values
    }

    func isLight(_ x: Int, _ y: Int) -> Bool { values[y * width + x] >= 0 }

    /// Calls a closure with each row that has runs like a pattern: the row, its edges, the first pixels of its light
    /// and dark runs but the first, and the indices of the edges at which the pattern begins, until it returns false.
    func forEachRow(
        like pattern: RunPattern,
        _ body: (_ y: Int, _ edges: UnsafeBufferPointer<Int32>, _ matches: UnsafeBufferPointer<Int32>) -> Bool
    ) {
        values.withUnsafeBufferPointer { RowRuns.forEachRow(of: $0, width: width, notAbove: -1, like: pattern, body) }
    }

    /// Returns the difference in brightness between the central one of three runs and the nearer of its neighbours.
    ///
    /// - Parameters:
    ///   - edges: The ends of runs.
    ///   - first: The index of the first end of the three runs.
    @inline(__always)
    func contrast(row y: Int, ofRunsAt edges: UnsafeBufferPointer<Int32>, from first: Int) -> Int {
        func middle(_ run: Int) -> Int { Int(values[y * width + Int(edges[first + run] + edges[first + run + 1]) / 2]) }
        let value = middle(1)
        return min(abs(value - middle(0)), abs(value - middle(2)))
    }

    /// A run of pixels of a row: the first pixel and the one behind the last.
    struct Run {
        var row, start, end: Int
    }

    /// Returns the runs of pixels that are darker than their neighbourhood by a margin, row by row.
    func darkRuns(leastContrast: Double) -> [Run] {
        let limit = -Int16(leastContrast)
        var runs: [Run] = []
        values.withUnsafeBufferPointer { values in
            RowRuns.forEachRow(of: values, width: width, notAbove: limit) { y, edges in
                var start: Int? = values[y * width] <= limit ? 0 : nil
                for edge in edges.lazy.map(Int.init) {
                    if let begun = start { runs.append(Run(row: y, start: begun, end: edge)) }
                    start = start == nil ? edge : nil
                }
                if let start { runs.append(Run(row: y, start: start, end: width)) }
                return true
            }
        }
        return runs
    }

    /// Returns the middle of the run through a pixel along a direction and the mean length of the seven runs around it,
    /// in steps; nil where their lengths differ.
    func crossing(
        column x: Int, row y: Int, stepX: Int, stepY: Int, isLight: Bool, around size: Double
    ) -> (middle: Double, size: Double)? {
        guard self.isLight(x, y) == isLight else { return nil }
        let limit = Int(12 * size) + 4
        // The first pixels behind the central run and three others, on either side.
        var ends = (SIMD4<Int>.zero, SIMD4<Int>.zero)
        for side in 0..<2 {
            let sign = side == 0 ? -1 : 1
            var (distance, changes, light) = (0, 0, isLight)
            while changes < 4 {
                distance += sign
                let (column, row) = (x + distance * stepX, y + distance * stepY)
                guard column >= 0, column < width, row >= 0, row < height, abs(distance) <= limit else { return nil }
                if self.isLight(column, row) != light {
                    light.toggle()
                    if side == 0 { ends.0[changes] = distance } else { ends.1[changes] = distance }
                    changes += 1
                }
            }
        }
        let mean = Double(ends.1[3] - ends.0[3] - 1) / 7
        func fits(_ run: Int) -> Bool { abs(Double(run) - mean) <= 0.5 * mean + 1 }
        guard fits(ends.1[0] - ends.0[0] - 1),
            (0..<3).allSatisfy({ fits(ends.0[$0] - ends.0[$0 + 1]) && fits(ends.1[$0 + 1] - ends.1[$0]) })
        else { return nil }
        return (Double(ends.0[0] + ends.1[0]) / 2, mean)
    }

    /// Returns the centre of the run through a pixel along its column; nil where it is longer than a limit.
    func middle(column x: Int, row y: Int, isLight: Bool, limit: Double) -> Double? {
        guard self.isLight(x, y) == isLight else { return nil }
        var (top, bottom) = (y, y)
        while top > 0, self.isLight(x, top - 1) == isLight { top -= 1 }
        while bottom < height - 1, self.isLight(x, bottom + 1) == isLight { bottom += 1 }
        return Double(bottom - top + 1) <= limit ? Double(top + bottom) / 2 : nil
    }

    /// Returns the distance from a point to the outline of an index; nil where it is beyond a limit.
    func radius(
        of outline: Int, from centre: SIMD2<Double>, along direction: SIMD2<Double>, isLight: Bool, limit: Double
    ) -> Double? {
        let step = 0.5
        var (light, changes, radius) = (isLight, 0, 0.0)
        var last = value(centre)
        while radius < limit {
            radius += step
            guard let next = value(centre + radius * direction) else { return nil }
            if (next >= 0) != light {
                light.toggle()
                if changes == outline {
                    let before = last ?? 0
                    return radius - step * (next == before ? 0.5 : min(1, max(0, next / (next - before))))
                }
                changes += 1
            }
            last = next
        }
        return nil
    }

    /// Returns the interpolated brightness relative to the neighbourhood.
    func value(_ point: SIMD2<Double>) -> Double? {
        let (x, y) = (point.x, point.y)
        guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return nil }
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (x - Double(column), y - Double(row))
        let first = row * width + column
        let top = Double(values[first]) * (1 - u) + Double(values[first + 1]) * u
        let bottom = Double(values[first + width]) * (1 - u) + Double(values[first + width + 1]) * u
        return top * (1 - v) + bottom * v
    }
}
