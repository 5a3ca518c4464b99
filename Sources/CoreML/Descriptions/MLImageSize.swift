/// A size that an image feature may have.
public final class MLImageSize: NSObject, Sendable {
    /// The number of pixels in a row.
    public let pixelsWide: Int
    /// The number of rows.
    public let pixelsHigh: Int

    init(pixelsWide: Int, pixelsHigh: Int) {
        self.pixelsWide = pixelsWide
        self.pixelsHigh = pixelsHigh
        super.init()
    }
}
