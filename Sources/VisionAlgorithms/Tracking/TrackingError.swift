/// An error that prevents a track from starting.
package enum TrackingError: Error, Equatable, Sendable {
    /// The box to track has no area, is not finite, or lies outside the image.
    case invalidBox(String)
    /// The corners to track are not those of a rectangle in perspective, are not finite, or lie outside the image.
    case invalidQuad(String)
    /// The frame is not `grey8`, or has no colours where tracking needs them.
    case unsupportedFrame(String)
}
