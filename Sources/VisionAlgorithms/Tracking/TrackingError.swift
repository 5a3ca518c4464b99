/// Why a tracker cannot start or go on.
package enum TrackingError: Error, Equatable, Sendable {
    /// The box to track has no area, is not finite, or lies outside the image.
    case invalidBox(String)
    /// Frames must be grey, one byte a pixel.
    case unsupportedFrame(String)
}
