import Foundation
package import VisionImage

/// A line of text turned upright and brought to one height, as ink on ground.
struct TextStrip {
    let width: Int
    let height: Int
    /// How far each pixel is from the ground to the ink: 0…1, row by row.
    let ink: [Float]
    /// Where the line's box lies in it: rows.
    let top: Double
    let bottom: Double
    /// Where the strip's pixels lie in the image.
    let origin: SIMD2<Double>
    let axis: SIMD2<Double>
    let down: SIMD2<Double>
    /// Pixels of the image for one of the strip.
    let step: Double

    /// Rows of a line's box, and those above and below it.
    static let rows = 40
    private static let margin = 8
    /// The most columns; a longer line is shown smaller.
    private static let columnLimit = 6_000

    /// What lies between two corners of the strip, as a box in the image.
    func box(left: Double, top: Double, right: Double, bottom: Double) -> TurnedBox {
        let middle = SIMD2((left + right) / 2, (top + bottom) / 2)
        return TurnedBox(
            centre: origin + (axis * middle.x + down * middle.y) * step, axis: axis, length: (right - left) * step,
            height: (bottom - top) * step)
    }

    /// - Parameters:
    ///   - line: in pixels of the image.
    ///   - picture: makes the part of the image along the line.
    /// - Returns: nil where there is no ink: where all is of one grey.
    init?(of line: TurnedBox, in picture: TextPicture) throws {
        let limit = Double(Self.columnLimit - 2 * Self.margin)
        let step = max(line.height / Double(Self.rows), line.length / limit)
        guard step.isFinite, step > 1e-6 else { return nil }
        let boxRows = max(1, Int((line.height / step).rounded()))
        width = max(1, Int((line.length / step).rounded())) + 2 * Self.margin
        height = boxRows + 2 * Self.margin
        origin =
            line.centre - line.axis * (Double(width) / 2 * step) - line.down * (Double(height) / 2 * step)
        (axis, down, self.step) = (line.axis, line.down, step)
        (top, bottom) = (Double(Self.margin), Double(Self.margin + boxRows))
        let grey = try picture.pixels(origin: origin, axis: axis, down: down, step: step, width: width, height: height)
        guard let ink = InkSeparation(grey: grey, width: width, height: height, margin: Self.margin)?.ink else {
            return nil
        }
        self.ink = ink
    }
}

/// Tells ink from ground in a strip of grey pixels by a threshold that changes along the line.
private struct InkSeparation {
    let ink: [Float]

    /// Columns that share a threshold, in heights of the strip.
    private static let reach = 3
    /// The least difference between ink and ground.
    private static let leastContrast = 6.0

    init?(grey: [UInt8], width: Int, height: Int, margin: Int) {
        let count = max(1, Int((Double(width) / Double(Self.reach * height)).rounded()))
        func histogram(_ columns: Range<Int>, _ rows: Range<Int>) -> [Int] {
            var histogram = [Int](repeating: 0, count: 256)
            for row in rows { for column in columns { histogram[Int(grey[row * width + column])] += 1 } }
            return histogram
        }
        guard let whole = TwoGreys(histogram(0..<width, 0..<height)), whole.contrast >= Self.leastContrast else {
            return nil
        }
        // Ink is what there is more of in the line than above and below it.
        func darkShare(_ rows: [Range<Int>]) -> Double {
            var (dark, all) = (0, 0)
            for rows in rows {
                let histogram = histogram(0..<width, rows)
                dark += histogram[0..<min(256, Int(whole.threshold) + 1)].reduce(0, +)
                all += histogram.reduce(0, +)
            }
            return Double(dark) / Double(max(all, 1))
        }
        let inside = darkShare([(height / 4)..<max(height / 4 + 1, height - height / 4)])
        let outside = darkShare([0..<max(1, margin / 2), (height - max(1, margin / 2))..<height])
        let isDark = inside > outside
        // Each part of the line has greys of its own, unless there is nothing but ground in it.
        let parts = (0..<count).map { part -> TwoGreys in
            let columns = (part * width / count)..<((part + 1) * width / count)
            guard let local = TwoGreys(histogram(columns, 0..<height)), local.contrast > whole.contrast / 2 else {
                return whole
            }
            return local
        }
        ink = [Float](unsafeUninitializedCapacity: width * height) { target, filled in
            for column in 0..<width {
                let place = (Double(column) + 0.5) * Double(count) / Double(width) - 0.5
                let left = min(max(Int(place.rounded(.down)), 0), count - 1)
                let share = min(max(place - Double(left), 0), 1)
                let (a, b) = (parts[left], parts[min(left + 1, count - 1)])
                let dark = a.dark + (b.dark - a.dark) * share
                let light = a.light + (b.light - a.light) * share
                let (ground, full) = isDark ? (light, dark) : (dark, light)
                let scale = Float(1 / (full - ground))
                for row in 0..<height {
                    let value = (Float(grey[row * width + column]) - Float(ground)) * scale
                    target[row * width + column] = min(max(value, 0), 1)
                }
            }
            filled = width * height
        }
    }
}

/// The two greys that a picture is best told by (Otsu, "A threshold selection method from gray-level histograms", 1979).
private struct TwoGreys {
    let threshold: Double
    let dark: Double
    let light: Double

    var contrast: Double { light - dark }

    /// nil for one grey only.
    init?(_ histogram: [Int]) {
        let total = Double(histogram.reduce(0, +))
        let sum = histogram.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) }
        var best = (spread: 0.0, threshold: 0, dark: 0.0, light: 0.0)
        var (count, below) = (0.0, 0.0)
        for (grey, number) in histogram.enumerated() where number > 0 {
            count += Double(number)
            below += Double(grey * number)
            guard count < total else { break }
            let (dark, light) = (below / count, (sum - below) / (total - count))
            let spread = count * (total - count) * (light - dark) * (light - dark)
            if spread > best.spread { best = (spread, grey, dark, light) }
        }
        guard best.spread > 0 else { return nil }
        (threshold, dark, light) = (Double(best.threshold), best.dark, best.light)
    }
}

/// A grey image, and the same smaller, from which strips are taken.
package final class TextPicture {
    private var levels: [Raster]
    private let region: PixelRegion

    /// - Parameters:
    ///   - grey: the pixels of the region, of any size.
    ///   - region: in pixels of the image.
    package init(grey: Raster, region: PixelRegion) {
        precondition(grey.format == .grey8)
        levels = [grey]
        self.region = region
    }

    /// Pixels along a line, row by row; beyond the edge it is repeated.
    func pixels(
        origin: SIMD2<Double>, axis: SIMD2<Double>, down: SIMD2<Double>, step: Double, width: Int, height: Int
    ) throws -> [UInt8] {
        var level = 0
        // Nothing is skipped where the strip shows things smaller.
        while step * Double(levels[0].width) / region.width > 1.5 * Double(1 << level), try makeLevel(level + 1) {
            level += 1
        }
        let source = levels[level]
        let scale = SIMD2(Double(source.width) / region.width, Double(source.height) / region.height)
        let (across, along) = (axis * step * scale, down * step * scale)
        let start = (origin - SIMD2(region.x, region.y)) * scale
        let strip = try source.warped(
            by: CGAffineTransform(
                a: CGFloat(across.x), b: CGFloat(across.y), c: CGFloat(along.x), d: CGFloat(along.y),
                tx: CGFloat(start.x), ty: CGFloat(start.y)), width: width, height: height, border: .replicate)
        return strip.withUnsafePixels { pixels in
            [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
                for row in 0..<height {
                    let line = (pixels + row * strip.rowBytes).assumingMemoryBound(to: UInt8.self)
                    for column in 0..<width { target[row * width + column] = line[column] }
                }
                count = width * height
            }
        }
    }

    /// false where there is nothing left to halve.
    private func makeLevel(_ level: Int) throws -> Bool {
        guard level == levels.count, let last = levels.last else { return level < levels.count }
        guard last.width > 8, last.height > 8 else { return false }
        levels.append(
            try last.resized(width: last.width / 2, height: last.height / 2, filter: .antialiasedBilinear))
        return true
    }
}
