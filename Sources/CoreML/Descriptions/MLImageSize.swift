/// A size that an image feature may have.
public final class MLImageSize: NSObject, Sendable {
    /// Pixels a row.
    public let pixelsWide: Int
    /// Rows.
    public let pixelsHigh: Int

    init(pixelsWide: Int, pixelsHigh: Int) {
        self.pixelsWide = pixelsWide
        self.pixelsHigh = pixelsHigh
        super.init()
    }
}
