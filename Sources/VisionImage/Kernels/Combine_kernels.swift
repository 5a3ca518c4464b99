import CVisionKernels

extension Raster {
    /// Returns the image with its local contrast changed: each pixel's difference from its local mean, times `gain`,
    /// plus `middle` times that mean, plus `offset`; clamped to 0…255.
    ///
    /// `gain` 1, `middle` 1 is the identity; `gain` 3, `middle` 1 sharpens; a large gain with `middle` 0 and the offset
    /// 128 is an adaptive threshold; a negative gain inverts.
    ///
    /// - Parameter reach: The columns and rows of the block over which the mean is taken, at least 1.
    /// - Throws: `ImageError.unsupportedFormat` if this is not `grey8`.
    package func contrasted(
        reach: (columns: Int, rows: Int), gain: Double, middle: Double = 1, offset: Double = 0
    ) throws -> Raster {
        guard format == .grey8 else {
            throw ImageError.unsupportedFormat("\(format) pixels cannot be sharpened; convert them to grey first")
        }
        let columns = max(1, width / max(1, reach.columns))
        let rows = max(1, height / max(1, reach.rows))
        let mean = try resized(width: columns, height: rows, filter: .area)
            .resized(width: width, height: height, filter: .bilinear)
        return try combined(gain, with: mean, times: middle - gain, offset: offset)
    }

    /// Returns 255 minus each byte.
    package func inverted() throws -> Raster { try combined(-1, with: self, times: 0, offset: 255) }

    /// Returns this image times a factor, plus another of the same size times a factor, plus an offset, clamped to
    /// 0…255. Factors are rounded to 1/64, from -256 to 256.
    private func combined(_ factor: Double, with other: Raster, times otherFactor: Double, offset: Double) throws
        -> Raster
    {
        guard format == .grey8, other.format == .grey8 else {
            throw ImageError.unsupportedFormat("only grey pixels can be combined; convert them first")
        }
        precondition(other.width == width && other.height == height)
        func fixed(_ value: Double) -> Int32 {
            guard value.isFinite else { return 0 }
            return Int32((max(-65_536, min(65_536, value)) * 64).rounded())
        }
        let limit: Int32 = 1 << 14
        let weights = [factor, otherFactor].map { max(-limit, min(limit, fixed($0))) }
        let size = try kernelSize
        return try Raster(width: width, height: height, format: .grey8) { target, rowBytes in
            withUnsafePixels { pixels in
                other.withUnsafePixels { others in
                    cvk_u8_combine(
                        target.bytes, rowBytes, pixels.bytes, self.rowBytes, others.bytes, other.rowBytes, size.width,
                        size.height, weights[0], weights[1], fixed(offset) + 32)
                }
            }
        }
    }
}
