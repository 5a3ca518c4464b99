import CVisionKernels
package import VisionImage

/// Moves the edges of a mask to those of an image, and scales it to the image's size.
///
/// Around each pixel the mask is approximated by a linear function of the image's colour, so that it changes where the
/// colours do (He, Sun, Tang, "Guided Image Filtering", 2013). The functions are found at the size of the mask and are
/// then applied to the image at its own ("Fast Guided Filter", 2015).
package struct GuidedFilter: Sendable {
    /// The distance in pixels of the mask over which a function reaches.
    package var radius: Int
    /// The variance of colours, 0…1, that counts as an edge.
    package var epsilon: Float

    package init(radius: Int, epsilon: Float) {
        precondition((0...1024).contains(radius) && epsilon > 0)
        (self.radius, self.epsilon) = (radius, epsilon)
    }

    private static let products = 13
    private static let factors = 4

    /// Returns the mask at the size of the image, with values in 0…1.
    ///
    /// - Parameters:
    ///   - mask: Values in 0…1 over the whole image.
    ///   - image: Bytes of one, three or four channels.
    /// - Throws: `ImageError`.
    package func refined(_ mask: FloatMap, by image: Raster) throws -> FloatMap {
        let (width, height) = (mask.width, mask.height)
        guard width > 0, height > 0, width * height < 1 << 28 else {
            throw ImageError.invalidArgument("a mask of \(width) × \(height) pixels cannot be refined")
        }
        let guide = try image.format == .rgba8 ? image : image.converted(to: .rgba8)
        let small = try guide.resized(width: width, height: height, filter: .area)
        let solution = try solution(mask, small)
        let result = try Raster(width: guide.width, height: guide.height, format: .greyFloat) { target, rowBytes in
            // The functions are scaled up by bands of rows, so that they need little memory.
            for top in stride(from: 0, to: guide.height, by: Self.bandRows) {
                let rows = min(Self.bandRows, guide.height - top)
                let step = Double(height) / Double(guide.height)
                let band = PixelRegion(
                    x: 0, y: Double(top) * step, width: Double(width), height: Double(rows) * step
                ).clamped(toWidth: width, height: height)
                let planes = try solution.map {
                    try $0.resized(width: guide.width, height: rows, filter: .antialiasedBilinear, region: band)
                }
                Self.apply(
                    planes, to: guide.cropped(x: 0, y: top, width: guide.width, height: rows),
                    target + top * rowBytes, rowBytes)
            }
        }
        return FloatMap(result)
    }

    private static let bandRows = 256

    /// Writes the values of the functions at the pixels of a guide of the same size.
    private static func apply(
        _ planes: [Raster], to guide: Raster, _ target: UnsafeMutableRawPointer, _ rowBytes: Int
    ) {
        withExtendedLifetime(planes) {
            let sources: [UnsafePointer<Float>?] = planes.map { plane in
                plane.withUnsafePixels { $0.assumingMemoryBound(to: Float.self) }
            }
            guide.withUnsafePixels { pixels in
                cvk_f32_guided_result(
                    target.assumingMemoryBound(to: Float.self), rowBytes, sources, planes[0].rowBytes,
                    pixels.assumingMemoryBound(to: UInt8.self), guide.rowBytes, Int32(guide.width), Int32(guide.height))
            }
        }
    }

    /// Returns the factors of red, green and blue, and the offset, of each pixel's function.
    private func solution(_ mask: FloatMap, _ guide: Raster) throws -> [Raster] {
        let (width, height) = (mask.width, mask.height)
        let count = width * height
        // One more plane, to which the first mean is written.
        let bytes = (Self.products + 1 + Self.factors) * count * 4 + width * 8
        guard let memory = PixelMemory(count: bytes), let averaged = PixelMemory(count: Self.factors * count * 4) else {
            throw ImageError.outOfMemory(bytes: bytes)
        }
        let sums = memory.address.assumingMemoryBound(to: Double.self)
        let floats = (memory.address + width * 8).assumingMemoryBound(to: Float.self)
        var planes = (0...Self.products).map { floats + $0 * count }
        let spare = planes.removeLast()
        let targets: [UnsafeMutablePointer<Float>?] = planes
        mask.values.withUnsafeBufferPointer { values in
            guide.withUnsafePixels { pixels in
                cvk_f32_guided_products(
                    targets, pixels.assumingMemoryBound(to: UInt8.self), guide.rowBytes, values.baseAddress,
                    Int32(width), Int32(height))
            }
        }
        // The mean of each plane goes to the plane before it.
        var means: [UnsafePointer<Float>?] = []
        var free = spare
        for plane in planes {
            cvk_f32_box_mean(free, plane, Int32(width), Int32(height), Int32(radius), sums)
            means.append(UnsafePointer(free))
            free = plane
        }
        let factors: [UnsafeMutablePointer<Float>] = (0..<Self.factors).map {
            floats + (Self.products + 1 + $0) * count
        }
        cvk_f32_guided_solution(factors.map { $0 }, means, Int32(count), epsilon)
        return withExtendedLifetime(memory) {
            factors.enumerated().map { index, factor in
                let target = averaged.address + 4 * index * count
                cvk_f32_box_mean(
                    target.assumingMemoryBound(to: Float.self), factor, Int32(width), Int32(height), Int32(radius),
                    sums)
                return Raster(
                    width: width, height: height, format: .greyFloat, rowBytes: 4 * width, memory: averaged,
                    offset: 4 * index * count)
            }
        }
    }
}
