import CVisionKernels

/// The meaning of the alpha channel of pixels that are drawn over others.
enum SourceAlpha: Hashable, Sendable {
    /// None: the pixels are opaque.
    case none
    /// Straight alpha: colours are not multiplied by it.
    case straight
    /// Premultiplied alpha: colours are multiplied by it.
    case multiplied

    fileprivate var kernelValue: cvk_alpha {
        switch self {
        case .none: CVK_ALPHA_NONE
        case .straight: CVK_ALPHA_STRAIGHT
        case .multiplied: CVK_ALPHA_MULTIPLIED
        }
    }
}

extension Raster {
    /// Draws these RGBA pixels over those in memory, in place. The resulting alpha is that of both combined.
    ///
    /// - Parameters:
    ///   - memory: Pixels of `format`, one of those with four bytes.
    ///   - offset: The byte offset of the pixel that the first one here covers; the rectangle must lie within the
    ///     memory.
    ///   - opacity: From 0 to 1, rounded to 1/16384.
    func composite(
        over memory: PixelMemory, at offset: Int, rowBytes: Int, format target: Format, alpha: SourceAlpha,
        opacity: Double
    ) throws {
        let size = try kernelSize
        guard format == .rgba8, target.bytesPerPixel == 4, let channels = target.channels,
            let alphaIndex = channels.alpha
        else {
            throw ImageError.unsupportedFormat("\(format) pixels cannot be drawn over \(target) pixels")
        }
        precondition(offset >= 0 && rowBytes >= 4 * width, "the rows to draw over overlap")
        precondition(offset + (height - 1) * rowBytes + 4 * width <= memory.count, "drawing beyond the memory's end")
        var order: [UInt8] = [0, 0, 0, 0]
        for (channel, position) in [channels.red, channels.green, channels.blue, alphaIndex].enumerated() {
            order[Int(position)] = UInt8(channel)
        }
        let strength = Int32(((opacity > 0 ? min(opacity, 1) : 0) * 16384).rounded())
        withUnsafePixels { pixels in
            cvk_u8_c4_over(
                (memory.address + offset).bytes, rowBytes, pixels.bytes, self.rowBytes, size.width, size.height, order,
                Int32(alphaIndex), alpha.kernelValue, strength)
        }
    }
}
