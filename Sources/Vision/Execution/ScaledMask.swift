import VisionAlgorithms
import VisionImage

/// A mask of objects at the full size of a region of an image.
struct ScaledMask {
    /// The region, in whole pixels of the upright image.
    private let region: PixelRegion
    private let map: FloatMap

    /// - Parameters:
    ///   - mask: The mask over the region, at any size.
    ///   - region: In whole pixels of the upright image.
    /// - Throws: `ImageError`.
    init(_ mask: FloatMap, of region: PixelRegion, _ source: ImageSource) throws {
        self.region = region
        let image = try source.derivative(
            Derivative(
                region: region, width: Int(region.width), height: Int(region.height), format: .rgba8))
        map = try PerformContext.maskFilter.refined(mask, by: image)
    }

    /// Returns the mask with zeros around it, at the size of the whole image.
    func placed(in size: ImageSize) -> FloatMap {
        guard map.width != size.width || map.height != size.height else { return map }
        var values = [Float](repeating: 0, count: size.width * size.height)
        let (left, top) = (Int(region.x), Int(region.y))
        for y in 0..<map.height {
            for x in 0..<map.width { values[(top + y) * size.width + left + x] = map.values[y * map.width + x] }
        }
        return FloatMap(width: size.width, height: size.height, values: values)
    }

    /// Returns the upright image with its colours multiplied by the mask, which is its alpha, blue first.
    ///
    /// - Parameter isCropped: Whether to crop it to the pixels of which the mask covers more than a 255th.
    func maskedImage(_ source: ImageSource, isCropped: Bool) throws -> CVPixelBuffer {
        let size = try source.uprightImageSize()
        let whole = (x: 0, y: 0, width: size.width, height: size.height)
        let extent = isCropped ? extent ?? whole : whole
        let (width, height) = (extent.width, extent.height)
        let part = PixelRegion(
            x: Double(extent.x), y: Double(extent.y), width: Double(width), height: Double(height))
        let pixels = try source.derivative(Derivative(region: part, width: width, height: height, format: .bgra8))
        var created: CVPixelBuffer?
        guard CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &created) == kCVReturnSuccess,
            let buffer = created
        else { throw ImageError.outOfMemory(bytes: 4 * width * height) }
        let (left, top) = (Int(region.x), Int(region.y))
        let plane = buffer.planes[0]
        pixels.withUnsafePixels { from in
            map.values.withUnsafeBufferPointer { values in
                for y in 0..<height {
                    let row = extent.y + y - top
                    guard row >= 0, row < map.height else { continue }
                    let source = (from + y * pixels.rowBytes).assumingMemoryBound(to: UInt8.self)
                    let target = (plane.address + y * plane.rowBytes).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<width {
                        let column = extent.x + x - left
                        guard column >= 0, column < map.width else { continue }
                        let alpha = UInt32(min(max(values[row * map.width + column], 0), 1) * 255 + 0.5)
                        for channel in 0..<3 {
                            target[4 * x + channel] = UInt8((UInt32(source[4 * x + channel]) * alpha + 127) / 255)
                        }
                        target[4 * x + 3] = UInt8(alpha)
                    }
                }
            }
        }
        return buffer
    }

    /// The smallest rectangle of the image with all pixels that the mask covers; nil without any.
    private var extent: (x: Int, y: Int, width: Int, height: Int)? {
        var (left, top, right, bottom) = (map.width, map.height, -1, -1)
        for y in 0..<map.height {
            for x in 0..<map.width where map.values[y * map.width + x] >= 0.5 / 255 {
                (left, right) = (min(left, x), max(right, x))
                (top, bottom) = (min(top, y), max(bottom, y))
            }
        }
        guard right >= left else { return nil }
        return (Int(region.x) + left, Int(region.y) + top, right - left + 1, bottom - top + 1)
    }
}
