import Foundation
package import VisionImage

/// A line of text turned upright and brought to one height, as ink on ground.
struct TextStrip {
    /// Where it lies in the image.
    let patch: ImagePatch
    /// How far each pixel is from the ground to the ink: 0…1, row by row.
    let ink: [Float]
    /// Where the line's box lies in it: rows.
    let top: Double
    let bottom: Double
    var width: Int { patch.columns }
    var height: Int { patch.rows }

    /// Rows of a line's box, and those above and below it.
    static let rows = 40
    private static let margin = 8
    /// The most columns; a longer line is shown smaller.
    private static let columnLimit = 6_000

    /// What lies between two corners of the strip, as a box in the image.
    func box(left: Double, top: Double, right: Double, bottom: Double) -> TurnedBox {
        let middle = SIMD2((left + right) / 2, (top + bottom) / 2)
        let (axis, step) = (patch.axis, patch.step)
        let down = SIMD2(-axis.y, axis.x)
        return TurnedBox(
            centre: patch.origin + (axis * middle.x + down * middle.y) * step, axis: axis,
            length: (right - left) * step, height: (bottom - top) * step)
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
        let width = max(1, Int((line.length / step).rounded())) + 2 * Self.margin
        let height = boxRows + 2 * Self.margin
        patch = ImagePatch(
            origin: line.centre - line.axis * (Double(width) / 2 * step) - line.down * (Double(height) / 2 * step),
            axis: line.axis, step: step, columns: width, rows: height)
        (top, bottom) = (Double(Self.margin), Double(Self.margin + boxRows))
        let grey = try picture.pixels(of: patch)
        guard let ink = InkSeparation(grey: grey, width: width, height: height, margin: Self.margin)?.ink else {
            return nil
        }
        self.ink = ink
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

    /// The pixels of a patch, row by row; beyond the edge it is repeated.
    func pixels(of patch: ImagePatch) throws -> [UInt8] {
        var level = 0
        // Nothing is skipped where the strip shows things smaller.
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

    /// false where there is nothing left to halve.
    private func makeLevel(_ level: Int) throws -> Bool {
        guard level == levels.count, let last = levels.last else { return level < levels.count }
        guard last.width > 8, last.height > 8 else { return false }
        levels.append(
            try last.resized(width: last.width / 2, height: last.height / 2, filter: .antialiasedBilinear))
        return true
    }
}
