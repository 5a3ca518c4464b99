import Foundation
import VisionAlgorithms
import VisionImage

/// The part of an image that a track sees. Its pixels come from the image's cache, so that the trackers of one frame
/// share what they have in common.
struct TrackedView: TrackingFrame {
    let image: ImageSource
    private let imageSize: ImageSize
    private let region: NormalizedRegion
    /// Whole pixels of the upright image.
    let part: PixelRegion
    let width: Int
    let height: Int

    /// - Parameter size: What a track counts its pixels in: the size of the region in its first frame. A frame of
    ///   another size is brought to that; nil for a first frame.
    init(of image: ImageSource, region: NormalizedRegion, size: ImageSize?) throws {
        self.image = image
        self.region = region
        imageSize = try image.uprightImageSize()
        part = region.wholePixels(in: imageSize)
        let size = size ?? ImageSize(width: Int(part.width), height: Int(part.height))
        (width, height) = (size.width, size.height)
    }

    var size: ImageSize { ImageSize(width: width, height: height) }

    /// A box that is normalised to the region, in pixels of this view.
    func pixelBox(of box: CGRect) -> PixelRegion {
        let box = region.pixelBox(of: box, in: imageSize)
        let (scaleX, scaleY) = (Double(width) / part.width, Double(height) / part.height)
        return PixelRegion(
            x: (box.x - part.x) * scaleX, y: (box.y - part.y) * scaleY, width: box.width * scaleX,
            height: box.height * scaleY)
    }

    /// A box in pixels of this view, normalised to the region.
    func normalizedBox(of box: PixelRegion) -> CGRect {
        let (scaleX, scaleY) = (part.width / Double(width), part.height / Double(height))
        let box = PixelRegion(
            x: box.x * scaleX + part.x, y: box.y * scaleY + part.y, width: box.width * scaleX,
            height: box.height * scaleY)
        return region.normalizedBox(of: box, in: imageSize)
    }

    /// A point that is normalised to the region, in pixels of this view.
    func pixelPoint(of point: CGPoint) -> PlanarPoint {
        let (x, y) = region.pixelPoint(of: point, in: imageSize)
        return PlanarPoint(
            x: (x - part.x) * Double(width) / part.width, y: (y - part.y) * Double(height) / part.height)
    }

    /// A point in pixels of this view, normalised to the region.
    func normalizedPoint(of point: PlanarPoint) -> CGPoint {
        region.normalizedPoint(
            x: point.x * part.width / Double(width) + part.x, y: point.y * part.height / Double(height) + part.y,
            in: imageSize)
    }

    func grey() throws -> Raster {
        try image.derivative(Derivative(region: part, width: width, height: height, format: .grey8))
    }

    func grey(level: Int) throws -> Raster {
        guard level > 0 else { return try grey() }
        return try image.results.result(for: GreyLevelKey(part: part, size: size, level: level)) {
            try grey(level: level - 1).halved()
        }
    }

    /// All of it, so that the trackers of a frame share one conversion or view; it costs nothing where the stored
    /// pixels are upright colours.
    func colour(covering region: PixelRegion) throws -> ColourWindow {
        let whole = Derivative(region: part, width: width, height: height, format: try image.cheapestByteFormat())
        return ColourWindow(pixels: try image.derivative(whole), x: 0, y: 0)
    }
}

/// One level of the pyramid of a part of an image, brought to a size.
private struct GreyLevelKey: ImageResultKey {
    typealias Result = Raster

    let part: PixelRegion
    let size: ImageSize
    let level: Int

    static func byteCount(of result: Raster) -> Int { result.rowBytes * result.height }
}
