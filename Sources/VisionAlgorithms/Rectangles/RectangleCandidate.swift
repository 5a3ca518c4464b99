import Foundation

/// A quad that may be the outline of a thing.
package struct RectangleCandidate: Sendable {
    /// In pixels of the image that was searched.
    package var quad: PlanarQuad
    /// The logarithm of the odds that it is an outline.
    package var score: Double
    /// What speaks for it.
    package var evidence: [Double]

    package init(quad: PlanarQuad, score: Double, evidence: [Double]) {
        (self.quad, self.score, self.evidence) = (quad, score, evidence)
    }

    package var confidence: Double { 1 / (1 + exp(-score)) }

    /// Whether both are outlines of one thing, or of parts of it with sides in common.
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
    /// Whether a point lies on the line through a side, within a fiftieth of its length.
    fileprivate func isOnSide(_ side: Int, _ point: PlanarPoint) -> Bool {
        let (a, b) = (corners[side], corners[(side + 1) % 4])
        let length = max(a.distance(to: b), 1)
        return abs((b - a).cross(point - a)) < 0.02 * length * length
    }
}
