import CVisionKernels
package import VisionImage

/// Rectifies a quad of an image: the rectangle of which the quad is a view in perspective.
package struct PageRectifier: Sendable {
    /// The longest side of a result.
    package static let longestSide = 8192
    /// The rows that are sampled at a time.
    private static let bandRows = 64

    /// The image with four bytes a pixel, red first.
    private let image: Raster

    /// - Parameter image: Bytes of one, three or four channels, at least 2 × 2 pixels.
    /// - Throws: `ImageError`.
    package init(_ image: Raster) throws {
        guard image.width >= 2, image.height >= 2, max(image.width, image.height) < 1 << 24 else {
            throw ImageError.invalidArgument(
                "an image of \(image.width) × \(image.height) pixels cannot be rectified")
        }
        self.image = try image.format == .rgba8 ? image : image.converted(to: .rgba8)
    }

    /// Returns the size of the rectangle: its proportions are estimated from the perspective, and it has about as many
    /// pixels as the quad's longer sides.
    package func size(of quad: PlanarQuad) -> (width: Int, height: Int) {
        let (a, b, c, d) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        let (across, down) = (max(a.distance(to: b), d.distance(to: c)), max(a.distance(to: d), b.distance(to: c)))
        let ratio = quad.widthToHeight(width: Double(image.width), height: Double(image.height))
        let area = max(across * down, 1)
        let (width, height) = ((area * ratio).squareRoot(), (area / ratio).squareRoot())
        let scale = min(1, Double(Self.longestSide) / max(width, height))
        func side(_ length: Double) -> Int {
            length.isFinite ? min(max(Int((length * scale).rounded()), 1), Self.longestSide) : 1
        }
        return (side(width), side(height))
    }

    /// Returns the rectified quad by bilinear interpolation, red first. Beyond the image its border is repeated.
    ///
    /// - Throws: `ImageError.invalidArgument` for a quad that is not the view of a rectangle.
    package func page(_ quad: PlanarQuad, width: Int, height: Int) throws -> Raster {
        guard quad.isFinite, let square = Homography(squareTo: quad), width > 0, height > 0,
            max(width, height) <= Self.longestSide
        else { throw ImageError.invalidArgument("the corners are not those of a rectangle in perspective") }
        let cell = Int(CVK_PLANAR_CELL)
        let columns = (width + cell - 1) / cell * cell
        var floats = [Float](repeating: 0, count: 3 * columns * Self.bandRows)
        return try Raster(width: width, height: height, format: .rgba8) { target, rowBytes in
            for top in stride(from: 0, to: height, by: Self.bandRows) {
                let rows = min(Self.bandRows, height - top)
                // From a pixel of the band to the square of -1 to 1, and to pixels of the image.
                let (stepX, stepY) = (2 / Double(width), 2 / Double(height))
                let map =
                    Homography.translation(x: -0.5, y: -0.5) * square
                    * Homography(
                        [stepX, 0, stepX / 2 - 1], [0, stepY, (Double(top) + 0.5) * stepY - 1], [0, 0, 1])
                var kernelMap = map.kernelMap
                floats.withUnsafeMutableBufferPointer { floats in
                    image.withUnsafePixels { pixels in
                        cvk_u8_planar_picture(
                            floats.baseAddress, pixels.assumingMemoryBound(to: UInt8.self), image.rowBytes,
                            Int32(image.width), Int32(image.height), Int32(columns), Int32(rows), &kernelMap, 1, 0)
                    }
                    for y in 0..<rows {
                        let row = (target + (top + y) * rowBytes).assumingMemoryBound(to: UInt8.self)
                        for x in 0..<width {
                            let from = 3 * (y * columns + x)
                            for channel in 0..<3 {
                                row[4 * x + channel] = UInt8(min(max(floats[from + channel] + 0.5, 0), 255))
                            }
                            row[4 * x + 3] = 255
                        }
                    }
                }
            }
        }
    }
}
