import CVisionKernels

/// What the alpha channel of pixels that are drawn over others means.
enum SourceAlpha: Hashable, Sendable {
    /// Nothing: the pixels are opaque.
    case none
    /// Colours are as they would be without it.
    case straight
    /// Colours are multiplied by it.
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
    /// Draws these RGBA pixels over those in memory, in place. The result's alpha is that of both together.
    ///
    /// - Parameters:
    ///   - memory: Pixels of `format`, one of those with four bytes.
    ///   - offset: Bytes to the pixel that the first one here covers; the rectangle must lie within the memory.
    ///   - opacity: From 0 to 1, taken to a 16384th.
    func composite(
        over memory: PixelMemory, at offset: Int, rowBytes: Int, format target: Format, alpha: SourceAlpha,
        opacity: Double
    ) throws {
        let size = try kernelSize
        guard format == .rgba8, target.bytesPerPixel == 4, let channels = target.channels, let place = channels.alpha
        else {
            throw ImageError.unsupportedFormat("\(format) pixels cannot be drawn over \(target) pixels")
        }
        precondition(offset >= 0 && rowBytes >= 4 * width, "the rows to draw over overlap")
        precondition(offset + (height - 1) * rowBytes + 4 * width <= memory.count, "drawing beyond the memory's end")
        var order: [UInt8] = [0, 0, 0, 0]
        for (channel, position) in [channels.red, channels.green, channels.blue, place].enumerated() {
            order[Int(position)] = UInt8(channel)
        }
        let strength = Int32(((opacity > 0 ? min(opacity, 1) : 0) * 16384).rounded())
        withUnsafePixels { pixels in
            cvk_u8_c4_over(
                (memory.address + offset).bytes, rowBytes, pixels.bytes, self.rowBytes, size.width, size.height, order,
                Int32(place), alpha.kernelValue, strength)
        }
    }
}
