/// Why a tracker cannot start.
package enum TrackingError: Error, Equatable, Sendable {
    /// The box to track has no area, is not finite, or lies outside the image.
    case invalidBox(String)
    /// The corners to track are no rectangle in perspective, not finite, or lie outside the image.
    case invalidQuad(String)
    /// Frames must be grey, one byte a pixel.
    case unsupportedFrame(String)
}
