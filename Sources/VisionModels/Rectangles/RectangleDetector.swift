package import VisionAlgorithms
package import VisionImage

/// Finds the outlines of pages, cards, screens and signs: line segments and a network on the whole image propose quads;
/// a refinement network and a verifier, which process each quad rectified to a square, correct and score it.
package struct RectangleDetector: Sendable {
    package var finder: RectangleFinder
    package var settings: Settings
    let networks: RectangleNetworks

    package init(_ finder: RectangleFinder, networks: RectangleNetworks, settings: Settings = Settings()) {
        self.finder = finder
        self.networks = networks
        self.settings = settings
    }

    /// Returns the rectangles by falling confidence.
    ///
    /// - Parameters:
    ///   - image: Bytes of one, three or four channels.
    ///   - small: The same image, its longer side at most `RectangleFinder.workingSize`.
    ///   - threads: The maximum number of threads of a network; nil for all. The result does not depend on it.
    ///   - willRun: Called before each run of a network; an error that it throws ends the search.
    /// - Throws: `ImageError`, `ModelError`.
    package func rectangles(
        in image: Raster, small: Raster, threads: Int? = nil, willRun: () throws -> Void = {}
    ) throws -> [FoundRectangle] {
        guard small.width >= 8, small.height >= 8 else { return [] }
        let view = try View(small, threads: threads)
        let chosen = chosen(among: try candidates(view, willRun))
        return try exact(chosen, in: image, view, willRun)
    }

    /// Returns quads of the small image with their sides moved to those of the full-size one, without duplicates.
    func exact(
        _ chosen: [RectangleCandidate], in image: Raster, _ view: View, _ willRun: () throws -> Void
    ) throws -> [FoundRectangle] {
        let (small, threads) = (view.small, view.threads)
        let (scaleX, scaleY) = (
            Double(image.width) / Double(small.width), Double(image.height) / Double(small.height)
        )
        let scale = max(scaleX, scaleY)
        // The quads as they are, and with their sides moved to the strongest colour change within a short or a wide
        // reach.
        let before = chosen.map { $0.quad.scaled(scaleX, scaleY).ordered }
        let refinement = QuadRefinement(image: try SideColours(image))
        let near = before.map { refinement.refined($0, reach: max(1.5, 2 * scale)).ordered }
        let wide = before.map { quad in
            let reach = max(4 * scale, settings.exactReach * (quad.sides.width + quad.sides.height) / 2)
            return refinement.refined(quad, reach: reach).ordered
        }
        let verdicts = try networks.verdicts(
            on: (before + near + wide).map { $0.scaled(1 / scaleX, 1 / scaleY) }, in: view.crops, threads: threads,
            willRun: willRun)
        var found: [FoundRectangle] = []
        for (index, entry) in chosen.enumerated() {
            func exact(_ set: Int) -> Double { verdicts[set * chosen.count + index]?.exact ?? -.infinity }
            var (quad, value) = (near[index], exact(1))
            if exact(2) > value + settings.wideMargin { (quad, value) = (wide[index], exact(2)) }
            if exact(0) > value + settings.exactMargin { quad = before[index] }
            // The refined quad has to keep the limits, too.
            guard finder.allows(quad, width: image.width, height: image.height),
                !found.contains(where: { $0.quad.isSame(as: quad, within: settings.sameResult) })
            else { continue }
            found.append(FoundRectangle(quad: quad, confidence: entry.confidence))
        }
        return found
    }

    /// The maximum number of results.
    private static let mostResults = 64

    /// Returns the most confident quads, one for each object, by falling confidence. A second quad of the same object
    /// follows where its own confidence or its line segments are clear: the rim of a screen is followed by its inside.
    /// A third one does not: mats and rounded rims have many edges, each within another.
    private func chosen(among all: [Scored]) -> [RectangleCandidate] {
        func score(_ index: Int) -> Double { all[index].candidate.score }
        let order = all.indices.sorted { score($0) != score($1) ? score($0) > score($1) : $0 < $1 }
        var chosen: [RectangleCandidate] = []
        for entry in order.lazy.map({ all[$0].candidate }) {
            guard chosen.count < Self.mostResults, entry.confidence >= finder.leastConfidence else { break }
            if chosen.contains(where: { $0.quad.isSame(as: entry.quad, within: settings.sameResult) }) { continue }
            let alike = chosen.count { $0.isLike(entry) }
            if alike > 1 || alike == 1 && entry.confidence < settings.leastSecond { continue }
            chosen.append(entry)
        }
        let inner = all.compactMap { entry -> (lines: Double, quad: PlanarQuad)? in
            guard let lines = entry.lines, lines.score >= settings.leastInnerLines,
                entry.verdict.near >= settings.leastInnerNear
            else { return nil }
            return (lines.score, entry.candidate.quad)
        }
        let clearest = inner.indices.sorted {
            inner[$0].lines != inner[$1].lines ? inner[$0].lines > inner[$1].lines : $0 < $1
        }
        for (lines, quad) in clearest.map({ inner[$0] }) where chosen.count < Self.mostResults {
            guard !chosen.contains(where: { $0.quad.isSame(as: quad, within: settings.sameResult) }),
                let outer = chosen.firstIndex(where: { $0.quad.surrounds(quad) })
            else { continue }
            let score = min(chosen[outer].score - Self.innerLoss, lines)
            let candidate = RectangleCandidate(quad: quad, score: score, evidence: [])
            guard !chosen.indices.contains(where: { $0 != outer && chosen[$0].isLike(candidate) }) else { continue }
            chosen.append(candidate)
        }
        let last = chosen.indices.sorted {
            chosen[$0].score != chosen[$1].score ? chosen[$0].score > chosen[$1].score : $0 < $1
        }
        return last.map { chosen[$0] }
    }

    /// The difference of score between an inner quad and its outer one, so that it follows it.
    private static let innerLoss = 0.01

    /// Returns all verified quads, including similar ones, with the evidence for each (`RectangleVerdict.names`).
    package func candidates(in small: Raster, threads: Int? = nil) throws -> [RectangleCandidate] {
        guard small.width >= 8, small.height >= 8 else { return [] }
        return try candidates(try View(small, threads: threads)) {}
            .map(\.candidate)
    }

    /// The image that is searched, with its derived data.
    struct View {
        let small: Raster
        let crops: QuadCrops
        let clarity: QuadClarity
        let threads: Int?

        init(_ small: Raster, threads: Int?) throws {
            (self.small, self.threads) = (small, threads)
            crops = try RectangleNetworks.crops(of: small)
            clarity = QuadClarity(image: try SideColours(small))
        }
    }

    /// A quad to verify, clockwise, and its candidate from line segments.
    struct Proposal {
        var quad: PlanarQuad
        var lines: RectangleCandidate?
    }

    /// A verified quad with its scores.
    struct Scored {
        var candidate: RectangleCandidate
        var lines: RectangleCandidate?
        var verdict: RectangleNetworks.Verdict
    }

    func candidates(_ view: View, _ willRun: () throws -> Void) throws -> [Scored] {
        var seen = try verified(try proposals(view, willRun), view, willRun)
        seen += try verified(try refined(seen, view, willRun), view, willRun)
        var last = seen
        for _ in 0..<settings.rounds {
            let moved = moved(last, besides: seen, view)
            guard !moved.isEmpty else { break }
            last = try verified(moved, view, willRun)
            seen += last
        }
        return seen.filter {
            finder.allows($0.candidate.quad, width: view.small.width, height: view.small.height)
        }
    }

    /// Returns the proposals from line segments and of the proposal network.
    private func proposals(_ view: View, _ willRun: () throws -> Void) throws -> [Proposal] {
        let candidates = settings.mostFromLines > 0 ? try finder.candidates(in: view.small) : []
        let order = candidates.indices.sorted {
            let (a, b) = (candidates[$0].score, candidates[$1].score)
            return a != b ? a > b : $0 < $1
        }
        let proposals = distinct(
            order.prefix(settings.mostFromLines).map {
                Proposal(quad: candidates[$0].quad.clockwise, lines: candidates[$0])
            }, within: settings.sameFromLines)
        var found: [RectangleNetworks.Proposal] = []
        for (x, y, part) in parts(of: view.small) {
            try willRun()
            found += try networks.proposals(
                in: part, least: settings.leastFromNetwork, threads: view.threads
            ).map { .init(quad: $0.quad.moved(Double(x), Double(y)), score: $0.score) }
        }
        let surest = found.indices.sorted {
            found[$0].score != found[$1].score ? found[$0].score > found[$1].score : $0 < $1
        }
        let likely = surest.map { found[$0].quad.clockwise }.filter { isPossible($0, view) }
        return proposals
            + distinct(likely.map { Proposal(quad: $0) }, within: settings.sameFromNetwork).prefix(
                settings.mostFromNetwork)
    }

    /// Returns the inputs of the proposal network with their offsets: the whole image, and tiles, in which objects are
    /// larger.
    private func parts(of image: Raster) -> [(x: Int, y: Int, part: Raster)] {
        let (width, height, side) = (image.width, image.height, settings.tileSide)
        guard side >= 16, max(width, height) > side else { return [(0, 0, image)] }
        func starts(_ length: Int) -> [Int] {
            guard length > side else { return [0] }
            let count = (2 * length + side - 1) / side - 1
            return (0..<count).map { (2 * $0 * (length - side) + count - 1) / (2 * (count - 1)) }
        }
        return [(0, 0, image)]
            + starts(height).flatMap { y in
                starts(width).map { x in
                    (x, y, image.cropped(x: x, y: y, width: min(side, width), height: min(side, height)))
                }
            }
    }

    /// Returns the outlines that the refinement network proposes near the best quads, without those already verified.
    func refined(_ seen: [Scored], _ view: View, _ willRun: () throws -> Void) throws -> [Proposal] {
        let starts = distinct(
            sorted(seen, least: settings.leastStray).map { Proposal(quad: $0.candidate.quad) },
            within: settings.sameStray
        ).prefix(settings.mostStrays)
        let outlines = try networks.outlines(
            of: starts.map(\.quad), in: view.crops, threads: view.threads, willRun: willRun)
        return new(outlines.joined().map(\.clockwise), besides: seen, view)
    }

    /// Returns the quads that may become results, without similar ones and those already verified.
    func new(_ quads: [PlanarQuad], besides seen: [Scored], _ view: View) -> [Proposal] {
        distinct(quads.filter { isPossible($0, view) }.map { Proposal(quad: $0) }, within: settings.sameMoved).filter {
            entry in !seen.contains { $0.candidate.quad.isSame(as: entry.quad, within: settings.sameMoved / 2) }
        }
    }

    /// Returns the best quads corrected by the verifier's offsets, without those already verified.
    func moved(_ last: [Scored], besides seen: [Scored], _ view: View) -> [Proposal] {
        let moved = sorted(last, least: settings.leastNear).compactMap { $0.verdict.moved?.clockwise }
        return Array(new(moved, besides: seen, view).prefix(settings.mostMoved))
    }

    /// Runs the verifier on quads; those from line segments keep their evidence.
    func verified(
        _ quads: [Proposal], _ view: View, _ willRun: () throws -> Void
    ) throws -> [Scored] {
        let verdicts = try networks.verdicts(
            on: quads.map(\.quad), in: view.crops, threads: view.threads, willRun: willRun)
        return zip(quads, verdicts).compactMap { entry, verdict in
            guard let verdict else { return nil }
            let evidence = RectangleVerdict.evidence(
                verdict, lines: entry.lines, clarity: view.clarity.clarity(of: entry.quad))
            return Scored(
                candidate: RectangleCandidate(
                    quad: entry.quad, score: RectangleVerdict.score(of: evidence), evidence: evidence),
                lines: entry.lines, verdict: verdict)
        }
    }

    /// Returns the quads with an outline nearby, best first.
    private func sorted(_ seen: [Scored], least: Double) -> [Scored] {
        func promise(_ index: Int) -> Double { seen[index].verdict.near + seen[index].verdict.exact }
        return seen.indices.filter { seen[$0].verdict.near >= least }.sorted {
            promise($0) != promise($1) ? promise($0) > promise($1) : $0 < $1
        }.map { seen[$0] }
    }

    /// Returns the quads that differ from all before them.
    private func distinct(_ quads: [Proposal], within part: Double) -> [Proposal] {
        var result: [Proposal] = []
        for entry in quads where !result.contains(where: { $0.quad.isSame(as: entry.quad, within: part) }) {
            result.append(entry)
        }
        return result
    }

    /// Whether a quad can become a result: large enough, and mostly within the image.
    func isPossible(_ quad: PlanarQuad, _ view: View) -> Bool {
        let (width, height) = (Double(view.small.width), Double(view.small.height))
        let sides = quad.sides
        return quad.isFinite && quad.isConvex
            && min(sides.width, sides.height) >= max(0.7 * finder.minimumSize * min(width, height), 12)
            && quad.corners.allSatisfy {
                $0.x > -0.2 * width && $0.x < 1.2 * width && $0.y > -0.2 * height && $0.y < 1.2 * height
            }
    }
}

extension PlanarQuad {
    fileprivate func moved(_ x: Double, _ y: Double) -> PlanarQuad {
        func moved(_ point: PlanarPoint) -> PlanarPoint { PlanarPoint(x: point.x + x, y: point.y + y) }
        return PlanarQuad(
            topLeft: moved(topLeft), topRight: moved(topRight), bottomRight: moved(bottomRight),
            bottomLeft: moved(bottomLeft))
    }

    /// The quad with its corners clockwise in the image and the same first corner.
    fileprivate var clockwise: PlanarQuad {
        area < 0
            ? PlanarQuad(topLeft: topLeft, topRight: bottomLeft, bottomRight: bottomRight, bottomLeft: topRight) : self
    }

    /// Whether another quad lies within this one and is not much smaller.
    fileprivate func surrounds(_ other: PlanarQuad) -> Bool {
        let (own, its) = (abs(area), abs(other.area))
        return own > its && its > 0.5 * own && commonArea(with: other) > 0.97 * its
    }

    /// Whether the mean distance of the corners is at most a share of the mean side, whichever corner each quad starts
    /// from; both are clockwise.
    fileprivate func isSame(as other: PlanarQuad, within part: Double) -> Bool {
        let (own, its, sides) = (corners, other.corners, sides)
        let reach = part * (sides.width + sides.height) / 2
        // Most quads are far apart, so their centres are compared first.
        let (a, b) = (centre, other.centre)
        guard abs(a.x - b.x) <= reach, abs(a.y - b.y) <= reach else { return false }
        return (0..<4).contains { shift in
            (0..<4).reduce(0) { $0 + own[$1].distance(to: its[($1 + shift) % 4]) } <= 4 * reach
        }
    }
}
