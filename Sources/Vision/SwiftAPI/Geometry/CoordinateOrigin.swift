/// The origin of image coordinates.
public enum CoordinateOrigin: CaseIterable, Sendable {
    /// At the lower left, y up: as in Vision's normalised coordinates and in Core Image.
    case lowerLeft
    /// At the upper left, y down: as in rows of pixels, in most other libraries and on screens.
    case upperLeft

    /// Converts a point between a lower-left origin and this origin, in an image of that height.
    package func convert(_ point: CGPoint, in height: CGFloat) -> CGPoint {
        self == .lowerLeft ? point : CGPoint(x: point.x, y: height - point.y)
    }

    /// Converts a rectangle between a lower-left origin and this origin, in an image of that height.
    package func convert(_ rect: CGRect, in height: CGFloat) -> CGRect {
        let rect = rect.standardized
        return self == .lowerLeft
            ? rect : CGRect(x: rect.minX, y: height - rect.maxY, width: rect.width, height: rect.height)
    }
}
