import VisionAlgorithms
import VisionImage
import VisionInference

/// A square of a frame, and the picture of a network that it becomes. Beyond the frame there is its mean colour.
struct SearchWindow {
    var centreX: Double
    var centreY: Double
    /// Of the square, in pixels of the frame.
    var side: Double
    /// Rows and columns of the picture.
    let pixels: Int

    /// Pixels of the picture for one of the frame.
    var scale: Double { Double(pixels) / side }

    /// The side of the square that a template shows around a box; a search window shows one of twice the side.
    static func templateSide(width: Double, height: Double) -> Double {
        let margin = (width + height) / 2
        return ((width + margin) * (height + margin)).squareRoot()
    }

    /// Where a place of the picture lies in the frame.
    func inFrame(x: Double, y: Double) -> (x: Double, y: Double) {
        (centreX + (x - Double(pixels) / 2) / scale, centreY + (y - Double(pixels) / 2) / scale)
    }

    /// Writes the picture as three planes of (value - 127) / 128, all of `target`.
    func write(_ frame: any TrackingFrame, fill: SIMD3<Float>, to target: TensorView) throws {
        let planes: UnsafeMutableBufferPointer<Float> = target.elements()
        precondition(planes.count == 3 * pixels * pixels)
        let columns = part(centre: centreX, extent: frame.width)
        let rows = part(centre: centreY, extent: frame.height)
        let isWhole = columns.map { $0.count == pixels } ?? false && rows.map { $0.count == pixels } ?? false
        if !isWhole {
            for plane in 0..<3 {
                for index in plane * pixels * pixels..<(plane + 1) * pixels * pixels { planes[index] = fill[plane] }
            }
        }
        guard let columns, let rows else { return }
        var region = PixelRegion(
            x: columns.start, y: rows.start, width: columns.length, height: rows.length)
        // Filters look a little beyond the region.
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
            width: columns.count, height: rows.count, filter: scale < 1 ? .antialiasedBilinear : .bilinear,
            region: region)
        try Self.planes(of: cut).withUnsafePixels { source in
            let floats = source.assumingMemoryBound(to: Float.self)
            let rowFloats = Raster.rowBytes(width: cut.width, format: .planarRGBFloat) / 4
            for plane in 0..<3 {
                for row in 0..<cut.height {
                    let from = (plane * cut.height + row) * rowFloats
                    let to = (plane * pixels + rows.first + row) * pixels + columns.first
                    for column in 0..<cut.width { planes[to + column] = floats[from + column] }
                }
            }
        }
    }

    /// The mean colour of a frame, as the networks take it.
    static func meanColour(of frame: Raster) throws -> SIMD3<Float> {
        // In two steps, so that no filter has to be as wide as a large frame.
        let small = try frame.resized(
            width: min(frame.width, 64), height: min(frame.height, 64), filter: .area)
        return try planes(of: small.resized(width: 1, height: 1, filter: .area)).withUnsafePixels { source in
            let floats = source.assumingMemoryBound(to: Float.self)
            let step = Raster.rowBytes(width: 1, format: .planarRGBFloat) / 4
            return SIMD3(floats[0], floats[step], floats[2 * step])
        }
    }

    private static func planes(of raster: Raster) throws -> Raster {
        try raster.normalised(
            to: .planarRGBFloat, scale: SIMD3(repeating: 1 / 128), bias: SIMD3(repeating: -127 / 128))
    }

    /// The whole pixels of the picture, on one axis, that lie within a frame of `extent` pixels, and what they show of it.
    private func part(centre: Double, extent: Int) -> (first: Int, count: Int, start: Double, length: Double)? {
        let origin = centre - side / 2
        let low = max(0, (-origin * scale - 1e-6).rounded(.up))
        let high = min(Double(pixels), ((Double(extent) - origin) * scale + 1e-6).rounded(.down))
        guard low < high else { return nil }
        let start = max(0, origin + low / scale)
        let end = min(Double(extent), origin + high / scale)
        guard start < end else { return nil }
        return (Int(low), Int(high) - Int(low), start, end - start)
    }
}
