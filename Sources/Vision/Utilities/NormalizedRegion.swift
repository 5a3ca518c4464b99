import Foundation
import VisionImage

/// A validated region of interest: within the unit square, not empty, origin at the lower left.
///
/// This is the only place that converts between normalised coordinates (y up) and pixels of the upright image (y down).
struct NormalizedRegion: Hashable, Sendable {
    let rect: CGRect

    /// Sums such as 0.7 + 0.3 may exceed 1 by a rounding error, which must not make a region invalid.
    private static let tolerance: CGFloat = 1e-6

    static let whole = NormalizedRegion(unchecked: VNNormalizedIdentityRect)

    private init(unchecked rect: CGRect) { self.rect = rect }

    init(_ rect: CGRect) throws {
        let (x, y, width, height) = (rect.origin.x, rect.origin.y, rect.size.width, rect.size.height)
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else {
            throw visionError(
                .invalidArgument, "The region of interest \(rect.text) has a coordinate that is not a number.")
        }
        let tolerance = Self.tolerance
        guard width > 0, height > 0 else {
            throw visionError(.invalidArgument, "The region of interest \(rect.text) is empty or has a negative size.")
        }
        // It is less than a pixel, and boxes within it would have infinite coordinates.
        guard width > tolerance, height > tolerance else {
            throw visionError(.invalidArgument, "The region of interest \(rect.text) is smaller than a pixel.")
        }
        guard x >= -tolerance, y >= -tolerance, x + width <= 1 + tolerance, y + height <= 1 + tolerance else {
            throw visionError(
                .outOfBoundsError,
                "The region of interest \(rect.text) reaches outside the image. It is normalised: the whole image is "
                    + "(0, 0, 1, 1).")
        }
        let (left, bottom) = (max(0, x), max(0, y))
        self.rect = CGRect(x: left, y: bottom, width: min(1, x + width) - left, height: min(1, y + height) - bottom)
    }

    /// Returns the region in pixels of an upright image of that size. Edges may lie between pixels.
    func pixels(in size: ImageSize) -> PixelRegion {
        let (width, height) = (Double(size.width), Double(size.height))
        return PixelRegion(
            x: Double(rect.origin.x) * width, y: (1 - Double(rect.origin.y + rect.size.height)) * height,
            width: Double(rect.size.width) * width, height: Double(rect.size.height) * height)
    }

    /// Returns the region rounded to whole pixels, at least one.
    func wholePixels(in size: ImageSize) -> PixelRegion {
        let exact = pixels(in: size)
        let (left, width) = Self.span(from: exact.x, length: exact.width, limit: size.width)
        let (top, height) = Self.span(from: exact.y, length: exact.height, limit: size.height)
        return PixelRegion(x: left, y: top, width: width, height: height)
    }

    private static func span(from start: Double, length: Double, limit: Int) -> (start: Double, length: Double) {
        let first = min(max(0, start.rounded()), Double(limit - 1))
        let end = min(max(first + 1, (start + length).rounded()), Double(limit))
        return (first, end - first)
    }

    /// Converts a box that is normalised to this region to pixels of the upright image.
    func pixelBox(of box: CGRect, in size: ImageSize) -> PixelRegion {
        let region = pixels(in: size)
        return PixelRegion(
            x: region.x + Double(box.origin.x) * region.width,
            y: region.y + (1 - Double(box.origin.y + box.size.height)) * region.height,
            width: Double(box.size.width) * region.width, height: Double(box.size.height) * region.height)
    }

    /// Converts a box in pixels of the upright image to one normalised to this region.
    func normalizedBox(of box: PixelRegion, in size: ImageSize) -> CGRect {
        let region = pixels(in: size)
        return CGRect(
            x: (box.x - region.x) / region.width, y: 1 - (box.y + box.height - region.y) / region.height,
            width: box.width / region.width, height: box.height / region.height)
    }

    /// Converts a point that is normalised to this region to pixels of the upright image.
    func pixelPoint(of point: CGPoint, in size: ImageSize) -> (x: Double, y: Double) {
        let region = pixels(in: size)
        return (region.x + Double(point.x) * region.width, region.y + (1 - Double(point.y)) * region.height)
    }

    /// Converts a point in pixels of the upright image to one normalised to this region.
    func normalizedPoint(x: Double, y: Double, in size: ImageSize) -> CGPoint {
        let region = pixels(in: size)
        return CGPoint(x: (x - region.x) / region.width, y: 1 - (y - region.y) / region.height)
    }
}

/// The size of an upright image in pixels.
struct ImageSize: Hashable, Sendable {
    let width: Int
    let height: Int
}

extension ImageSource {
    func uprightImageSize() throws -> ImageSize {
        let size = try uprightSize()
        return ImageSize(width: size.width, height: size.height)
    }
}
