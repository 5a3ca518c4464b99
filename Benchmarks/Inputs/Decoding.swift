import Foundation
import VisionImage

extension RGBImage {
    /// The image of an image file, in its stored orientation.
    init(contentsOf file: URL) throws {
        self.init(try EncodedImage(contentsOf: file).decode(to: .rgb8))
    }

    /// - Precondition: the raster is `rgb8`.
    private init(_ raster: Raster) {
        precondition(raster.format == .rgb8)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(raster.width * raster.height * 3)
        raster.withUnsafePixels { address in
            for y in 0..<raster.height {
                let row = UnsafeRawBufferPointer(start: address + y * raster.rowBytes, count: raster.width * 3)
                pixels.append(contentsOf: row)
            }
        }
        self.init(width: raster.width, height: raster.height, pixels: pixels)
    }

    func raster(_ format: Raster.Format) throws -> Raster {
        switch format {
        case .grey8: try Raster(packed: grey, .grey8, width, height)
        case .rgb8: try Raster(packed: pixels, .rgb8, width, height)
        case .bgra8: try Raster(packed: bgra, .bgra8, width, height)
        default: throw ImageError.unsupportedFormat("no benchmark input of format \(format)")
        }
    }
}

extension Raster {
    /// A raster of rows that have no padding.
    init(packed bytes: [UInt8], _ format: Format, _ width: Int, _ height: Int) throws {
        let row = width * format.bytesPerPixel
        precondition(bytes.count == row * height)
        try self.init(width: width, height: height, format: format) { address, rowBytes in
            bytes.withUnsafeBytes { bytes in
                for y in 0..<height {
                    UnsafeMutableRawBufferPointer(start: address + y * rowBytes, count: row)
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(y * row)..<((y + 1) * row)]))
                }
            }
        }
    }

    /// The pixels without the padding between rows.
    var packedBytes: [UInt8] {
        var bytes: [UInt8] = []
        withUnsafePixels { address in
            for y in 0..<(height * format.planeCount) {
                bytes.append(
                    contentsOf: UnsafeRawBufferPointer(
                        start: address + y * rowBytes, count: width * format.bytesPerPixel))
            }
        }
        return bytes
    }
}

extension PixelBuffers {
    /// The BGRA buffer of an image file, in its stored orientation.
    static func decode(_ file: URL) throws -> CVPixelBuffer {
        let raster = try EncodedImage(contentsOf: file).decode(to: .bgra8)
        return try bgra(raster.packedBytes, width: raster.width, height: raster.height)
    }
}

extension RawFile {
    /// The first frame. Only layouts that a raster can have.
    func raster() throws -> Raster {
        let formats: [String: Raster.Format] = [
            "grey8": .grey8, "rgb8": .rgb8, "bgr8": .bgr8, "bgra8": .bgra8, "greyfloat": .greyFloat,
        ]
        guard let format = formats[self.format] else { throw Malformed(description: "no raster of \(self.format)") }
        return try Raster(packed: frames[0], format, width, height)
    }
}
