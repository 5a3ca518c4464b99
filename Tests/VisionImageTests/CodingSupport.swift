@testable import VisionImage

/// Pictures that coding tests agree on.
enum Picture {
    /// Smooth colours, different in every channel, with alpha where the format has it.
    static func raster(width: Int, height: Int, format: Raster.Format) throws -> Raster {
        try Raster(width: width, height: height, format: format) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    let colour = colour(x, y, width, height)
                    let bytes: [UInt8] =
                        switch format {
                        case .grey8: [colour[0]]
                        case .bgra8: [colour[2], colour[1], colour[0], colour[3]]
                        case .rgba8: colour
                        default: Array(colour.prefix(3))
                        }
                    let pixel = pixels + y * rowBytes + x * bytes.count
                    pixel.copyMemory(from: bytes, byteCount: bytes.count)
                }
            }
        }
    }

    /// R, G, B and A at a place.
    static func colour(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8] {
        [
            UInt8(20 + 200 * x / width), UInt8(30 + 180 * y / height), UInt8(240 - 100 * x / width - 100 * y / height),
            UInt8(255 - 200 * (x + y) / (width + height)),
        ]
    }
}

extension Raster {
    /// The bytes of all rows without their padding.
    var bytes: [[UInt8]] {
        withUnsafePixels { pixels in
            (0..<height).map { y in
                Array(
                    UnsafeRawBufferPointer(start: pixels + y * rowBytes, count: width * format.bytesPerPixel))
            }
        }
    }

    /// The bytes of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let size = format.bytesPerPixel
        return Array(bytes[y][x * size..<(x + 1) * size])
    }
}
