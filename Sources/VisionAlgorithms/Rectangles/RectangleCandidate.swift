import Foundation

/// A quad that may be the outline of a thing.
package struct RectangleCandidate: Sendable {
    /// In pixels of the image that was searched.
    package var quad: PlanarQuad
    /// The logarithm of the odds that it is an outline.
    package var score: Double
    /// What speaks for it.
    package var evidence: [Double]
    /// The numbers of the lines of its top, right, bottom and left side, which candidates of one search share; nil for a quad that
    /// was not made of lines.
    var lines: SIMD4<Int32>?

    init(quad: PlanarQuad, score: Double, evidence: [Double], lines: SIMD4<Int32>) {
        (self.quad, self.score, self.evidence, self.lines) = (quad, score, evidence, lines)
    }

    package init(quad: PlanarQuad, score: Double, evidence: [Double]) {
        (self.quad, self.score, self.evidence) = (quad, score, evidence)
    }

    package var confidence: Double { 1 / (1 + exp(-score)) }

    /// Whether both are outlines of one thing, or of parts of it with sides in common.
    func isLike(_ other: RectangleCandidate) -> Bool {
        let common = quad.commonArea(with: other.quad)
        let (own, its) = (abs(quad.area), abs(other.quad.area))
        if common > 0.6 * (own + its - common) { return true }
        return common > 0.5 * min(own, its) && sharedSides(with: other) >= 2
    }

    private func sharedSides(with other: RectangleCandidate) -> Int {
        if let lines, let others = other.lines {
            return (0..<4).count { index in (0..<4).contains { lines[index] == others[$0] } }
        }
        return (0..<4).count { index in
            let (own, next) = (quad.corners[index], quad.corners[(index + 1) % 4])
            return (0..<4).contains { other.quad.isOnSide($0, own) && other.quad.isOnSide($0, next) }
        }
    }

    /// Whether the sides of the other are about as far from this one's sides all around.
    func frames(_ other: RectangleCandidate) -> Bool {
        let (own, its) = (quad.ordered.corners, other.quad.ordered.corners)
        var gaps: [Double] = []
        for index in 0..<4 {
            let (a, b) = (own[index], own[(index + 1) % 4])
            let length = max(a.distance(to: b), 1)
            for corner in [its[index], its[(index + 1) % 4]] { gaps.append((b - a).cross(corner - a) / length) }
        }
        guard let least = gaps.min(), let most = gaps.max() else { return false }
        return least > 0.3 * most
    }

    /// Whether the other is within this one, side by side.
    func surrounds(_ other: RectangleCandidate) -> Bool {
        abs(quad.area) > abs(other.quad.area) && quad.commonArea(with: other.quad) > 0.97 * abs(other.quad.area)
            && abs(other.quad.area) > 0.6 * abs(quad.area)
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

/// Chooses the outline of each thing among candidates.
package struct RectangleOutlines: Hashable, Sendable {
    /// How much worse an outer quad may be, in logarithms of odds.
    package var outerMargin = 1.0
    /// The same where both have sides that are about as far apart all around.
    package var frameMargin = 6.0
    /// What an inner quad loses beside its outline, so that it follows it, and the least confidence that it needs.
    package var innerLoss = 0.01
    package var leastInnerConfidence = 0.88

    package init() {}

    /// The outline of each thing, by falling confidence: of quads that are much alike the best one, or one around it that is not
    /// much worse, with the best one after it where that is clear by itself. So a screen is outlined with its frame, and a sign by
    /// its edge rather than by the line printed within; both can be had.
    package func outlines(of all: [RectangleCandidate], leastConfidence: Double) -> [RectangleCandidate] {
        let order = all.indices.sorted { all[$0].score != all[$1].score ? all[$0].score > all[$1].score : $0 < $1 }
        var kept: [(best: Int, outline: Int)] = []
        for index in order {
            let entry = all[index]
            guard
                let place = kept.firstIndex(where: {
                    all[$0.best].isLike(entry) || $0.outline != $0.best && all[$0.outline].isLike(entry)
                })
            else {
                if entry.confidence >= leastConfidence { kept.append((index, index)) }
                continue
            }
            let (best, outline) = (all[kept[place].best], all[kept[place].outline])
            let margin = entry.frames(outline) ? frameMargin : outerMargin
            if entry.score > best.score - margin, entry.surrounds(outline) { kept[place].outline = index }
        }
        return kept.flatMap { pair -> [RectangleCandidate] in
            var (outline, inner) = (all[pair.outline], all[pair.best])
            outline.score = inner.score
            inner.score -= innerLoss
            return pair.outline == pair.best || inner.confidence < leastInnerConfidence ? [outline] : [outline, inner]
        }
        .sorted { $0.score > $1.score }
    }
}
