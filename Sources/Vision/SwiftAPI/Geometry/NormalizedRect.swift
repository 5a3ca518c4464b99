/// A rectangle in normalised coordinates: (0, 0) is the lower left corner of the image and (1, 1) the upper right one.
public struct NormalizedRect: Codable, Hashable, Sendable, CustomStringConvertible {
    private let x: CGFloat
    private let y: CGFloat
    /// The width; 1 is that of the image.
    public let width: CGFloat
    /// The height; 1 is that of the image.
    public let height: CGFloat

    /// The whole image.
    public static var fullImage: NormalizedRect { NormalizedRect(x: 0, y: 0, width: 1, height: 1) }

    /// The lower left corner.
    public var origin: CGPoint { CGPoint(x: x, y: y) }

    /// The rectangle as a Core Graphics rectangle, with the same coordinates.
    public var cgRect: CGRect { CGRect(x: x, y: y, width: width, height: height) }

    /// Creates a rectangle from its lower left corner and size.
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Creates a rectangle from a Core Graphics rectangle with normalised coordinates.
    public init(normalizedRect: CGRect) {
        self.init(
            x: normalizedRect.origin.x, y: normalizedRect.origin.y, width: normalizedRect.size.width,
            height: normalizedRect.size.height)
    }

    /// Creates a rectangle from one in pixels with the origin at the lower left.
    ///
    /// - Parameters:
    ///   - imageRect: The rectangle in pixels.
    ///   - imageSize: The size of the upright image in pixels; both sides must be above 0.
    public init(imageRect: CGRect, in imageSize: CGSize) {
        self.init(imageRect: imageRect, in: imageSize, normalizedTo: .fullImage)
    }

    /// Creates a rectangle that is normalised to a region of an image.
    ///
    /// - Parameters:
    ///   - imageRect: The rectangle in pixels of the image, with the origin at the lower left.
    ///   - imageSize: The size of the upright image in pixels; both sides must be above 0.
    ///   - regionOfInterest: The region; both of its sides must be above 0.
    public init(imageRect: CGRect, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect) {
        let corner = NormalizedPoint(imagePoint: imageRect.origin, in: imageSize, normalizedTo: regionOfInterest)
        self.init(
            x: corner.x, y: corner.y, width: imageRect.size.width / imageSize.width / regionOfInterest.width,
            height: imageRect.size.height / imageSize.height / regionOfInterest.height)
    }

    /// Returns the rectangle in pixels.
    ///
    /// - Parameters:
    ///   - imageSize: The size of the upright image in pixels.
    ///   - origin: The origin of the result.
    public func toImageCoordinates(_ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGRect {
        toImageCoordinates(from: .fullImage, imageSize: imageSize, origin: origin)
    }

    /// Returns the rectangle in pixels of the image, if it is normalised to a region.
    ///
    /// - Parameters:
    ///   - regionOfInterest: The region that the rectangle is normalised to.
    ///   - imageSize: The size of the upright image in pixels.
    ///   - origin: The origin of the result.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
    ) -> CGRect {
        let corner = NormalizedPoint(x: x, y: y).toImageCoordinates(from: regionOfInterest, imageSize: imageSize)
        let rect = CGRect(
            x: corner.x, y: corner.y, width: width * regionOfInterest.width * imageSize.width,
            height: height * regionOfInterest.height * imageSize.height)
        return origin.convert(rect, in: imageSize.height)
    }

    /// Returns the rectangle with its vertical coordinates counted from the other side.
    public func verticallyFlipped() -> NormalizedRect {
        NormalizedRect(x: x, y: 1 - y - height, width: width, height: height)
    }

    /// A text for logs.
    public var description: String { "(\(x), \(y), \(width), \(height))" }
}
