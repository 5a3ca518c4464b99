import XCTest

@testable import VisionImage

/// Rasters for tests: `at(x, y)` returns the bytes (or floats) of a pixel.
extension Raster {
    static func bytes(_ width: Int, _ height: Int, _ format: Format, _ at: (Int, Int) -> [UInt8]) throws -> Raster {
        try Raster(width: width, height: height, format: format) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    for (i, value) in at(x, y).enumerated() {
                        pixels.storeBytes(
                            of: value, toByteOffset: y * rowBytes + x * format.bytesPerPixel + i, as: UInt8.self)
                    }
                }
            }
        }
    }

    static func floats(_ width: Int, _ height: Int, _ at: (Int, Int) -> Float) throws -> Raster {
        try Raster(width: width, height: height, format: .greyFloat) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    pixels.storeBytes(of: at(x, y), toByteOffset: y * rowBytes + x * 4, as: Float.self)
                }
            }
        }
    }

    /// Returns deterministic noise.
    static func noise(_ width: Int, _ height: Int, _ format: Format, seed: UInt64 = 1) throws -> Raster {
        var state = seed
        return try bytes(width, height, format) { _, _ in
            (0..<format.bytesPerPixel).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
        }
    }

    func values(_ x: Int, _ y: Int) -> [UInt8] {
        withUnsafePixels { pixels in
            (0..<format.bytesPerPixel).map {
                pixels.load(fromByteOffset: y * rowBytes + x * format.bytesPerPixel + $0, as: UInt8.self)
            }
        }
    }

    func float(_ x: Int, _ y: Int, plane: Int = 0) -> Float {
        withUnsafePixels { $0.load(fromByteOffset: plane * planeBytes + y * rowBytes + x * 4, as: Float.self) }
    }

    var allPixels: [[UInt8]] { (0..<height).flatMap { y in (0..<width).map { x in values(x, y) } } }
}
