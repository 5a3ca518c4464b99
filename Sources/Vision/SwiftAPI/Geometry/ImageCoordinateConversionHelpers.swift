/// Conversions between normalised coordinates and pixels.
public struct ImageCoordinateConversionHelpers {
    /// Returns a normalised point in pixels, with the same origin.
    public static func imagePointForNormalizedPoint(normalizedPoint: CGPoint, imageSize: CGSize) -> CGPoint {
        NormalizedPoint(normalizedPoint: normalizedPoint).toImageCoordinates(imageSize)
    }

    /// Returns a normalised rectangle in pixels, with the same origin.
    public static func imageRectForNormalizedRect(normalizedRect: CGRect, imageSize: CGSize) -> CGRect {
        NormalizedRect(normalizedRect: normalizedRect).toImageCoordinates(imageSize)
    }

    /// Returns a point in pixels with its vertical coordinate counted from the other side.
    public static func verticallyFlippedImagePoint(imagePoint: CGPoint, imageHeight: UInt32) -> CGPoint {
        CoordinateOrigin.upperLeft.convert(imagePoint, in: CGFloat(imageHeight))
    }

    /// Returns a rectangle in pixels with its vertical coordinates counted from the other side.
    public static func verticallyFlippedImageRect(imageRect: CGRect, imageHeight: UInt32) -> CGRect {
        CoordinateOrigin.upperLeft.convert(imageRect, in: CGFloat(imageHeight))
    }

    /// Returns a normalised point with its vertical coordinate counted from the other side.
    public static func verticallyFlippedNormalizedPoint(normalizedPoint: CGPoint) -> CGPoint {
        NormalizedPoint(normalizedPoint: normalizedPoint).verticallyFlipped().cgPoint
    }

    /// Returns a normalised rectangle with its vertical coordinates counted from the other side; the height of the
    /// image has no influence.
    public static func verticallyFlippedNormalizedRect(normalizedRect: CGRect, imageHeight: UInt32) -> CGRect {
        NormalizedRect(normalizedRect: normalizedRect).verticallyFlipped().cgRect
    }
}
