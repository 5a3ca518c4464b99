/// The position of the stored top left pixel in the upright image: the eight values of the EXIF orientation tag.
public enum CGImagePropertyOrientation: UInt32, Sendable, CaseIterable {
    /// The stored pixels are upright.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Rotated by 180°.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored at the main diagonal: the stored rows are the upright columns.
    case leftMirrored = 5
    /// Must be rotated by 90° clockwise to be upright.
    case right = 6
    /// Mirrored at the other diagonal.
    case rightMirrored = 7
    /// Must be rotated by 90° counter-clockwise to be upright.
    case left = 8

    /// Whether width and height are exchanged in the upright image.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// Converts a rectangle from the upright image to the stored pixels.
    ///
    /// Both are in pixels with the origin at the top left; `width` and `height` are those of the stored image.
    package func storedRegion(of upright: PixelRegion, storedWidth width: Double, storedHeight height: Double)
        -> PixelRegion
    {
        let (x, y, w, h) = (upright.x, upright.y, upright.width, upright.height)
        switch self {
        case .up: return upright
        case .upMirrored: return PixelRegion(x: width - x - w, y: y, width: w, height: h)
        case .down: return PixelRegion(x: width - x - w, y: height - y - h, width: w, height: h)
        case .downMirrored: return PixelRegion(x: x, y: height - y - h, width: w, height: h)
        case .leftMirrored: return PixelRegion(x: y, y: x, width: h, height: w)
        case .right: return PixelRegion(x: y, y: height - x - w, width: h, height: w)
        case .rightMirrored: return PixelRegion(x: width - y - h, y: height - x - w, width: h, height: w)
        case .left: return PixelRegion(x: width - y - h, y: x, width: h, height: w)
        }
    }
}
