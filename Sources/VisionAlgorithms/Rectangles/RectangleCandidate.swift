import Foundation

/// A quad that may be the outline of an object.
package struct RectangleCandidate: Sendable {
    /// The corners in pixels of the image that was searched.
    package var quad: PlanarQuad
    /// The logarithm of the odds that it is an outline.
    package var score: Double
    /// The values that the score is computed from.
    package var evidence: [Double]

    package init(quad: PlanarQuad, score: Double, evidence: [Double]) {
        (self.quad, self.score, self.evidence) = (quad, score, evidence)
    }

    package var confidence: Double { 1 / (1 + exp(-score)) }

    /// Whether both are outlines of one object, or of parts of it with common sides.
    package func isLike(_ other: RectangleCandidate) -> Bool {
        let common = quad.commonArea(with: other.quad)
        let (own, its) = (abs(quad.area), abs(other.quad.area))
        if common > 0.6 * (own + its - common) { return true }
        return common > 0.5 * min(own, its) && sharedSides(with: other) >= 2
    }

    private func sharedSides(with other: RectangleCandidate) -> Int {
        (0..<4).count { index in
            let (own, next) = (quad.corners[index], quad.corners[(index + 1) % 4])
            return (0..<4).contains { other.quad.isOnSide($0, own) && other.quad.isOnSide($0, next) }
        }
    }
}

extension PlanarQuad {
    /// Returns whether a point is within a fiftieth of a side's length of the line through the side.
    fileprivate func isOnSide(_ side: Int, _ point: PlanarPoint) -> Bool {
        let (a, b) = (corners[side], corners[(side + 1) % 4])
        let length = max(a.distance(to: b), 1)
        return abs((b - a).cross(point - a)) < 0.02 * length * length
    }
}
