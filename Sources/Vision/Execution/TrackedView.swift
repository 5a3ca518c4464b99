import Foundation
import VisionAlgorithms
import VisionImage

/// The region of an image that a track uses. Its pixels come from the image's cache, so that the trackers of a frame
/// share them.
struct TrackedView: TrackingFrame {
    let image: ImageSource
    private let imageSize: ImageSize
    private let region: NormalizedRegion
    /// The region in whole pixels of the upright image.
    let part: PixelRegion
    let width: Int
    let height: Int

    /// - Parameter size: The size of the region in the first frame of the track, in pixels; nil for the first frame.
    ///   Later frames are resized to it.
    init(of image: ImageSource, region: NormalizedRegion, size: ImageSize?) throws {
        self.image = image
        self.region = region
        imageSize = try image.uprightImageSize()
        part = region.wholePixels(in: imageSize)
        let size = size ?? ImageSize(width: Int(part.width), height: Int(part.height))
        (width, height) = (size.width, size.height)
    }

    var size: ImageSize { ImageSize(width: width, height: height) }

    /// Converts a box that is normalised to the region to pixels of this view.
    func pixelBox(of box: CGRect) -> PixelRegion {
        let box = region.pixelBox(of: box, in: imageSize)
        let (scaleX, scaleY) = (Double(width) / part.width, Double(height) / part.height)
        return PixelRegion(
            x: (box.x - part.x) * scaleX, y: (box.y - part.y) * scaleY, width: box.width * scaleX,
            height: box.height * scaleY)
    }

    /// Normalises a box in pixels of this view to the region.
    func normalizedBox(of box: PixelRegion) -> CGRect {
        let (scaleX, scaleY) = (part.width / Double(width), part.height / Double(height))
        let box = PixelRegion(
            x: box.x * scaleX + part.x, y: box.y * scaleY + part.y, width: box.width * scaleX,
            height: box.height * scaleY)
        return region.normalizedBox(of: box, in: imageSize)
    }

    /// Converts a point that is normalised to the region to pixels of this view.
    func pixelPoint(of point: CGPoint) -> PlanarPoint {
        let (x, y) = region.pixelPoint(of: point, in: imageSize)
        return PlanarPoint(
            x: (x - part.x) * Double(width) / part.width, y: (y - part.y) * Double(height) / part.height)
    }

    /// Normalises a point in pixels of this view to the region.
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

    /// Returns the whole view, so that the trackers of a frame share one conversion. It is free if the image is stored
    /// upright in colour.
    func colour(covering region: PixelRegion) throws -> ColourWindow {
        let whole = Derivative(region: part, width: width, height: height, format: try image.cheapestByteFormat())
        return ColourWindow(pixels: try image.derivative(whole), x: 0, y: 0)
    }
}

/// A pyramid level of an image region at a given size.
private struct GreyLevelKey: ImageResultKey {
    typealias Result = Raster

    let part: PixelRegion
    let size: ImageSize
    let level: Int

    static func byteCount(of result: Raster) -> Int { result.rowBytes * result.height }
}
