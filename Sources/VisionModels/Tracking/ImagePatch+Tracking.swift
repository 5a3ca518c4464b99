import VisionAlgorithms
import VisionImage
import VisionInference

// Patches of frames are upright rectangles. Pixels beyond the frame have its mean colour.

extension ImagePatch {
    /// Creates a patch of this size whose top left corner is (`x`, `y`) of the frame.
    init(x: Double, y: Double, scale: Double, columns: Int, rows: Int) {
        let extent = SIMD2(Double(columns), Double(rows)) / scale
        self.init(centre: SIMD2(x, y) + extent / 2, extent: extent, columns: columns, rows: rows)
    }

    /// Returns the side of the square around a box that a template covers; a search window has twice the side.
    static func templateSide(width: Double, height: Double) -> Double {
        let margin = (width + height) / 2
        return ((width + margin) * (height + margin)).squareRoot()
    }

    /// Returns the position of a point of the patch in the frame: `imagePoint`, with the rounding of earlier releases.
    func framePoint(x: Double, y: Double) -> (x: Double, y: Double) {
        (centre.x + (x - Double(columns) / 2) / scale, centre.y + (y - Double(rows) / 2) / scale)
    }

    /// Writes the patch, red, green and blue of a pixel side by side as (value - 127) / 128, all of `target`.
    func write(_ frame: any TrackingFrame, fill: SIMD3<Float>, to target: TensorView) throws {
        let floats: UnsafeMutableBufferPointer<Float> = target.elements()
        precondition(floats.count == 3 * columns * rows)
        let across = part(centre: centre.x, length: extent.x, pixels: columns, extent: frame.width)
        let down = part(centre: centre.y, length: extent.y, pixels: rows, extent: frame.height)
        let isWhole = across.map { $0.count == columns } ?? false && down.map { $0.count == rows } ?? false
        if !isWhole {
            for pixel in 0..<columns * rows {
                for channel in 0..<3 { floats[3 * pixel + channel] = fill[channel] }
            }
        }
        guard let across, let down else { return }
        var region = PixelRegion(x: across.start, y: down.start, width: across.length, height: down.length)
        // Resampling filters read pixels a little beyond the region.
        let reach = 2 / min(scale, 1) + 1
        let colour = try frame.colour(
            covering: PixelRegion(
                x: region.x - reach, y: region.y - reach, width: region.width + 2 * reach,
                height: region.height + 2 * reach))
        region.x = max(0, region.x - Double(colour.x))
        region.y = max(0, region.y - Double(colour.y))
        region.width = min(region.width, Double(colour.pixels.width) - region.x)
        region.height = min(region.height, Double(colour.pixels.height) - region.y)
        let cut = try colour.pixels.resized(
            width: across.count, height: down.count, filter: scale < 1 ? .antialiasedBilinear : .bilinear,
            region: region)
        let first = 3 * (down.first * columns + across.first)
        try cut.writeInterleaved(
            to: .init(rebasing: floats[first...]), rowFloats: 3 * columns, scale: 1 / 128, bias: -127 / 128)
    }

    /// Returns the mean colour of a frame, scaled as the networks' input.
    static func meanColour(of frame: Raster) throws -> SIMD3<Float> {
        // Two steps, so that no filter is as wide as a large frame.
        let small = try frame.resized(
            width: min(frame.width, 64), height: min(frame.height, 64), filter: .area)
        let dot = try small.resized(width: 1, height: 1, filter: .area).normalised(
            to: .planarRGBFloat, scale: SIMD3(repeating: 1 / 128), bias: SIMD3(repeating: -127 / 128))
        return dot.withUnsafePixels { source in
            let floats = source.assumingMemoryBound(to: Float.self)
            let step = Raster.rowBytes(width: 1, format: .planarRGBFloat) / 4
            return SIMD3(floats[0], floats[step], floats[2 * step])
        }
    }

    /// Returns the whole pixels of the patch, on one axis, that lie within a frame of `extent` pixels, and the part of
    /// the frame that they cover.
    private func part(
        centre: Double, length: Double, pixels: Int, extent: Int
    ) -> (first: Int, count: Int, start: Double, length: Double)? {
        let origin = centre - length / 2
        let low = max(0, (-origin * scale - 1e-6).rounded(.up))
        let high = min(Double(pixels), ((Double(extent) - origin) * scale + 1e-6).rounded(.down))
        guard low < high else { return nil }
        let start = max(0, origin + low / scale)
        let end = min(Double(extent), origin + high / scale)
        guard start < end else { return nil }
        return (Int(low), Int(high) - Int(low), start, end - start)
    }
}
