extension CVBuffer {
    /// Fills the buffer with the pixels of a raster of the same size, converted to the buffer's format.
    ///
    /// The caller holds the lock for writing.
    package func write(_ raster: Raster) throws {
        guard raster.width == width, raster.height == height else {
            throw ImageError.invalidArgument(
                "the pixels are \(raster.width) × \(raster.height), the buffer \(width) × \(height)")
        }
        switch layout.kind {
        case .raster(.greyHalf): throw ImageError.unsupportedFormat("16-bit float buffers can be read, not written")
        case .raster(.greyFloat):
            copyRows(of: try raster.converted(to: .grey8).normalised(to: .greyFloat, scale: .one / 255, bias: .zero))
        case .raster(let format): copyRows(of: try raster.converted(to: format))
        case .vectors: throw ImageError.unsupportedFormat("buffers of two components hold no image")
        case .yCbCr(let fullRange): writeYCbCr(try raster.converted(to: .rgb8), fullRange: fullRange)
        }
    }

    private func copyRows(of raster: Raster) {
        let bytes = width * raster.format.bytesPerPixel
        raster.withUnsafePixels { source in
            for y in 0..<height {
                (planes[0].address + y * planes[0].rowBytes).copyMemory(
                    from: source + y * raster.rowBytes, byteCount: bytes)
            }
        }
    }

    /// Writes luma and chroma; a chroma sample is the mean of the (up to) four pixels that share it.
    private func writeYCbCr(_ rgb: Raster, fullRange: Bool) {
        // BT.601 and BT.709 differ in the luma weights of red and blue.
        let (kr, kb): (Float, Float) = yCbCrMatrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
        let kg = 1 - kr - kb
        let (lumaScale, lumaOffset, chromaScale): (Float, Float, Float) =
            fullRange ? (1, 0, 1) : (219 / 255, 16, 224 / 255)
        func byte(_ value: Float) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }

        rgb.withUnsafePixels { source in
            for y in 0..<height {
                let row = source + y * rgb.rowBytes
                let luma = planes[0].address + y * planes[0].rowBytes
                for x in 0..<width {
                    let (r, g, b) = Self.pixel(row, x)
                    luma.storeBytes(
                        of: byte((kr * r + kg * g + kb * b) * lumaScale + lumaOffset), toByteOffset: x, as: UInt8.self)
                }
            }
            for y in 0..<(height + 1) / 2 {
                for x in 0..<(width + 1) / 2 {
                    var (red, green, blue, count): (Float, Float, Float, Float) = (0, 0, 0, 0)
                    for yy in 2 * y..<min(2 * y + 2, height) {
                        for xx in 2 * x..<min(2 * x + 2, width) {
                            let (r, g, b) = Self.pixel(source + yy * rgb.rowBytes, xx)
                            (red, green, blue, count) = (red + r, green + g, blue + b, count + 1)
                        }
                    }
                    let grey = (kr * red + kg * green + kb * blue) / count
                    let cb = (blue / count - grey) / (2 * (1 - kb)) * chromaScale + 128
                    let cr = (red / count - grey) / (2 * (1 - kr)) * chromaScale + 128
                    storeChroma(byte(cb), byte(cr), x, y)
                }
            }
        }
    }

    private static func pixel(_ row: UnsafeRawPointer, _ x: Int) -> (Float, Float, Float) {
        func component(_ index: Int) -> Float { Float(row.load(fromByteOffset: 3 * x + index, as: UInt8.self)) }
        return (component(0), component(1), component(2))
    }

    private func storeChroma(_ cb: UInt8, _ cr: UInt8, _ x: Int, _ y: Int) {
        if planes.count == 2 {
            let target = planes[1].address + y * planes[1].rowBytes + 2 * x
            target.storeBytes(of: cb, as: UInt8.self)
            target.storeBytes(of: cr, toByteOffset: 1, as: UInt8.self)
        } else {
            planes[1].address.storeBytes(of: cb, toByteOffset: y * planes[1].rowBytes + x, as: UInt8.self)
            planes[2].address.storeBytes(of: cr, toByteOffset: y * planes[2].rowBytes + x, as: UInt8.self)
        }
    }
}
