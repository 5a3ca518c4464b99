/// Separates ink from background in a strip of grey pixels: ink consists of strokes, darker or lighter than the
/// background.
///
/// A closing fills dark strokes, an opening removes light ones. The background is the result that also matches the
/// pixels above and below the text line. The ink is its difference to the pixels (black and white top-hats: Serra,
/// "Image analysis and mathematical morphology", 1982).
struct InkSeparation {
    /// 0…1, in row-major order.
    let ink: [Float]

    /// The upper limit of the stroke width, in pixels.
    private static let widestStroke = 13
    /// The number of rows at the edges of the text line that are not compared, because most letters end there.
    private static let edge = 4
    /// The width over which the ink has one strength, in heights of the strip.
    private static let reach = 2
    /// The least difference between ink and background.
    private static let minimumContrast = 5.0

    /// - Parameter margin: The number of rows above and below the text line.
    /// - Returns: nil if there is no ink.
    init?(grey: [UInt8], width: Int, height: Int, margin: Int) {
        let pixels = StripPlane(smoothing: grey, width: width, height: height)
        let reach = Self.widestStroke / 2
        let closed = pixels.highest(within: reach).lowest(within: reach)
        let opened = pixels.lowest(within: reach).highest(within: reach)
        let around = pixels.around(margin: max(1, margin - 2)).smoothed(over: 2 * height + 1)
        let core = min(margin + Self.edge, height / 2)..<max(height - margin - Self.edge, height / 2 + 1)
        let isDark = closed.difference(from: around, in: core) < opened.difference(from: around, in: core)
        let response =
            isDark
            ? zip(closed.values, pixels.values).map { $0 - $1 } : zip(pixels.values, opened.values).map { $0 - $1 }

        func histogram(_ columns: Range<Int>, _ rows: Range<Int>) -> [Int] {
            var histogram = [Int](repeating: 0, count: 256)
            for row in rows {
                for column in columns { histogram[Int(min(max(response[row * width + column], 0), 255))] += 1 }
            }
            return histogram
        }
        let textRows = min(margin, height - 1)..<max(height - margin, min(margin, height - 1) + 1)
        guard let whole = TwoGreys(histogram(0..<width, textRows)), whole.contrast >= Self.minimumContrast else {
            return nil
        }
        // The ink of each part of the text line has its own strength, unless the part is only background.
        let count = max(1, Int((Double(width) / Double(Self.reach * height)).rounded()))
        let strengths = (0..<count).map { part -> Float in
            let columns = (part * width / count)..<((part + 1) * width / count)
            guard let local = TwoGreys(histogram(columns, 0..<height)), local.contrast > whole.contrast / 2 else {
                return Float(whole.light)
            }
            return Float(local.light)
        }
        ink = [Float](unsafeUninitializedCapacity: width * height) { target, filled in
            for column in 0..<width {
                let position = (Float(column) + 0.5) * Float(count) / Float(width) - 0.5
                let left = min(max(Int(position.rounded(.down)), 0), count - 1)
                let share = min(max(position - Float(left), 0), 1)
                let strength = strengths[left] + (strengths[min(left + 1, count - 1)] - strengths[left]) * share
                for row in 0..<height {
                    target[row * width + column] = min(max(response[row * width + column] / strength, 0), 1)
                }
            }
            filled = width * height
        }
    }
}

/// The pixels of a strip as floats.
private struct StripPlane {
    let width: Int
    let height: Int
    var values: [Float]

    private init(width: Int, height: Int, values: [Float]) {
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// Reduces noise by a triangle filter of three pixels along both axes.
    init(smoothing grey: [UInt8], width: Int, height: Int) {
        self.init(width: width, height: height, values: grey.map(Float.init))
        for isDown in [false, true] {
            self = combined(isDown, 1) { before, here, after in (before + 2 * here + after) / 4 }
        }
    }

    /// Combines each pixel with those at a distance on both sides, along its row or column; the border is replicated.
    private func combined(_ isDown: Bool, _ distance: Int, _ body: (Float, Float, Float) -> Float) -> StripPlane {
        let (columns, rows) = isDown ? (0, distance) : (distance, 0)
        let result = [Float](unsafeUninitializedCapacity: values.count) { target, count in
            for row in 0..<height {
                let above = max(row - rows, 0) * width
                let below = min(row + rows, height - 1) * width
                for column in 0..<width {
                    target[row * width + column] = body(
                        values[above + max(column - columns, 0)], values[row * width + column],
                        values[below + min(column + columns, width - 1)])
                }
            }
            count = values.count
        }
        return StripPlane(width: width, height: height, values: result)
    }

    func highest(within reach: Int) -> StripPlane { extreme(within: reach) { max($0, max($1, $2)) } }

    func lowest(within reach: Int) -> StripPlane { extreme(within: reach) { min($0, min($1, $2)) } }

    /// Combines three pixels at a time. The reach triples with each step, so that few steps are needed.
    private func extreme(within reach: Int, _ body: (Float, Float, Float) -> Float) -> StripPlane {
        var plane = self
        for isDown in [false, true] {
            var reached = 0
            while reached < reach {
                let distance = min(2 * reached + 1, reach - reached)
                plane = plane.combined(isDown, distance, body)
                reached += distance
            }
        }
        return plane
    }

    /// Returns the median of the values in the first and last rows of each column.
    func around(margin: Int) -> StripRow {
        let rows = Array(0..<min(margin, height)) + Array(max(0, height - margin)..<height)
        return StripRow(
            values: (0..<width).map { column in
                let sorted = rows.map { values[$0 * width + column] }.sorted()
                return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
            })
    }

    /// Returns the mean absolute difference from a row of values.
    func difference(from row: StripRow, in rows: Range<Int>) -> Double {
        var sum = 0.0
        for y in rows {
            for column in 0..<width { sum += Double(abs(values[y * width + column] - row.values[column])) }
        }
        return sum / Double(max(rows.count * width, 1))
    }
}

private struct StripRow {
    let values: [Float]

    /// Returns running means over `count` neighbours, fewer at the ends.
    func smoothed(over count: Int) -> StripRow {
        var sums = [0.0]
        for value in values { sums.append((sums.last ?? 0) + Double(value)) }
        return StripRow(
            values: values.indices.map { index in
                let (low, high) = (max(index - count / 2, 0), min(index + count / 2 + 1, values.count))
                return Float((sums[high] - sums[low]) / Double(high - low))
            })
    }
}

/// The two greys that best represent a histogram (Otsu, "A threshold selection method from gray-level histograms",
/// 1979).
private struct TwoGreys {
    let dark: Double
    let light: Double

    var contrast: Double { light - dark }

    /// nil if there is only one grey.
    init?(_ histogram: [Int]) {
        let total = Double(histogram.reduce(0, +))
        let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var best = (spread: 0.0, dark: 0.0, light: 0.0)
        var (count, below) = (0.0, 0.0)
        for (grey, number) in histogram.enumerated() where number > 0 {
            count += Double(number)
            below += Double(grey * number)
            guard count < total else { break }
            let (dark, light) = (below / count, (sum - below) / (total - count))
            let spread = count * (total - count) * (light - dark) * (light - dark)
            if spread > best.spread { best = (spread, dark, light) }
        }
        guard best.spread > 0 else { return nil }
        (dark, light) = (best.dark, best.light)
    }
}
