import Foundation
package import VisionImage

/// A rectangle seen in perspective.
package struct FoundRectangle: Sendable {
    /// In pixels of the image, clockwise from the corner from which the quad goes most to the right.
    package var quad: PlanarQuad
    /// 0 … 1; of an outline around a clearer one that of the clearer one.
    package var confidence: Double
    /// What speaks for this quad.
    package var evidence: [Double]
}

/// Finds the outlines of pages, cards, screens and signs.
package struct RectangleFinder: Hashable, Sendable {
    /// Of the shorter side to the longer one, of the rectangle itself.
    package var aspectRatios: ClosedRange<Double> = 0.5...1
    /// Degrees that a corner may differ from a right angle in the image.
    package var quadratureTolerance = 30.0
    /// The shorter side, in the mean of opposite ones, as a part of the image's smaller dimension.
    package var minimumSize = 0.2
    /// Below that they are left out.
    package var leastConfidence = 0.25
    /// Returns all that was looked at closely, alike or not: what the weights of the confidence are fitted to.
    package var keepsAll = false

    /// The longer side of the image that lines are looked for in.
    package static let workingSize = 640
    /// Candidates that are looked at closely, and results that are made exact.
    private static let (mostCandidates, mostResults) = (300, 64)
    /// How much worse an outer quad may be, in logarithms of odds.
    private static let outerMargin = 1.0
    /// The same where both have sides that are about as far apart all around.
    private static let frameMargin = 6.0
    /// What an inner quad loses beside its outline, so that it follows it, and the least confidence that it needs.
    private static let (innerLoss, leastInnerConfidence) = (0.01, 0.88)

    /// What the evidence of a rectangle is, in its order.
    package static let evidenceNames = QuadEvidence.names

    package init() {}

    /// The rectangles by falling confidence.
    ///
    /// - Parameters:
    ///   - image: Bytes of one, three or four channels.
    ///   - small: The same image, its longer side at most `workingSize`.
    /// - Throws: `ImageError.outOfMemory`.
    package func rectangles(in image: Raster, small: Raster) throws -> [FoundRectangle] {
        let (width, height) = (Double(small.width), Double(small.height))
        var finder = LineFinder()
        let least = max(minimumSize * min(width, height), min(width, height) / 40, 12)
        finder.leastLength = min(max(Int(0.2 * least), 10), 24)
        guard small.width >= 8, small.height >= 8 else { return [] }
        let edges = try LineEdges(small, least: finder.leastGradient)
        var lines = finder.lines(of: edges)
        let search = QuadSearch(
            lines,
            limits: .init(
                leastSide: 0.7 * least, quadratureTolerance: quadratureTolerance, width: width, height: height))
        let sides = search.sides()
        let completed = QuadCompletion(lines: lines, search: search, edges: edges).completed(sides)
        lines += completed.lines
        let promising = best(search.quads(of: sides) + completed.quads, width: width, height: height)
        let sampler = ColourSampler(small)
        var judged = promising.map { Judged($0, lines: lines, image: sampler) }
        if keepsAll {
            return judged.map {
                FoundRectangle(
                    quad: $0.candidate.quad.scaled(Double(image.width) / width, Double(image.height) / height).ordered,
                    confidence: $0.confidence, evidence: $0.evidence)
            }
        }
        judged = Self.outlines(judged, leastConfidence: leastConfidence)
        let full = QuadRefinement(image: ColourSampler(image))
        let scaleX = Double(image.width) / width, scaleY = Double(image.height) / height
        return judged.prefix(Self.mostResults).compactMap { entry in
            let quad = entry.candidate.quad.scaled(scaleX, scaleY)
            let refined = full.refined(quad, reach: max(1.5, 2 * max(scaleX, scaleY))).ordered
            // As returned, too, it has to keep to the limits.
            guard isAllowed(refined, width: Double(image.width), height: Double(image.height)) else { return nil }
            return FoundRectangle(quad: refined, confidence: entry.confidence, evidence: entry.evidence)
        }
    }

    /// The outline of each thing, by falling confidence: of quads that are much alike the best one, or one around it that is not
    /// much worse, with the best one after it where that is clear by itself. So a screen is outlined with its frame, and a sign by
    /// its edge rather than by the line printed within; both can be had.
    private static func outlines(_ all: [Judged], leastConfidence: Double) -> [Judged] {
        let order = all.indices.sorted { all[$0].score != all[$1].score ? all[$0].score > all[$1].score : $0 < $1 }
        var kept: [(best: Judged, outline: Judged)] = []
        for index in order {
            let entry = all[index]
            guard
                let place = kept.firstIndex(where: {
                    $0.best.isLike(entry)
                        || $0.outline.candidate.lines != $0.best.candidate.lines && $0.outline.isLike(entry)
                })
            else {
                if entry.confidence >= leastConfidence { kept.append((entry, entry)) }
                continue
            }
            let margin = entry.frames(kept[place].outline) ? frameMargin : outerMargin
            if entry.score > kept[place].best.score - margin, entry.surrounds(kept[place].outline) {
                kept[place].outline = entry
            }
        }
        return kept.flatMap { pair -> [Judged] in
            var (outline, inner) = (pair.outline, pair.best)
            outline.score = pair.best.score
            inner.score -= innerLoss
            let isOne = outline.candidate.lines == inner.candidate.lines
            return isOne || inner.confidence < leastInnerConfidence ? [outline] : [outline, inner]
        }
        .sorted { $0.score > $1.score }
    }

    private func isAllowed(_ quad: PlanarQuad, width: Double, height: Double) -> Bool {
        let sides = quad.sides
        return min(sides.width, sides.height) >= minimumSize * min(width, height)
            && quad.largestDeviation <= quadratureTolerance
            && aspectRatios.contains(quad.aspectRatio(width: width, height: height))
    }

    /// The candidates that keep to the limits, the most promising ones.
    private func best(_ candidates: [QuadCandidate], width: Double, height: Double) -> [QuadCandidate] {
        let allowed = candidates.filter { isAllowed($0.quad, width: width, height: height) }
        let promises = allowed.map(\.promise)
        let order = allowed.indices.sorted { promises[$0] != promises[$1] ? promises[$0] > promises[$1] : $0 < $1 }
        return order.prefix(Self.mostCandidates).map { allowed[$0] }
    }
}

/// A candidate with what was found out about it.
private struct Judged {
    let candidate: QuadCandidate
    let evidence: [Double]
    /// The logarithm of the odds.
    var score: Double

    init(_ candidate: QuadCandidate, lines: [ImageLine], image: ColourSampler) {
        self.candidate = candidate
        evidence = QuadEvidence(candidate, lines: lines, image: image).values
        score = RectangleConfidence.score(of: evidence)
    }

    var confidence: Double { 1 / (1 + exp(-score)) }

    /// Whether both are outlines of one thing, or of parts of it with sides in common.
    func isLike(_ other: Judged) -> Bool {
        let (a, b) = (candidate, other.candidate)
        let common = a.quad.commonArea(with: b.quad)
        let (own, its) = (abs(a.quad.area), abs(b.quad.area))
        if common > 0.6 * (own + its - common) { return true }
        var shared = 0
        for index in 0..<4 where (0..<4).contains(where: { a.lines[index] == b.lines[$0] }) { shared += 1 }
        return shared >= 2 && common > 0.5 * min(own, its)
    }

    /// Whether the sides of the other are about as far from this one's sides all around.
    func frames(_ other: Judged) -> Bool {
        let (own, its) = (candidate.quad.ordered.corners, other.candidate.quad.ordered.corners)
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
    func surrounds(_ other: Judged) -> Bool {
        let (a, b) = (candidate.quad, other.candidate.quad)
        return abs(a.area) > abs(b.area) && a.commonArea(with: b) > 0.97 * abs(b.area)
            && abs(b.area) > 0.6 * abs(a.area)
    }
}
