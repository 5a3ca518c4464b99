import CVisionKernels

extension Raster {
    /// Returns floats computed from bytes: value × scale + bias, rounded to a float after each of the two operations.
    ///
    /// `target` is `.greyFloat` (colour is converted to grey; the first component of scale and bias is used) or
    /// `.planarRGBFloat` (in the order red, green, blue; grey is copied to all three planes).
    ///
    /// - Throws: `ImageError.unsupportedFormat` for other targets and for rasters of floats.
    package func normalised(to target: Format, scale: SIMD3<Float>, bias: SIMD3<Float>) throws -> Raster {
        switch (format, target) {
        case (.greyFloat, _), (.greyHalf, _), (.planarRGBFloat, _):
            throw ImageError.unsupportedFormat("only rasters of bytes can be normalised, not \(format)")
        case (.grey8, .greyFloat):
            return try greyFloat(scale: scale.x, bias: bias.x)
        case (_, .greyFloat):
            return try converted(to: .grey8).greyFloat(scale: scale.x, bias: bias.x)
        case (_, .planarRGBFloat):
            return try planarFloat(scale: scale, bias: bias)
        default:
            throw ImageError.unsupportedFormat(
                "the result of normalising is greyFloat or planarRGBFloat, not \(target)")
        }
    }

    /// Writes the pixels to the input tensor of a network: interleaved red, green and blue, each byte × scale + bias.
    ///
    /// - Parameter rowFloats: The distance between rows of `target`, in floats; nil for rows without padding.
    /// - Precondition: `target` has room for three floats a pixel.
    /// - Throws: `ImageError.unsupportedFormat` for rasters of floats.
    package func writeInterleaved(
        to target: UnsafeMutableBufferPointer<Float>, rowFloats: Int? = nil, scale: Float, bias: Float
    ) throws {
        guard format.planeCount == 1 else {
            throw ImageError.unsupportedFormat("only interleaved pixels can be written to a network, not \(format)")
        }
        let (width, _) = try kernelSize
        let rowFloats = rowFloats ?? self.width * 3
        precondition(rowFloats >= self.width * 3 && target.count >= (self.height - 1) * rowFloats + self.width * 3)
        guard let first = target.baseAddress else { return }
        // Other formats are converted by bands of rows, which stay in the cache and take little memory.
        let bandRows = format == .rgb8 ? self.height : max(1, Self.bandPixels / self.width)
        for row in stride(from: 0, to: self.height, by: bandRows) {
            let rows = min(bandRows, self.height - row)
            let band = cropped(x: 0, y: row, width: self.width, height: rows)
            let source = format == .rgb8 ? band : try band.converted(to: .rgb8)
            source.withUnsafePixels { pixels in
                cvk_f32_interleaved_from_c3(
                    first + row * rowFloats, rowFloats * 4, pixels.bytes, source.rowBytes, width, Int32(rows),
                    [scale, scale, scale], [bias, bias, bias])
            }
        }
    }

    private static let bandPixels = 8192

    private func greyFloat(scale: Float, bias: Float) throws -> Raster {
        let (width, height) = try kernelSize
        return try Raster(width: self.width, height: self.height, format: .greyFloat) { target, rowBytes in
            withUnsafePixels { source in
                cvk_f32_from_u8(target.floats, rowBytes, source.bytes, self.rowBytes, width, height, scale, bias)
            }
        }
    }

    private func planarFloat(scale: SIMD3<Float>, bias: SIMD3<Float>) throws -> Raster {
        let (width, height) = try kernelSize
        let source = format == .bgr8 ? try converted(to: .rgb8) : self
        let scales = [scale.x, scale.y, scale.z]
        let biases = [bias.x, bias.y, bias.z]
        return try Raster(width: self.width, height: self.height, format: .planarRGBFloat) { target, rowBytes in
            let planeBytes = rowBytes * self.height
            source.withUnsafePixels { pixels in
                if source.format == .grey8 {
                    for plane in 0..<3 {
                        cvk_f32_from_u8(
                            (target + plane * planeBytes).floats, rowBytes, pixels.bytes, source.rowBytes, width,
                            height,
                            scales[plane], biases[plane])
                    }
                } else if source.format.bytesPerPixel == 4, let channels = source.format.channels {
                    cvk_f32_planar_from_c4(
                        target.floats, rowBytes, planeBytes, pixels.bytes, source.rowBytes, width, height,
                        [channels.red, channels.green, channels.blue], scales, biases)
                } else {
                    cvk_f32_planar_from_c3(
                        target.floats, rowBytes, planeBytes, pixels.bytes, source.rowBytes, width, height, scales,
                        biases)
                }
            }
        }
    }
}
