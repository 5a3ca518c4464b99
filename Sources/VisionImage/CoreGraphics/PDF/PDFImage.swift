import Foundation

/// An image as a stream of a PDF document. Its compression is that of PNG, whose filtered rows PDF reads as well.
struct PDFImage {
    let data: Data
    /// The entries of the stream's dictionary.
    let entries: String

    /// - Parameter raster: Grey, or red, green and blue.
    init(_ raster: Raster) throws {
        let png = try raster.encodedPNG()
        data = Self.pixels(of: png)
        let colours = raster.format == .grey8 ? 1 : 3
        entries =
            " /Type /XObject /Subtype /Image /Width \(raster.width) /Height \(raster.height) /BitsPerComponent 8"
            + " /ColorSpace /\(colours == 1 ? "DeviceGray" : "DeviceRGB") /Filter /FlateDecode"
            + " /DecodeParms <</Predictor 15 /Colors \(colours) /BitsPerComponent 8 /Columns \(raster.width)>>"
    }

    /// The data of a PNG file's parts with pixels, which are one stream.
    private static func pixels(of png: Data) -> Data {
        var (result, position) = (Data(), 8)
        let bytes = [UInt8](png)
        while position + 8 <= bytes.count {
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            let start = position + 8
            guard start + length + 4 <= bytes.count else { break }
            if bytes[position + 4..<start].elementsEqual("IDAT".utf8) {
                result.append(contentsOf: bytes[start..<start + length])
            }
            position = start + length + 4
        }
        return result
    }

    /// The opacity of an image of four bytes a pixel, as grey.
    static func opacity(of raster: Raster) throws -> Raster {
        let source = try raster.converted(to: .rgba8)
        return try Raster(width: source.width, height: source.height, format: .grey8) { target, rowBytes in
            source.withUnsafePixels { pixels in
                for y in 0..<source.height {
                    for x in 0..<source.width {
                        let alpha = pixels.load(fromByteOffset: y * source.rowBytes + 4 * x + 3, as: UInt8.self)
                        target.storeBytes(of: alpha, toByteOffset: y * rowBytes + x, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// The colours of an image without its alpha: grey as grey.
    ///
    /// - Parameter dividesByAlpha: Whether colours are multiplied by alpha, as PDF's are not.
    static func colours(of raster: Raster, dividesByAlpha: Bool) throws -> Raster {
        guard dividesByAlpha else { return raster.format == .grey8 ? raster : try raster.converted(to: .rgb8) }
        let source = try raster.converted(to: .rgba8)
        return try Raster(width: source.width, height: source.height, format: .rgb8) { target, rowBytes in
            source.withUnsafePixels { pixels in
                for y in 0..<source.height {
                    for x in 0..<source.width {
                        let pixel = pixels.loadUnaligned(
                            fromByteOffset: y * source.rowBytes + 4 * x, as: SIMD4<UInt8>.self)
                        let alpha = Int(pixel.w)
                        for channel in 0..<3 {
                            let value = alpha == 0 ? 0 : (Int(pixel[channel]) * 255 + alpha / 2) / alpha
                            target.storeBytes(
                                of: UInt8(min(255, value)), toByteOffset: y * rowBytes + 3 * x + channel, as: UInt8.self
                            )
                        }
                    }
                }
            }
        }
    }
}
