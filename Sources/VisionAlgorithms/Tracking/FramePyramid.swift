import Foundation
package import VisionImage

/// Each level of a frame's pyramid is half as wide and high as the one before, rounded up; level 0 is the frame.
extension TrackingFrame {
    /// Where a frame keeps nothing: made anew each time.
    package func grey(level: Int) throws -> Raster {
        guard level > 0 else { return try grey() }
        return try grey(level: level - 1).halved()
    }
}

extension Raster {
    /// Half as wide and high, rounded up; each pixel the mean of those that it covers.
    package func halved() throws -> Raster {
        try resized(width: (width + 1) / 2, height: (height + 1) / 2, filter: .area)
    }
}

/// What the filters of a tracker see of a frame.
struct FramePixels {
    /// More levels than any frame has use for.
    private static let mostLevels = 12

    let frame: any TrackingFrame
    /// Where the filters work.
    let space: TrackingWorkspace
    let colour: ColourWindow

    /// The grey pixels for views whose samples lie `step` pixels of the frame apart, shrunk so far that they lie one to two
    /// pixels apart, and the view in pixels of those. So a large target costs no more than a small one, and what shrinking
    /// costs is paid once a frame.
    func grey(forStep step: Double) throws -> GreyLevel {
        let level = step > 1 ? min(Int(log2(min(step, 1e6))), Self.mostLevels) : 0
        let pixels = try frame.grey(level: level)
        return GreyLevel(
            pixels: pixels, scaleX: Double(pixels.width) / Double(frame.width),
            scaleY: Double(pixels.height) / Double(frame.height))
    }
}

/// The grey pixels of one level of a frame.
struct GreyLevel {
    let pixels: Raster
    let scaleX: Double
    let scaleY: Double

    /// A box in pixels of the frame, in pixels of this level.
    func box(_ box: PixelRegion) -> PixelRegion {
        PixelRegion(
            x: box.x * scaleX, y: box.y * scaleY, width: box.width * scaleX, height: box.height * scaleY)
    }
}
