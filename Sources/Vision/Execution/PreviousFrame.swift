import Foundation
import VisionImage

/// The previous frame of a video in grey, as a stateful request keeps it.
struct PreviousFrame: Sendable {
    private var frame: Raster?
    private var region: PixelRegion?
    private var size: ImageSize?

    /// Returns the previous frame, if it has the same size and region of interest, and keeps a copy of this one.
    ///
    /// - Parameters:
    ///   - frame: The region of interest of this frame.
    ///   - region: The region in pixels.
    ///   - size: The size of the whole frame.
    mutating func replace(with frame: Raster, region: PixelRegion, in size: ImageSize) throws -> Raster? {
        let previous = self.region == region && self.size == size ? self.frame : nil
        // The pixels may belong to a buffer that its owner will overwrite.
        (self.frame, self.region, self.size) = (try frame.copied(), region, size)
        return previous
    }
}
