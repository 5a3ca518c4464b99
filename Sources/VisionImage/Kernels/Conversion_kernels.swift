import CVisionKernels

extension Raster {
    /// Returns the pixels in another format; the raster itself if it already has that format.
    ///
    /// Grey is computed with the luma weights of BT.601 (0.299, 0.587, 0.114), rounded to nearest. Alpha is preserved;
    /// it is 255 if the source has none, and is dropped (not multiplied in) if the result has none. Floats lie between
    /// 0 and 1: bytes are divided by 255; in the other direction values outside are clamped and NaN becomes 0. To
    /// choose scale and bias, use `normalised`.
    ///
    /// - Throws: `ImageError.unsupportedFormat` for half floats as result and planar floats as source.
    package func converted(to target: Format) throws -> Raster {
        if target == format { return self }
        switch (format, target) {
        case (.planarRGBFloat, _), (_, .greyHalf):
            throw ImageError.unsupportedFormat("pixels cannot be converted from \(format) to \(target)")
        case (.greyHalf, .greyFloat):
            return try singleFromHalf()
        case (.greyHalf, _):
            return try singleFromHalf().converted(to: target)
        case (.greyFloat, .grey8):
            return try bytesFromFloat()
        case (.greyFloat, _):
            return try bytesFromFloat().converted(to: target)
        case (_, .greyFloat), (_, .planarRGBFloat):
            return try normalised(to: target, scale: SIMD3(repeating: 1 / 255), bias: .zero)
        case (.grey8, _):
            return try colourFromGrey(target)
        case (_, .grey8):
            return try greyFromColour()
        default:
            return try reordered(target)
        }
    }

    private func greyFromColour() throws -> Raster {
        guard let channels = format.channels else {
            throw ImageError.unsupportedFormat("pixels cannot be converted from \(format) to grey8")
        }
        // Fixed-point weights of 15 bits with the sum 2^15.
        var weights: [Int16] = [0, 0, 0, 0]
        weights[Int(channels.red)] = 9798
        weights[Int(channels.green)] = 19235
        weights[Int(channels.blue)] = 3735
        let (width, height) = try kernelSize
        let kernel = format.bytesPerPixel == 4 ? cvk_u8_grey_from_c4 : cvk_u8_grey_from_c3
        return try Raster(width: self.width, height: self.height, format: .grey8) { target, rowBytes in
            withUnsafePixels { kernel(target.bytes, rowBytes, $0.bytes, self.rowBytes, width, height, weights) }
        }
    }

    private func colourFromGrey(_ format: Format) throws -> Raster {
        let (width, height) = try kernelSize
        return try Raster(width: self.width, height: self.height, format: format) { target, rowBytes in
            withUnsafePixels { source in
                if let alpha = format.channels?.alpha {
                    cvk_u8_c4_from_grey(
                        target.bytes, rowBytes, source.bytes, self.rowBytes, width, height, Int32(alpha))
                } else {
                    cvk_u8_c3_from_grey(target.bytes, rowBytes, source.bytes, self.rowBytes, width, height)
                }
            }
        }
    }

    private func reordered(_ target: Format) throws -> Raster {
        guard let from = format.channels, let to = target.channels else {
            throw ImageError.unsupportedFormat("pixels cannot be converted from \(format) to \(target)")
        }
        var order = [UInt8](repeating: 0, count: target.bytesPerPixel)
        order[Int(to.red)] = from.red
        order[Int(to.green)] = from.green
        order[Int(to.blue)] = from.blue
        if let alpha = to.alpha { order[Int(alpha)] = from.alpha ?? UInt8(CVK_OPAQUE) }
        let kernel =
            switch (target.bytesPerPixel, format.bytesPerPixel) {
            case (4, 4): cvk_u8_c4_from_c4
            case (4, _): cvk_u8_c4_from_c3
            case (_, 4): cvk_u8_c3_from_c4
            default: cvk_u8_c3_from_c3
            }
        let (width, height) = try kernelSize
        return try Raster(width: self.width, height: self.height, format: target) { target, rowBytes in
            withUnsafePixels { kernel(target.bytes, rowBytes, $0.bytes, self.rowBytes, width, height, order) }
        }
    }

    private func singleFromHalf() throws -> Raster {
        let (width, height) = try kernelSize
        return try Raster(width: self.width, height: self.height, format: .greyFloat) { target, rowBytes in
            withUnsafePixels { source in
                cvk_f32_from_f16(
                    target.floats, rowBytes, source.assumingMemoryBound(to: UInt16.self), self.rowBytes, width, height)
            }
        }
    }

    private func bytesFromFloat() throws -> Raster {
        let (width, height) = try kernelSize
        return try Raster(width: self.width, height: self.height, format: .grey8) { target, rowBytes in
            withUnsafePixels { source in
                cvk_u8_from_f32(target.bytes, rowBytes, source.floats, self.rowBytes, width, height, 255, 0)
            }
        }
    }
}
