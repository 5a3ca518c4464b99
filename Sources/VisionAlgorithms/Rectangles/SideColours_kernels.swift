import CVisionKernels
package import VisionImage

/// Samples the colours along and across the sides of quads.
package struct SideColours: Sendable {
    /// The image with four channels, three colours first.
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

    /// The colour profiles across a side at several positions along it.
    struct Band {
        /// Profiles of a multiple of `CVK_PLANAR_CELL` samples, three colours each.
        fileprivate let values: [Float]
        fileprivate let columns: Int

        /// Returns the colour of a sample; samples are ordered from left to right of the side's direction, in image
        /// coordinates.
        func colour(_ position: Int, _ sample: Int) -> SIMD3<Float> {
            let first = 3 * (position * columns + sample)
            return SIMD3(values[first], values[first + 1], values[first + 2])
        }
    }

    /// Samples a band along a side with bilinear interpolation; the image border is replicated.
    ///
    /// - Parameters:
    ///   - positions: The number of profiles, at the centres of equal parts of the side after removing the relative
    ///     length `ends` at both ends.
    ///   - samples: The number of samples in a profile, half of them on each side and one on the side itself, `step`
    ///     pixels apart.
    func across(
        from a: PlanarPoint, to b: PlanarPoint, positions: Int, ends: Double, samples: Int, step: Double
    ) -> Band {
        let length = max(a.distance(to: b), 1)
        let normal = PlanarPoint(x: -(b.y - a.y) / length * step, y: (b.x - a.x) / length * step)
        let part = (1 - 2 * ends) / Double(positions), first = ends + part / 2, half = Double(samples / 2)
        // From (sample, position) to pixels of the image.
        let map = Homography(
            [normal.x, (b.x - a.x) * part, a.x + (b.x - a.x) * first - half * normal.x - 0.5],
            [normal.y, (b.y - a.y) * part, a.y + (b.y - a.y) * first - half * normal.y - 0.5], [0, 0, 1])
        let cell = Int(CVK_PLANAR_CELL), columns = (samples + cell - 1) / cell * cell
        var kernelMap = map.kernelMap
        let values = [Float](unsafeUninitializedCapacity: 3 * columns * positions) { values, count in
            image.withUnsafePixels { pixels in
                cvk_u8_planar_picture(
                    values.baseAddress, pixels.assumingMemoryBound(to: UInt8.self), image.rowBytes, Int32(image.width),
                    Int32(image.height), Int32(columns), Int32(positions), &kernelMap, 1, 0)
            }
            count = 3 * columns * positions
        }
        return Band(values: values, columns: columns)
    }
}
