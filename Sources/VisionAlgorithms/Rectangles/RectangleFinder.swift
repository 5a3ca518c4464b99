package import VisionImage

/// A rectangle seen in perspective.
package struct FoundRectangle: Sendable {
    /// In pixels of the image, clockwise from the corner from which the quad goes most to the right.
    package var quad: PlanarQuad
    /// 0 … 1.
    package var confidence: Double

    package init(quad: PlanarQuad, confidence: Double) {
        self.quad = quad
        self.confidence = confidence
    }
}

/// Finds quads of straight lines that may be the outlines of pages, cards, screens and signs, and says which quads are wanted.
package struct RectangleFinder: Hashable, Sendable {
    /// Of the shorter side to the longer one, of the rectangle itself.
    package var aspectRatios: ClosedRange<Double> = 0.5...1
    /// Degrees that a corner may differ from a right angle in the image.
    package var quadratureTolerance = 30.0
    /// The shorter side, in the mean of opposite ones, as a part of the image's smaller dimension.
    package var minimumSize = 0.2
    /// Below that they are left out.
    package var leastConfidence = 0.25

    /// The longer side of the image that lines are looked for in.
    package static let workingSize = 640
    /// Candidates that are looked at closely.
    private static let mostCandidates = 300

    /// What the evidence of a candidate is, in its order.
    package static let evidenceNames = QuadEvidence.names

    package init() {}

    /// The most promising quads that keep to the limits, alike or not, in no order.
    ///
    /// - Parameter small: Bytes of one, three or four channels, the longer side at most `workingSize`.
    /// - Throws: `ImageError.outOfMemory`.
    package func candidates(in small: Raster) throws -> [RectangleCandidate] {
        let (width, height) = (Double(small.width), Double(small.height))
        var finder = LineFinder()
        let least = max(minimumSize * min(width, height), min(width, height) / 40, 12)
        finder.leastLength = min(max(Int(0.2 * least), 10), 24)
        guard small.width >= 8, small.height >= 8 else { return [] }
        let edges = try LineEdges(small, least: finder.leastGradient)
        let lines = finder.lines(of: edges)
        let search = QuadSearch(
            lines,
            limits: .init(
                leastSide: 0.7 * least, quadratureTolerance: quadratureTolerance, width: width, height: height))
        let sampler = ColourSampler(small)
        return best(search.quads(of: search.sides()), width: small.width, height: small.height).map {
            let evidence = QuadEvidence($0, lines: lines, image: sampler).values
            return RectangleCandidate(
                quad: $0.quad, score: RectangleConfidence.score(of: evidence), evidence: evidence)
        }
    }

    /// Whether a quad keeps to the limits in an image of this size.
    package func allows(_ quad: PlanarQuad, width: Int, height: Int) -> Bool {
        let sides = quad.sides
        let (width, height) = (Double(width), Double(height))
        return min(sides.width, sides.height) >= minimumSize * min(width, height)
            && quad.largestDeviation <= quadratureTolerance
            && aspectRatios.contains(quad.aspectRatio(width: width, height: height))
    }

    /// The candidates that keep to the limits, the most promising ones.
    private func best(_ candidates: [QuadCandidate], width: Int, height: Int) -> [QuadCandidate] {
        let allowed = candidates.filter { allows($0.quad, width: width, height: height) }
        let promises = allowed.map(\.promise)
        let order = allowed.indices.sorted { promises[$0] != promises[$1] ? promises[$0] > promises[$1] : $0 < $1 }
        return order.prefix(Self.mostCandidates).map { allowed[$0] }
    }
}
