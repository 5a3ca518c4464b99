import CVisionKernels

/// 8-bit Y'CbCr pixels with one chroma sample for 2 × 2 pixels, in memory that the creator keeps alive. Chroma planes
/// have (width + 1) / 2 columns and (height + 1) / 2 rows.
package struct YCbCrPlanes {
    package enum Chroma {
        /// Cb and Cr interleaved.
        case interleaved(UnsafeRawPointer, rowBytes: Int)
        case planar(cb: UnsafeRawPointer, cbRowBytes: Int, cr: UnsafeRawPointer, crRowBytes: Int)
    }

    package var width: Int
    package var height: Int
    package var luma: UnsafeRawPointer
    package var lumaRowBytes: Int
    package var chroma: Chroma
    package var matrix: YCbCrMatrix
    /// Whether luma and chroma are 0…255; otherwise luma is 16…235 and chroma 16…240.
    package var isFullRange: Bool
}

extension Raster {
    /// Converts Y'CbCr planes: `.grey8` is the luma, expanded to 0…255 if necessary; `.rgb8` and `.bgra8` are converted
    /// in fixed point, with the nearest chroma sample of each pixel; other formats are converted through `.rgb8`.
    ///
    /// - Throws: `ImageError.invalidArgument` if the rows of a plane are shorter than its width, or for impossible
    ///   sizes, and errors of `converted(to:)`.
    package init(_ planes: YCbCrPlanes, as format: Format) throws {
        let size = try Self.kernelSize(width: planes.width, height: planes.height)
        let chromaWidth = (planes.width + 1) / 2
        let rowsAreLongEnough =
            switch planes.chroma {
            case .interleaved(_, let rowBytes): rowBytes >= 2 * chromaWidth
            case .planar(_, let cbRowBytes, _, let crRowBytes): cbRowBytes >= chromaWidth && crRowBytes >= chromaWidth
            }
        guard planes.lumaRowBytes >= planes.width, rowsAreLongEnough else {
            throw ImageError.invalidArgument("the rows of a Y'CbCr plane are shorter than \(planes.width) pixels need")
        }
        switch format {
        case .grey8:
            self = try Raster(width: planes.width, height: planes.height, format: .grey8) { target, rowBytes in
                if planes.isFullRange {
                    cvk_b1_copy(
                        target.bytes, rowBytes, planes.luma.bytes, planes.lumaRowBytes, size.width, size.height)
                } else {
                    cvk_u8_grey_from_video_luma(
                        target.bytes, rowBytes, planes.luma.bytes, planes.lumaRowBytes, size.width, size.height)
                }
            }
        case .rgb8, .bgra8:
            self = try Raster(width: planes.width, height: planes.height, format: format) { target, rowBytes in
                Self.fill(target, rowBytes, planes, size, isRGB: format == .rgb8)
            }
        case .greyFloat:
            self = try Raster(planes, as: .grey8).converted(to: format)
        case .bgr8, .rgba8, .argb8, .planarRGBFloat, .greyHalf:
            self = try Raster(planes, as: .rgb8).converted(to: format)
        }
    }

    /// Converts a buffer in one of the 420 formats, with the matrix that its attachment names (BT.601 without one). The
    /// caller holds the lock.
    ///
    /// - Throws: `ImageError.unsupportedFormat` for a buffer of another format, and errors of `init(_:as:)`.
    package init(_ buffer: CVPixelBuffer, as format: Format) throws {
        guard case .yCbCr(let isFullRange) = buffer.layout.kind, buffer.planes.count >= 2 else {
            throw ImageError.unsupportedFormat("the pixel buffer is not in one of the 420 Y'CbCr formats")
        }
        let planes = buffer.planes
        let chroma: YCbCrPlanes.Chroma =
            planes.count == 2
            ? .interleaved(planes[1].address, rowBytes: planes[1].rowBytes)
            : .planar(
                cb: planes[1].address, cbRowBytes: planes[1].rowBytes, cr: planes[2].address,
                crRowBytes: planes[2].rowBytes)
        self = try withExtendedLifetime(buffer) {
            try Raster(
                YCbCrPlanes(
                    width: buffer.width, height: buffer.height, luma: planes[0].address,
                    lumaRowBytes: planes[0].rowBytes, chroma: chroma, matrix: buffer.yCbCrMatrix,
                    isFullRange: isFullRange),
                as: format)
        }
    }

    private static func fill(
        _ target: UnsafeMutableRawPointer, _ rowBytes: Int, _ planes: YCbCrPlanes,
        _ size: (width: Int32, height: Int32),
        isRGB: Bool
    ) {
        var matrix = cvk_yuv_matrix_make(
            planes.matrix == .bt709 ? CVK_YUV_BT709 : CVK_YUV_BT601, planes.isFullRange ? 1 : 0)
        switch planes.chroma {
        case .interleaved(let chroma, let chromaRowBytes):
            let kernel = isRGB ? cvk_u8_rgb_from_420_biplanar : cvk_u8_bgra_from_420_biplanar
            kernel(
                target.bytes, rowBytes, planes.luma.bytes, planes.lumaRowBytes, chroma.bytes, chromaRowBytes,
                size.width,
                size.height, &matrix)
        case .planar(let cb, let cbRowBytes, let cr, let crRowBytes):
            let kernel = isRGB ? cvk_u8_rgb_from_420_planar : cvk_u8_bgra_from_420_planar
            kernel(
                target.bytes, rowBytes, planes.luma.bytes, planes.lumaRowBytes, cb.bytes, cbRowBytes, cr.bytes,
                crRowBytes,
                size.width, size.height, &matrix)
        }
    }
}
