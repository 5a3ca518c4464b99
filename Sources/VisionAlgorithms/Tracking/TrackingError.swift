/// Why a tracker cannot start.
package enum TrackingError: Error, Equatable, Sendable {
    /// The box to track has no area, is not finite, or lies outside the image.
    case invalidBox(String)
}
