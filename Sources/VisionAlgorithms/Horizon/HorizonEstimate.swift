/// How an image is turned about the axis of the camera.
package struct HorizonEstimate: Hashable, Sendable {
    /// The direction of the horizon in radians, from -π/4 to π/4: above 0 where its right end is the lower one.
    package var angle: Double
    /// How probable it is that the angle is right within 2°.
    package var confidence: Double
    /// What the confidence was made of.
    package var evidence: HorizonEvidence
}

/// What speaks for an angle.
package struct HorizonEvidence: Hashable, Sendable {
    /// The sum of the lengths of the edges that agree with it, in longer sides of the image, each kind by its weight.
    package var support: Double
    /// The same for the best angle that is more than 4° away.
    package var rival: Double
    /// How much of the longer side the edges cover that lie on one straight line along it, at most.
    package var line: Double
}
