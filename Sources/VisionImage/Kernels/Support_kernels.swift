import CVisionKernels

extension Raster {
    /// The width and height as `Int32`.
    ///
    /// - Throws: `ImageError.invalidArgument` for sides whose bytes an `Int32` cannot count.
    var kernelSize: (width: Int32, height: Int32) {
        get throws { try Raster.kernelSize(width: width, height: height) }
    }

    static func kernelSize(width: Int, height: Int) throws -> (width: Int32, height: Int32) {
        let limit = 1 << 26
        guard width > 0, height > 0, width <= limit, height <= limit else {
            throw ImageError.invalidArgument("an image of \(width) × \(height) pixels: each side must be 1 to \(limit)")
        }
        return (Int32(width), Int32(height))
    }
}

extension Raster.Format {
    /// The indices of red, green, blue and alpha in a pixel of several bytes; nil for formats of one channel and for
    /// planes.
    var channels: (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8?)? {
        switch self {
        case .rgb8: (0, 1, 2, nil)
        case .bgr8: (2, 1, 0, nil)
        case .rgba8: (0, 1, 2, 3)
        case .bgra8: (2, 1, 0, 3)
        case .argb8: (1, 2, 3, 0)
        case .grey8, .greyFloat, .greyHalf, .planarRGBFloat: nil
        }
    }
}

extension UnsafeMutableRawPointer {
    var bytes: UnsafeMutablePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
    var floats: UnsafeMutablePointer<Float> { assumingMemoryBound(to: Float.self) }
}

extension UnsafeRawPointer {
    var bytes: UnsafePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
    var floats: UnsafePointer<Float> { assumingMemoryBound(to: Float.self) }
}
