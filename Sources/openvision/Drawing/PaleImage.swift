import Vision
import VisionImage

/// An image halfway to white, as the background of lines.
enum PaleImage {
    /// - Precondition: The format is `bgra8`.
    static func of(_ image: Raster) throws -> Raster {
        precondition(image.format == .bgra8)
        return try Raster(width: image.width, height: image.height, format: .bgra8) { pixels, rowBytes in
            image.withUnsafePixels { source in
                for y in 0..<image.height {
                    let from = source + y * image.rowBytes, to = pixels + y * rowBytes
                    for offset in 0..<4 * image.width {
                        let value = from.load(fromByteOffset: offset, as: UInt8.self)
                        to.storeBytes(of: offset % 4 == 3 ? 255 : 128 + value / 2, toByteOffset: offset, as: UInt8.self)
                    }
                }
            }
        }
    }
}
