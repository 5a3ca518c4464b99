package import VisionImage

/// Follows one target through a video.
///
/// Trackers do not share anything that changes: different ones may be used at the same time, one is for one thread at a
/// time. The same frames give the same boxes on the same instruction set.
///
/// A tracker is made with the first frame and the box of the target in it. Boxes are in pixels of the frame, origin at the
/// top left; they may reach beyond the frame.
package protocol ObjectTracker: AnyObject {
    /// Finds the target in the next frame, which has the size of the one before.
    ///
    /// The confidence, 0 ... 1, falls when the target is hidden or gone; at 0.5 it is as likely found as lost.
    ///
    /// - Throws: What the frame throws where its pixels cannot be had; the tracker is as before then.
    func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float)
}

/// One frame of a video as object trackers see it. What one tracker asks for is there for the others of that frame.
package protocol TrackingFrame: Sendable {
    /// Pixels a row.
    var width: Int { get }
    /// Rows.
    var height: Int { get }

    /// The whole frame as `grey8`.
    func grey() throws -> Raster

    /// The whole frame as `grey8`, halved `level` times.
    func grey(level: Int) throws -> Raster

    /// The frame in colour, at least the part of it that `region` covers (clipped to the frame, never empty).
    func colour(covering region: PixelRegion) throws -> ColourWindow
}

/// Pixels of a part of a frame.
package struct ColourWindow: Sendable {
    /// In one of the layouts of bytes: grey8, rgb8, bgr8, bgra8, rgba8 or argb8, whichever costs least.
    package let pixels: Raster
    /// Where the first pixel lies in the frame.
    package let x: Int
    package let y: Int

    package init(pixels: Raster, x: Int, y: Int) {
        self.pixels = pixels
        self.x = x
        self.y = y
    }
}

/// A frame whose pixels are there already, in a layout of bytes.
extension Raster: TrackingFrame {
    package func grey() throws -> Raster { try converted(to: .grey8) }

    package func colour(covering region: PixelRegion) throws -> ColourWindow { ColourWindow(pixels: self, x: 0, y: 0) }
}

/// Checks the box that a track starts from.
///
/// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame.
package func checkTrackingStart(_ box: PixelRegion, in frame: any TrackingFrame) throws {
    guard box.isFinite, box.width > 0, box.height > 0 else {
        throw TrackingError.invalidBox("The box to track has no area: \(box.width) x \(box.height) pixels")
    }
    guard box.x < Double(frame.width), box.y < Double(frame.height), box.x + box.width > 0, box.y + box.height > 0
    else { throw TrackingError.invalidBox("The box to track lies outside of the frame") }
}
