import Vision

/// Draws masks over images, and images over other backgrounds.
struct MaskPainter {
    /// How much of each pixel belongs to one of the objects.
    let mask: FloatMap
    /// The number of the object of each pixel; empty where there is only one.
    let labels: [UInt8]

    /// Returns an image with the masks in colours, and grey elsewhere.
    ///
    /// - Precondition: The format of the image is `bgra8`, and its size that of the mask.
    func coloured(_ image: Raster) throws -> Raster {
        precondition(image.format == .bgra8 && image.width == mask.width && image.height == mask.height)
        let tints = Colour.palette.map(\.bgr)
        return try Raster(width: image.width, height: image.height, format: .bgra8) { target, rowBytes in
            image.withUnsafePixels { pixels in
                for y in 0..<image.height {
                    let from = (pixels + y * image.rowBytes).assumingMemoryBound(to: UInt8.self)
                    let to = (target + y * rowBytes).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<image.width {
                        let index = y * image.width + x
                        let label = labels.isEmpty ? 1 : Int(labels[index])
                        let mixed = Self.colour(
                            SIMD3(Float(from[4 * x]), Float(from[4 * x + 1]), Float(from[4 * x + 2])),
                            tints[max(label - 1, 0) % tints.count], mask.values[index])
                        for channel in 0..<3 { to[4 * x + channel] = UInt8(min(max(mixed[channel] + 0.5, 0), 255)) }
                        to[4 * x + 3] = 255
                    }
                }
            }
        }
    }

    private static func colour(_ pixel: SIMD3<Float>, _ tint: SIMD3<Float>, _ share: Float) -> SIMD3<Float> {
        let grey = (pixel * SIMD3(0.114, 0.587, 0.299)).sum()
        return SIMD3(repeating: 0.35 * grey + 25) * (1 - share) + (pixel * 0.5 + tint * 0.5) * share
    }

    /// Returns an image over another one of the same size, as far as the mask covers it.
    ///
    /// - Precondition: The format of both images is `bgra8`, and their size that of the mask.
    func blended(_ image: Raster, over below: Raster) throws -> Raster {
        precondition(image.format == .bgra8 && below.format == .bgra8 && image.width == mask.width)
        precondition(below.width == image.width && below.height == image.height && image.height == mask.height)
        return try Raster(width: image.width, height: image.height, format: .bgra8) { target, rowBytes in
            below.withUnsafePixels { belowPixels in
                image.withUnsafePixels { pixels in
                    for y in 0..<image.height {
                        let under = (belowPixels + y * below.rowBytes).assumingMemoryBound(to: UInt8.self)
                        let over = (pixels + y * image.rowBytes).assumingMemoryBound(to: UInt8.self)
                        let to = (target + y * rowBytes).assumingMemoryBound(to: UInt8.self)
                        for x in 0..<image.width {
                            let part = mask.values[y * image.width + x]
                            for channel in 0..<3 {
                                let (a, b) = (Float(over[4 * x + channel]), Float(under[4 * x + channel]))
                                to[4 * x + channel] = UInt8(min(max(b + (a - b) * part + 0.5, 0), 255))
                            }
                            to[4 * x + 3] = 255
                        }
                    }
                }
            }
        }
    }
}
