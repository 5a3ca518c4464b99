/// The size and format of an image feature.
///
/// An input image may have any size and format: it is converted to these.
public final class MLImageConstraint: NSObject, Sendable {
    static let longestSide = 1 << 16

    /// The number of pixels in a row; 0 if the model takes any width.
    public let pixelsWide: Int
    /// The number of rows; 0 if the model takes any height.
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

    /// The size and format.
    public override var description: String {
        "\(pixelsWide) × \(pixelsHigh) \(PixelFormatLayout.name(of: pixelFormatType))"
    }
}
