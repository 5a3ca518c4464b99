import Foundation
package import VisionImage

/// A text line rectified to one height, as ink on background.
struct TextStrip {
    let width: Int
    let height: Int
    /// The ink of each pixel: 0…1, in row-major order.
    let ink: [Float]
    /// The rows of the strip between which the line's box lies.
    let top: Double
    let bottom: Double
    /// The position of the strip's first pixel in the image, and its axes.
    let origin: SIMD2<Double>
    let axis: SIMD2<Double>
    let down: SIMD2<Double>
    /// The size of a pixel of the strip, in pixels of the image.
    let step: Double

    /// The number of rows of a line's box, and that above and below it.
    static let rows = 40
    private static let margin = 8
    /// The largest number of columns; a longer line is reduced.
    private static let columnLimit = 6_000

    /// Converts a rectangle of the strip to a box in the image.
    func box(left: Double, top: Double, right: Double, bottom: Double) -> RotatedBox {
        let middle = SIMD2((left + right) / 2, (top + bottom) / 2)
        return RotatedBox(
            centre: origin + (axis * middle.x + down * middle.y) * step, axis: axis, length: (right - left) * step,
            height: (bottom - top) * step)
    }

    /// - Parameters:
    ///   - line: In pixels of the image.
    ///   - image: Samples the part of the image along the line.
    /// - Returns: nil if there is no ink, i.e. all is of one grey.
    init?(of line: RotatedBox, in image: TextPyramid) throws {
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
        let grey = try image.pixels(origin: origin, axis: axis, down: down, step: step, width: width, height: height)
        guard let ink = InkSeparation(grey: grey, width: width, height: height, margin: Self.margin)?.ink else {
            return nil
        }
        self.ink = ink
    }
}

/// A grey image with its pyramid, from which strips are sampled.
package final class TextPyramid {
    private var levels: [Raster]
    private let region: PixelRegion

    /// - Parameters:
    ///   - grey: The pixels of the region, at any size.
    ///   - region: In pixels of the image.
    package init(grey: Raster, region: PixelRegion) {
        precondition(grey.format == .grey8)
        levels = [grey]
        self.region = region
    }

    /// Returns the pixels along a text line in row-major order; the border is replicated.
    func pixels(
        origin: SIMD2<Double>, axis: SIMD2<Double>, down: SIMD2<Double>, step: Double, width: Int, height: Int
    ) throws -> [UInt8] {
        var level = 0
        // No pixel is skipped where the strip is a reduction.
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

    /// Returns false if the image cannot be halved further.
    private func makeLevel(_ level: Int) throws -> Bool {
        guard level == levels.count, let last = levels.last else { return level < levels.count }
        guard last.width > 8, last.height > 8 else { return false }
        levels.append(
            try last.resized(width: last.width / 2, height: last.height / 2, filter: .antialiasedBilinear))
        return true
    }
}
