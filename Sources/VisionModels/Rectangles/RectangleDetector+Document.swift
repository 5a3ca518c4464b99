import Foundation
package import VisionAlgorithms
package import VisionImage

extension RectangleDetector {
    /// The limits of a page: receipts are long, and photographs are taken from the side.
    package static var pageFinder: RectangleFinder {
        var finder = RectangleFinder()
        finder.aspectRatios = 0.15...1
        finder.quadratureTolerance = 50
        finder.minimumSize = 0.12
        return finder
    }

    /// Returns the page that an image is a photograph of; nil without any.
    ///
    /// The quads that the search for rectangles verifies are not enough where things lie on the page, or other sheets
    /// under it: then a grid of quads of pages' sizes is refined as well. The page is the quad with the highest score
    /// by the verifier, its sides and its size.
    ///
    /// - Parameters: As for `rectangles(in:small:threads:willRun:)`.
    /// - Throws: `ImageError`, `ModelError`.
    package func document(
        in image: Raster, small: Raster, threads: Int? = nil, willRun: () throws -> Void = {}
    ) throws -> FoundRectangle? {
        guard small.width >= 8, small.height >= 8 else { return nil }
        let view = try View(small, threads: threads)
        let evidence = try PageEvidence(small)
        var seen = try candidates(view, willRun)
        var best = Self.best(among: seen, evidence)
        if best.map({ $0.score < Self.clearScore }) ?? true {
            seen += try searched(seen, view, willRun)
            best = Self.best(among: seen, evidence)
        }
        guard let best, best.score >= Self.leastScore else { return nil }
        let candidate = RectangleCandidate(
            quad: best.quad, score: (best.score - Self.evenScore) / Self.scoreUnit, evidence: [])
        let found = try exact([candidate], in: image, view, willRun).first
        // Sides that cannot be refined within the limits stay as they are.
        return found
            ?? FoundRectangle(
                quad: best.quad.scaled(
                    Double(image.width) / Double(small.width), Double(image.height) / Double(small.height)
                ).ordered, confidence: candidate.confidence)
    }

    /// The score above which no other quads are searched, the least of a result, that with a confidence of a half, and
    /// the difference that multiplies the odds by e.
    private static let (clearScore, leastScore, evenScore, scoreUnit) = (16.0, 5.0, 7.0, 1.5)

    /// The lowest `near` score of a page.
    private static let leastPageNear = 0.0

    /// Returns the page with its score; nil without a quad that may be one.
    ///
    /// Quads of nearly the same score and place are seen with different errors, so the page is their weighted mean.
    private static func best(among seen: [Scored], _ evidence: PageEvidence) -> (quad: PlanarQuad, score: Double)? {
        let scored = seen.filter { $0.verdict.near > leastPageNear }.map { entry in
            (
                quad: entry.candidate.quad,
                score: pageScore(entry.verdict, evidence.values(of: entry.candidate.quad))
            )
        }
        guard let best = scored.indices.max(by: { scored[$0].score < scored[$1].score }).map({ scored[$0] }) else {
            return nil
        }
        var sums = [PlanarPoint](repeating: PlanarPoint(x: 0, y: 0), count: 4)
        var total = 0.0
        for entry in scored where entry.score > best.score - 4 * consensusUnit {
            let common = entry.quad.commonArea(with: best.quad)
            let union = abs(entry.quad.area) + abs(best.quad.area) - common
            guard common >= consensusOverlap * union else { continue }
            let weight = exp((entry.score - best.score) / consensusUnit)
            let corners = entry.quad.corners(like: best.quad)
            for index in sums.indices {
                sums[index].x += weight * corners[index].x
                sums[index].y += weight * corners[index].y
            }
            total += weight
        }
        let means = sums.map { PlanarPoint(x: $0.x / total, y: $0.y / total) }
        let mean = PlanarQuad(topLeft: means[0], topRight: means[1], bottomRight: means[2], bottomLeft: means[3])
        return (mean.isFinite && mean.isConvex ? mean : best.quad, best.score)
    }

    /// The least overlap of the quads of which the mean is taken, and the difference of score that divides a weight by
    /// e.
    private static let (consensusOverlap, consensusUnit) = (0.85, 0.6)

    /// The score of a page: chosen on photographs of pages, some with things on them and sheets beneath.
    static func pageScore(_ verdict: RectangleNetworks.Verdict, _ values: PageEvidence.Values) -> Double {
        1.2 * verdict.near + 0.2 * verdict.exact + 9 * values.leastCoverage + 8 * values.meanCoverage
            + 3 * log(max(values.area, 1e-3)) - 0.2 * values.mostBeyond - 0.1 * values.meanBeyond
    }

    /// The relative heights of the quads of the grid, and their ratios of width to height.
    private static let (gridHeights, gridRatios) = ([0.35, 0.55, 0.8], [1 / 1.41, 1.41])
    /// The distance of the quads of the grid, relative to their sides.
    private static let gridStep = 0.45
    /// The most quads of the grid beside each other: of a panorama they lie further apart.
    private static let gridLimit = 20.0
    /// The rounds of corrections of the grid's quads, and after which of them the best are refined once more.
    private static let (gridRounds, refinedRound) = (5, 1)

    /// Returns the verified quads that a grid over the image leads to.
    private func searched(_ seen: [Scored], _ view: View, _ willRun: () throws -> Void) throws -> [Scored] {
        let grid = Self.grid(width: Double(view.small.width), height: Double(view.small.height)).filter {
            isPossible($0, view)
        }
        let outlines = try networks.outlines(of: grid, in: view.crops, threads: view.threads, willRun: willRun)
        var last = try verified(
            new(outlines.joined().map { $0 } + grid, besides: seen, view), view, willRun)
        var all = last
        for round in 0..<Self.gridRounds {
            var next = moved(last, besides: seen + all, view)
            if round == Self.refinedRound { next += try refined(seen + all, view, willRun) }
            guard !next.isEmpty else { break }
            last = try verified(next, view, willRun)
            all += last
        }
        return all.filter { finder.allows($0.candidate.quad, width: view.small.width, height: view.small.height) }
    }

    private static func grid(width: Double, height: Double) -> [PlanarQuad] {
        gridHeights.flatMap { relative in
            gridRatios.flatMap { ratio -> [PlanarQuad] in
                let (h, w) = (relative * height, relative * height * ratio)
                guard w <= 0.95 * width else { return [] }
                func starts(_ side: Double, _ all: Double) -> [Double] {
                    Array(stride(from: 0, through: all - side, by: max(gridStep * side, all / gridLimit)))
                }
                return starts(h, height).flatMap { top in
                    starts(w, width).map { left in
                        PlanarQuad(
                            topLeft: PlanarPoint(x: left, y: top), topRight: PlanarPoint(x: left + w, y: top),
                            bottomRight: PlanarPoint(x: left + w, y: top + h),
                            bottomLeft: PlanarPoint(x: left, y: top + h))
                    }
                }
            }
        }
    }
}

extension PlanarQuad {
    /// The corners, beginning with the one for which they are nearest to those of another quad; both go clockwise.
    fileprivate func corners(like other: PlanarQuad) -> [PlanarPoint] {
        let (own, its) = (corners, other.corners)
        let distances = (0..<4).map { shift in
            (0..<4).reduce(0) { $0 + own[($1 + shift) % 4].distance(to: its[$1]) }
        }
        let first = distances.indices.min { distances[$0] < distances[$1] } ?? 0
        return (0..<4).map { own[($0 + first) % 4] }
    }
}
