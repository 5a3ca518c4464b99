import Foundation
package import VisionImage

/// The default pyramid of a frame: each level is half as wide and high as the one before, rounded up; level 0 is the
/// frame.
extension TrackingFrame {
    /// Recomputes the level at each call.
    package func grey(level: Int) throws -> Raster {
        guard level > 0 else { return try grey() }
        return try grey(level: level - 1).halved()
    }
}

extension Raster {
    /// Returns the image at half its width and height, rounded up; each pixel is the mean of those that it covers.
    package func halved() throws -> Raster {
        try resized(width: (width + 1) / 2, height: (height + 1) / 2, filter: .area)
    }
}

/// The pixels of a frame that the filters of a tracker read, and memory for them to work in.
struct FramePixels {
    /// More levels than any frame needs.
    private static let maximumLevels = 12

    let frame: any TrackingFrame
    /// The buffers of the filters.
    let space: TrackingWorkspace
    let colour: ColourWindow

    /// Returns the pyramid level for views whose samples are `step` frame pixels apart: the one where samples are one
    /// to two pixels apart. So a large target costs no more than a small one, and the pyramid is made once a frame.
    func grey(forStep step: Double) throws -> GreyLevel {
        let level = step > 1 ? min(Int(log2(min(step, 1e6))), Self.maximumLevels) : 0
        let pixels = try frame.grey(level: level)
        return GreyLevel(
            pixels: pixels, scaleX: Double(pixels.width) / Double(frame.width),
            scaleY: Double(pixels.height) / Double(frame.height))
    }
}

/// One level of a frame's grey pyramid, and its scale relative to the frame.
struct GreyLevel {
    let pixels: Raster
    let scaleX: Double
    let scaleY: Double

    /// Converts a box from pixels of the frame to pixels of this level.
    func box(_ box: PixelRegion) -> PixelRegion {
        PixelRegion(
            x: box.x * scaleX, y: box.y * scaleY, width: box.width * scaleX, height: box.height * scaleY)
    }
}
