package import VisionImage

/// A text line rectified to one height, as ink on background.
struct TextStrip {
    /// The strip's position in the image.
    let patch: ImagePatch
    /// The ink of each pixel: 0…1, in row-major order.
    let ink: [Float]
    /// The rows of the strip between which the line's box lies.
    let top: Double
    let bottom: Double
    var width: Int { patch.columns }
    var height: Int { patch.rows }

    /// The number of rows of a line's box, and that above and below it.
    static let rows = 40
    private static let margin = 8
    /// The largest number of columns; a longer line is reduced.
    private static let columnLimit = 6_000

    /// Converts a rectangle of the strip to a box in the image.
    func box(left: Double, top: Double, right: Double, bottom: Double) -> RotatedBox {
        let middle = SIMD2((left + right) / 2, (top + bottom) / 2)
        let (axis, step) = (patch.axis, patch.step)
        let down = SIMD2(-axis.y, axis.x)
        return RotatedBox(
            centre: patch.origin + (axis * middle.x + down * middle.y) * step, axis: axis,
            length: (right - left) * step, height: (bottom - top) * step)
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
        let width = max(1, Int((line.length / step).rounded())) + 2 * Self.margin
        let height = boxRows + 2 * Self.margin
        patch = ImagePatch(
            origin: line.centre - line.axis * (Double(width) / 2 * step) - line.down * (Double(height) / 2 * step),
            axis: line.axis, step: step, columns: width, rows: height)
        (top, bottom) = (Double(Self.margin), Double(Self.margin + boxRows))
        let grey = try image.pixels(of: patch)
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

    /// Returns the pixels of a patch in row-major order; the border is replicated.
    func pixels(of patch: ImagePatch) throws -> [UInt8] {
        var level = 0
        // No pixel is skipped where the strip is a reduction.
        while patch.step * Double(levels[0].width) / region.width > 1.5 * Double(1 << level), try makeLevel(level + 1) {
            level += 1
        }
        let strip = try ImageSection(levels[level], of: region).pixels(of: patch)
        let (width, height) = (patch.columns, patch.rows)
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
