import CVisionKernels
package import VisionImage

/// Rectified crops of quads in an image, with a margin around them, sampled from the pyramid level whose pixels are
/// about as large as the crop's.
package struct QuadCrops: Sendable {
    /// The number of rows and columns of a crop.
    private let side: Int
    /// The pyramid of the image in four channels: full size, 1/2, 1/4 ….
    private let levels: [Raster]

    /// - Parameter image: Bytes of one, three or four channels.
    /// - Precondition: The image has at least 2 × 2 pixels; `side` is a multiple of 16.
    /// - Throws: `ImageError`.
    package init(_ image: Raster, side: Int) throws {
        precondition(side > 0 && side % Int(CVK_PLANAR_CELL) == 0)
        precondition(image.width >= 2 && image.height >= 2 && image.width < 1 << 24 && image.height < 1 << 24)
        var levels = [try image.format == .rgba8 ? image : image.converted(to: .rgba8)]
        while let last = levels.last, min(last.width, last.height) > 40 {
            let (width, height) = (last.width / 2, last.height / 2)
            levels.append(
                try Raster(width: width, height: height, format: .rgba8) { pixels, rowBytes in
                    last.withUnsafePixels { source in
                        cvk_u8_halve_c4(
                            pixels.assumingMemoryBound(to: UInt8.self), rowBytes,
                            source.assumingMemoryBound(to: UInt8.self), last.rowBytes, Int32(width), Int32(height))
                    }
                })
        }
        (self.levels, self.side) = (levels, side)
    }

    /// Writes the crop of a quad, rows of red, green and blue as value / 128 - 1. The image border is replicated.
    ///
    /// - Parameters:
    ///   - map: Maps the square from -1 to 1 to the quad, in pixels of the image.
    ///   - margin: The number of rows and columns around the quad on each side.
    ///   - target: Has as many floats as the crop.
    package func write(_ map: Homography, margin: Int, to target: UnsafeMutableBufferPointer<Float>) {
        precondition(target.count == 3 * side * side && margin >= 0 && 2 * margin < side)
        let sides = map.quad.sides
        let inner = Double(side - 2 * margin)
        var (level, size) = (0, (sides.width + sides.height) / 2 / inner)
        while size >= 2, level < levels.count - 1 { (level, size) = (level + 1, size / 2) }
        let shrink = 1 / Double(1 << level), half = Double(side) / 2
        let cropMap =
            Homography([shrink, 0, -0.5], [0, shrink, -0.5], [0, 0, 1]) * map
            * Homography([2 / inner, 0, (1 - 2 * half) / inner], [0, 2 / inner, (1 - 2 * half) / inner], [0, 0, 1])
        var kernelMap = cropMap.kernelMap
        let raster = levels[level]
        raster.withUnsafePixels { pixels in
            cvk_u8_planar_picture(
                target.baseAddress, pixels.assumingMemoryBound(to: UInt8.self), raster.rowBytes, Int32(raster.width),
                Int32(raster.height), Int32(side), Int32(side), &kernelMap, 1 / 128, -1)
        }
    }
}
