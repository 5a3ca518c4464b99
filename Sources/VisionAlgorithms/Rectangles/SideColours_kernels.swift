import CVisionKernels
package import VisionImage

/// The colours along and across the sides of quads.
package struct SideColours: Sendable {
    /// Of four channels, three colours first.
    private let image: Raster

    package var width: Int { image.width }
    package var height: Int { image.height }

    /// - Parameter image: Bytes of one, three or four channels.
    /// - Precondition: The image has at least 2 × 2 pixels.
    /// - Throws: `ImageError`.
    package init(_ image: Raster) throws {
        precondition(image.width >= 2 && image.height >= 2 && image.width < 1 << 24 && image.height < 1 << 24)
        self.image = try [.rgba8, .bgra8].contains(image.format) ? image : image.converted(to: .rgba8)
    }

    /// What lies across a side, at places along it.
    struct Band {
        /// Rows of a multiple of `CVK_PLANAR_CELL` samples, three colours each.
        fileprivate let values: [Float]
        fileprivate let columns: Int

        /// - Parameter sample: From left to right of the side as it goes, in the coordinates of an image.
        func colour(_ place: Int, _ sample: Int) -> SIMD3<Float> {
            let first = 3 * (place * columns + sample)
            return SIMD3(values[first], values[first + 1], values[first + 2])
        }
    }

    /// Samples of a side, bilinear; beyond the image its edge goes on.
    ///
    /// - Parameters:
    ///   - places: How many along the side, in the middles of as many equal parts of it without its `ends`, a part of its length.
    ///   - samples: How many across it, half of them on each side of it and one on it, `step` pixels apart.
    func across(
        from a: PlanarPoint, to b: PlanarPoint, places: Int, ends: Double, samples: Int, step: Double
    ) -> Band {
        let length = max(a.distance(to: b), 1)
        let normal = PlanarPoint(x: -(b.y - a.y) / length * step, y: (b.x - a.x) / length * step)
        let part = (1 - 2 * ends) / Double(places), first = ends + part / 2, half = Double(samples / 2)
        // Samples to the right and places down, to places of the image's pixels.
        let map = Homography(
            [normal.x, (b.x - a.x) * part, a.x + (b.x - a.x) * first - half * normal.x - 0.5],
            [normal.y, (b.y - a.y) * part, a.y + (b.y - a.y) * first - half * normal.y - 0.5], [0, 0, 1])
        let cell = Int(CVK_PLANAR_CELL), columns = (samples + cell - 1) / cell * cell
        var kernelMap = map.kernelMap
        let values = [Float](unsafeUninitializedCapacity: 3 * columns * places) { values, count in
            image.withUnsafePixels { pixels in
                cvk_u8_planar_picture(
                    values.baseAddress, pixels.assumingMemoryBound(to: UInt8.self), image.rowBytes, Int32(image.width),
                    Int32(image.height), Int32(columns), Int32(places), &kernelMap, 1, 0)
            }
            count = 3 * columns * places
        }
        return Band(values: values, columns: columns)
    }
}
