/// A rectangle in pixels: origin at the top left of the image, x to the right, y down.
package struct PixelBox: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

package enum TrackingError: Error, Equatable, Sendable {
    /// The box to track has no area, is not finite, or lies outside the image.
    case invalidBox(String)
    /// Frames must be grey, one byte a pixel.
    case unsupportedFrame(String)
}
