package import VisionImage

/// Tracks one target through a video.
///
/// Trackers share no mutable state: different trackers may be used at the same time, each by one thread at a time. The
/// same frames give the same boxes on the same instruction set.
///
/// A tracker is created with the first frame and the target's box in it. Boxes are in pixels of the frame, origin at
/// the top left; they may reach beyond the frame.
package protocol ObjectTracker: AnyObject {
    /// Finds the target in the next frame, which has the size of the one before.
    ///
    /// The confidence, 0 ... 1, falls when the target is hidden or gone; at 0.5 it is as likely found as lost.
    ///
    /// - Throws: The frame's error if its pixels are unavailable. The tracker is then unchanged.
    func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float)

    /// What the last confidence was computed from, for the fit of its weights (Training/Tracking/fit_presence.py);
    /// empty before the first update.
    var evidence: [Float] { get }

    static var evidenceNames: [String] { get }
}

/// One frame of a video, as the object trackers read it. Implementations may cache conversions for the trackers of a
/// frame.
package protocol TrackingFrame: Sendable {
    /// The number of pixels in a row.
    var width: Int { get }
    /// The number of rows.
    var height: Int { get }

    /// Returns the whole frame as `grey8`.
    func grey() throws -> Raster

    /// Returns the whole frame as `grey8`, halved `level` times.
    func grey(level: Int) throws -> Raster

    /// Returns the frame in colour, at least the part that `region` covers (clipped to the frame, never empty).
    func colour(covering region: PixelRegion) throws -> ColourWindow
}

/// A rectangular part of a frame.
package struct ColourWindow: Sendable {
    /// The pixels, in a byte layout: grey8, rgb8, bgr8, bgra8, rgba8 or argb8, whichever costs least.
    package let pixels: Raster
    /// The position of the first pixel in the frame.
    package let x: Int
    package let y: Int

    package init(pixels: Raster, x: Int, y: Int) {
        self.pixels = pixels
        self.x = x
        self.y = y
    }
}

/// A frame whose pixels are in memory, in a byte layout.
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
