package import VisionImage

/// A rectangle found in an image, in perspective.
package struct FoundRectangle: Sendable {
    /// The corners in pixels of the image, clockwise from the one from which the quad extends most to the right.
    package var quad: PlanarQuad
    /// 0 … 1.
    package var confidence: Double

    package init(quad: PlanarQuad, confidence: Double) {
        self.quad = quad
        self.confidence = confidence
    }
}

/// Finds quads of straight lines that may be the outlines of pages, cards, screens and signs, within the limits of a
/// request.
package struct RectangleFinder: Hashable, Sendable {
    /// The allowed aspect ratios (shorter to longer side) of the rectangle itself.
    package var aspectRatios: ClosedRange<Double> = 0.5...1
    /// The largest allowed deviation of a corner from a right angle in the image, in degrees.
    package var quadratureTolerance = 30.0
    /// The least length of the shorter side (mean of opposite sides), relative to the image's smaller dimension.
    package var minimumSize = 0.2
    /// The confidence below which rectangles are left out.
    package var leastConfidence = 0.25

    /// The longer side of the image in which lines are searched, in pixels.
    package static let workingSize = 640
    /// The number of candidates whose evidence is computed.
    private static let maximumCandidates = 300

    /// The names of a candidate's evidence values, in order.
    package static let evidenceNames = QuadEvidence.names

    package init() {}

    /// Returns the candidates within the limits, unordered and possibly overlapping.
    ///
    /// - Parameter small: Bytes of one, three or four channels, the longer side at most `workingSize`.
    /// - Throws: `ImageError.outOfMemory`.
    package func candidates(in small: Raster) throws -> [RectangleCandidate] {
        let (width, height) = (Double(small.width), Double(small.height))
        var finder = LineFinder()
        let least = max(minimumSize * min(width, height), min(width, height) / 40, 12)
        finder.minimumLength = min(max(Int(0.2 * least), 10), 24)
        guard small.width >= 8, small.height >= 8 else { return [] }
        let edges = try LineEdges(small, least: finder.minimumGradient)
        let lines = finder.lines(of: edges)
        let search = QuadSearch(
            lines,
            limits: .init(
                minimumSide: 0.7 * least, quadratureTolerance: quadratureTolerance, width: width, height: height))
        let sampler = ColourSampler(small)
        return best(search.quads(of: search.sides()), width: small.width, height: small.height).map {
            let evidence = QuadEvidence($0, lines: lines, image: sampler).values
            return RectangleCandidate(
                quad: $0.quad, score: RectangleConfidence.score(of: evidence), evidence: evidence)
        }
    }

    /// Returns whether a quad is within the limits in an image of this size.
    package func allows(_ quad: PlanarQuad, width: Int, height: Int) -> Bool {
        let sides = quad.sides
        let (width, height) = (Double(width), Double(height))
        return min(sides.width, sides.height) >= minimumSize * min(width, height)
            && quad.largestDeviation <= quadratureTolerance
            && aspectRatios.contains(quad.aspectRatio(width: width, height: height))
    }

    /// Returns the candidates within the limits with the highest priorities.
    private func best(_ candidates: [QuadCandidate], width: Int, height: Int) -> [QuadCandidate] {
        let allowed = candidates.filter { allows($0.quad, width: width, height: height) }
        let priorities = allowed.map(\.priority)
        let order = allowed.indices.sorted {
            priorities[$0] != priorities[$1] ? priorities[$0] > priorities[$1] : $0 < $1
        }
        return order.prefix(Self.maximumCandidates).map { allowed[$0] }
    }
}
