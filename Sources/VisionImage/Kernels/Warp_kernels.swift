import CVisionKernels

/// The value of samples outside of the source of a warp.
package enum WarpBorder: Hashable, Sendable {
    /// Zero in every channel: transparent black if there is alpha.
    case black
    /// The nearest pixel of the border.
    case replicate
}

extension Raster {
    /// Returns an image whose pixels are sampled at the positions given by `map`, bilinearly with a resolution of 1/128
    /// pixel.
    ///
    /// `map` maps from the result to this raster, in pixels with the origin at the top left corner, y down; the centre
    /// of the first pixel is (0.5, 0.5) in both.
    ///
    /// - Throws: `ImageError.invalidArgument` for a map that is not finite or maps further than 2^28 pixels away, and
    ///   for impossible sizes; `ImageError.unsupportedFormat` for floats.
    package func warped(by map: CGAffineTransform, width: Int, height: Int, border: WarpBorder) throws -> Raster {
        let source = try kernelSize
        let size = try Self.kernelSize(width: width, height: height)
        guard format.planeCount == 1, format != .greyFloat, format != .greyHalf else {
            throw ImageError.unsupportedFormat("\(format) pixels cannot be warped; convert them to bytes first")
        }
        let (a, b, c, d) = (Double(map.a), Double(map.b), Double(map.c), Double(map.d))
        let (tx, ty) = (Double(map.tx), Double(map.ty))
        let reach = max(
            abs(a) * Double(width) + abs(c) * Double(height) + abs(tx),
            abs(b) * Double(width) + abs(d) * Double(height) + abs(ty))
        // The maximum of two numbers may hide that one is NaN.
        guard reach < 0x1p28, [a, b, c, d, tx, ty].allSatisfy(\.isFinite) else {
            throw ImageError.invalidArgument("the transform of the warp maps further than 2^28 pixels away")
        }
        func fixed(_ value: Double) -> Int64 { Int64((value * 0x1p32).rounded()) }
        var kernelMap = cvk_affine(
            xx: fixed(a), xy: fixed(c), x0: fixed((a + c - 1) / 2 + tx), yx: fixed(b), yy: fixed(d),
            y0: fixed((b + d - 1) / 2 + ty))
        let black: [UInt8] = [0, 0, 0, 0]
        let kernelBorder = Int32((border == .black ? CVK_BORDER_CONSTANT : CVK_BORDER_REPLICATE).rawValue)
        return try Raster(width: width, height: height, format: format) { target, rowBytes in
            withUnsafePixels { pixels in
                cvk_u8_warp_affine(
                    target.bytes, rowBytes, pixels.bytes, self.rowBytes, size.width, size.height, source.width,
                    source.height, Int32(format.bytesPerPixel), &kernelMap, kernelBorder, black)
            }
        }
    }
}
