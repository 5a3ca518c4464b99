import CVisionKernels

extension Raster {
    /// Returns the upright pixels of a raster that is stored in the given orientation; the raster itself if it is
    /// upright.
    ///
    /// - Throws: `ImageError.unsupportedFormat` for half and planar floats.
    package func oriented(_ orientation: CGImagePropertyOrientation) throws -> Raster {
        if orientation == .up { return self }
        let bytes = format.bytesPerPixel
        guard format.planeCount == 1, bytes != 2 else {
            throw ImageError.unsupportedFormat("\(format) pixels cannot be rotated; convert them first")
        }
        // A transpose that reads the source's rows, or writes the result's, in reverse order gives all quarter turns.
        let sourceIsFlipped: Bool
        let resultIsFlipped: Bool
        switch orientation {
        case .up, .upMirrored, .leftMirrored: (sourceIsFlipped, resultIsFlipped) = (false, false)
        case .down, .downMirrored, .right: (sourceIsFlipped, resultIsFlipped) = (true, false)
        case .rightMirrored: (sourceIsFlipped, resultIsFlipped) = (true, true)
        case .left: (sourceIsFlipped, resultIsFlipped) = (false, true)
        }
        let transpose = bytes == 1 ? cvk_b1_transpose : bytes == 3 ? cvk_b3_transpose : cvk_b4_transpose
        let mirror = bytes == 1 ? cvk_b1_mirror : bytes == 3 ? cvk_b3_mirror : cvk_b4_mirror
        let (width, height) = orientation.swapsAxes ? (self.height, self.width) : (self.width, self.height)
        let size = try Self.kernelSize(width: width, height: height)
        return try Raster(width: width, height: height, format: format) { target, rowBytes in
            withUnsafePixels { pixels in
                let source = (sourceIsFlipped ? pixels + (self.height - 1) * self.rowBytes : pixels).bytes
                let sourceStride = sourceIsFlipped ? -self.rowBytes : self.rowBytes
                let result = (resultIsFlipped ? target + (height - 1) * rowBytes : target).bytes
                let resultStride = resultIsFlipped ? -rowBytes : rowBytes
                switch orientation {
                case .up, .downMirrored:
                    cvk_b1_copy(result, resultStride, source, sourceStride, Int32(width * bytes), size.height)
                case .upMirrored, .down:
                    mirror(result, resultStride, source, sourceStride, size.width, size.height)
                case .leftMirrored, .right, .rightMirrored, .left:
                    transpose(result, resultStride, source, sourceStride, size.width, size.height)
                }
            }
        }
    }
}
