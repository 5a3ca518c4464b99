import Foundation
import VisionImage

/// Synthetic images for the tests.
enum TestBuffer {
    /// Returns a colour that encodes the position of a pixel: red = x, green = y, blue = a checkerboard of 8 × 8.
    static func rgb(_ x: Int, _ y: Int) -> (r: UInt8, g: UInt8, b: UInt8) {
        (UInt8(truncatingIfNeeded: x * 3), UInt8(truncatingIfNeeded: y * 5), (x / 8 + y / 8) % 2 == 0 ? 40 : 200)
    }

    /// Creates a buffer in a four-byte format with padded rows.
    static func buffer(
        width: Int, height: Int, format: OSType = kCVPixelFormatType_32BGRA,
        _ colour: (Int, Int) -> (r: UInt8, g: UInt8, b: UInt8) = rgb
    ) throws -> CVPixelBuffer {
        let buffer = try make(width, height, format)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { throw Failure.noMemory }
        let order = order(of: format)
        for y in 0..<height {
            for x in 0..<width {
                let c = colour(x, y)
                let pixel = base + y * CVPixelBufferGetBytesPerRow(buffer) + x * order.bytes
                if order.bytes == 4 { pixel.storeBytes(of: 255, toByteOffset: order.a, as: UInt8.self) }
                pixel.storeBytes(of: c.r, toByteOffset: order.r, as: UInt8.self)
                pixel.storeBytes(of: c.g, toByteOffset: order.g, as: UInt8.self)
                pixel.storeBytes(of: c.b, toByteOffset: order.b, as: UInt8.self)
            }
        }
        return buffer
    }

    /// Creates a grey buffer.
    static func grey(width: Int, height: Int, _ value: (Int, Int) -> UInt8) throws -> CVPixelBuffer {
        let buffer = try make(width, height, kCVPixelFormatType_OneComponent8)
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { throw Failure.noMemory }
        for y in 0..<height {
            for x in 0..<width {
                (base + y * CVPixelBufferGetBytesPerRow(buffer)).storeBytes(
                    of: value(x, y), toByteOffset: x, as: UInt8.self)
            }
        }
        return buffer
    }

    static func make(_ width: Int, _ height: Int, _ format: OSType) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        guard CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &buffer) == kCVReturnSuccess,
            let buffer
        else { throw Failure.noMemory }
        return buffer
    }

    private static func order(of format: OSType) -> (r: Int, g: Int, b: Int, a: Int, bytes: Int) {
        switch format {
        case kCVPixelFormatType_32ARGB: (1, 2, 3, 0, 4)
        case kCVPixelFormatType_32RGBA: (0, 1, 2, 3, 4)
        case kCVPixelFormatType_24RGB: (0, 1, 2, 0, 3)
        case kCVPixelFormatType_24BGR: (2, 1, 0, 0, 3)
        default: (2, 1, 0, 3, 4)
        }
    }

    enum Failure: Error { case noMemory }
}

extension Raster {
    /// Returns the bytes of a pixel of a raster with one plane.
    func bytes(_ x: Int, _ y: Int) -> [UInt8] {
        let size = format.bytesPerPixel
        return withUnsafePixels { pixels in
            (0..<size).map { pixels.load(fromByteOffset: y * rowBytes + x * size + $0, as: UInt8.self) }
        }
    }

    /// Returns a pixel of a raster of floats.
    func value(_ x: Int, _ y: Int, plane: Int = 0) -> Float {
        withUnsafePixels { $0.load(fromByteOffset: plane * planeBytes + y * rowBytes + 4 * x, as: Float.self) }
    }
}
