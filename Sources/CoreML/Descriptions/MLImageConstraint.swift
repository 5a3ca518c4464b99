import NetworkMetadata

/// The size and format of an image feature.
///
/// An input image may have any size and format: it is converted to these.
public final class MLImageConstraint: NSObject, Sendable {
    static let longestSide = ModelMetadata.longestSide

    /// The number of pixels in a row; 0 if the model takes any width.
    public let pixelsWide: Int
    /// The number of rows; 0 if the model takes any height.
    public let pixelsHigh: Int
    /// The pixel format: `kCVPixelFormatType_32BGRA` for colour, a one-component format for grey.
    public let pixelFormatType: OSType
    /// All sizes that the model takes.
    public let sizeConstraint: MLImageSizeConstraint

    convenience init(width: Int?, height: Int?, pixelFormatType: OSType) {
        self.init(
            width: width ?? 0, height: height ?? 0, pixelFormatType: pixelFormatType,
            sizes: MLImageSizeConstraint(width: width, height: height))
    }

    init(width: Int, height: Int, pixelFormatType: OSType, sizes: MLImageSizeConstraint) {
        pixelsWide = width
        pixelsHigh = height
        self.pixelFormatType = pixelFormatType
        sizeConstraint = sizes
        super.init()
    }

    /// The size and format.
    public override var description: String {
        "\(pixelsWide) × \(pixelsHigh) \(PixelFormatLayout.name(of: pixelFormatType))"
    }
}
