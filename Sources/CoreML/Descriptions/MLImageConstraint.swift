/// What an image feature looks like.
///
/// An image that goes into a model may have any size and format: it is converted. This is what it is converted to.
public final class MLImageConstraint: NSObject, Sendable {
    static let longestSide = 1 << 16

    /// Pixels a row; 0 where the model takes any width.
    public let pixelsWide: Int
    /// Rows; 0 where the model takes any height.
    public let pixelsHigh: Int
    /// The pixel format: `kCVPixelFormatType_32BGRA` for colour, a one-component format for grey.
    public let pixelFormatType: OSType
    /// All sizes that the model takes.
    public let sizeConstraint: MLImageSizeConstraint

    init(width: Int?, height: Int?, pixelFormatType: OSType) {
        pixelsWide = width ?? 0
        pixelsHigh = height ?? 0
        self.pixelFormatType = pixelFormatType
        sizeConstraint = MLImageSizeConstraint(width: width, height: height)
        super.init()
    }

    /// Size and format.
    public override var description: String {
        "\(pixelsWide) × \(pixelsHigh) \(PixelFormatLayout.name(of: pixelFormatType))"
    }
}
