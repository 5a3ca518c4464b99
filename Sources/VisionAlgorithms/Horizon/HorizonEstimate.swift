/// The roll of the camera, estimated from an image.
package struct HorizonEstimate: Hashable, Sendable {
    /// The direction of the horizon in radians, from -π/4 to π/4: above 0 if its right end is the lower one.
    package var angle: Double
    /// The probability that the angle is right within 2°.
    package var confidence: Double
    /// The evidence that the confidence is computed from.
    package var evidence: HorizonEvidence
}

/// The evidence for an angle.
package struct HorizonEvidence: Hashable, Sendable {
    /// The sum of the lengths of the edges that agree with it, relative to the longer side of the image, weighted by
    /// kind.
    package var support: Double
    /// The same for the best angle that is more than 4° away.
    package var rival: Double
    /// The greatest share of the longer side that edges on one straight line at this angle cover.
    package var line: Double
}
