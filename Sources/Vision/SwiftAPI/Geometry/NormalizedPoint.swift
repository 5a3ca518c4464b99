/// A point in normalised coordinates: (0, 0) is the lower left corner of the image and (1, 1) the upper right one.
public struct NormalizedPoint: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The horizontal coordinate.
    public let x: CGFloat
    /// The vertical coordinate, upwards.
    public let y: CGFloat

    /// The lower left corner.
    public static var zero: NormalizedPoint { NormalizedPoint(x: 0, y: 0) }

    /// The point as a Core Graphics point, with the same coordinates.
    public var cgPoint: CGPoint { CGPoint(x: x, y: y) }

    /// Creates a point from its coordinates.
    public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }

    /// Creates a point from a Core Graphics point with normalised coordinates.
    public init(normalizedPoint: CGPoint) { self.init(x: normalizedPoint.x, y: normalizedPoint.y) }

    /// Creates a point from one in pixels with the origin at the lower left.
    ///
    /// - Parameters:
    ///   - imagePoint: The point in pixels.
    ///   - imageSize: The size of the upright image in pixels; both sides must be above 0.
    public init(imagePoint: CGPoint, in imageSize: CGSize) {
        self.init(imagePoint: imagePoint, in: imageSize, normalizedTo: .fullImage)
    }

    /// Creates a point that is normalised to a region of an image.
    ///
    /// - Parameters:
    ///   - imagePoint: The point in pixels of the image, with the origin at the lower left.
    ///   - imageSize: The size of the upright image in pixels; both sides must be above 0.
    ///   - regionOfInterest: The region; both of its sides must be above 0.
    public init(imagePoint: CGPoint, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect) {
        self.init(
            x: (imagePoint.x / imageSize.width - regionOfInterest.origin.x) / regionOfInterest.width,
            y: (imagePoint.y / imageSize.height - regionOfInterest.origin.y) / regionOfInterest.height)
    }

    /// Returns the point in pixels.
    ///
    /// - Parameters:
    ///   - imageSize: The size of the upright image in pixels.
    ///   - origin: The origin of the result.
    public func toImageCoordinates(_ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGPoint {
        toImageCoordinates(from: .fullImage, imageSize: imageSize, origin: origin)
    }

    /// Returns the point in pixels of the image, if it is normalised to a region.
    ///
    /// - Parameters:
    ///   - regionOfInterest: The region that the point is normalised to.
    ///   - imageSize: The size of the upright image in pixels.
    ///   - origin: The origin of the result.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
    ) -> CGPoint {
        let point = CGPoint(
            x: (regionOfInterest.origin.x + x * regionOfInterest.width) * imageSize.width,
            y: (regionOfInterest.origin.y + y * regionOfInterest.height) * imageSize.height)
        return origin.convert(point, in: imageSize.height)
    }

    /// Returns the point with its vertical coordinate counted from the other side.
    public func verticallyFlipped() -> NormalizedPoint { NormalizedPoint(x: x, y: 1 - y) }

    /// A text for logs.
    public var description: String { "(\(x), \(y))" }
}
