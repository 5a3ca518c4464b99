import Foundation
import VisionImage

extension Picture {
    /// The picture of an image file, in its stored orientation.
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
        case .grey8: try Self.raster(grey, .grey8, width, height)
        case .rgb8: try Self.raster(pixels, .rgb8, width, height)
        case .bgra8: try Self.raster(bgra, .bgra8, width, height)
        default: throw ImageError.unsupportedFormat("no benchmark input of format \(format)")
        }
    }

    private static func raster(_ bytes: [UInt8], _ format: Raster.Format, _ width: Int, _ height: Int) throws -> Raster
    {
        try Raster(width: width, height: height, format: format) { address, rowBytes in
            let row = width * format.bytesPerPixel
            bytes.withUnsafeBytes { bytes in
                for y in 0..<height {
                    UnsafeMutableRawBufferPointer(start: address + y * rowBytes, count: row)
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(y * row)..<((y + 1) * row)]))
                }
            }
        }
    }
}

extension Raster {
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
