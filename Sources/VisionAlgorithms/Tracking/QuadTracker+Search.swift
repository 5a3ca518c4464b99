import Foundation

/// The search for the rectangle in a frame, and the limits of its cost.
extension QuadTracker {
    /// The confidence from which no other start is tried.
    private static let confidentEnough = 0.8
    /// The number of samples after which no other start is tried in a frame: about 1.5 ms. One alignment takes up to 1
    /// ms.
    private static let maximumEffort = 220_000
    /// The effort that a feature search counts as: one alignment may follow, or two if the first is rejected early.
    private static let recoveryEffort = 190_000

    /// The best alignment found in a frame.
    struct Choice {
        var fit: PlanarFit?
        var weightedScore = -1.0
        /// The approximate number of samples that were compared.
        var effort = 0

        /// Whether the effort limit of this frame is reached.
        var isExhausted: Bool { effort >= maximumEffort }

        /// Whether no other start needs to be tried. Wrong alignments beside the right one may score fairly well, hence
        /// the margins.
        var isConfident: Bool {
            guard let fit else { return false }
            return fit.confidence > confidentEnough && (fit.inside > 0.6 || fit.border > 0.8)
        }

        var isDone: Bool { isConfident || isExhausted }
    }

    /// The evidence that an alignment uses.
    private enum Evidence {
        case inside, both, border
    }

    /// Aligns from `start` and keeps the result if it is better than the current choice.
    ///
    /// - Parameters:
    ///   - isNear: Whether the start is off by a few pixels at most.
    ///   - isProposal: Whether the start is one of many proposals, most of which are wrong.
    private func attempt(
        _ start: Homography, by evidence: Evidence = .both, isNear: Bool = false, isProposal: Bool = false,
        _ pyramid: PlanarPyramid,
        _ choice: inout Choice
    ) {
        guard
            let found = aligner.align(
                template, borders: evidence == .inside ? [] : borders, bordersOnly: evidence == .border, to: pyramid,
                from: start, isNear: isNear, isProposal: isProposal, effort: &choice.effort)
        else { return }
        let fit = PlanarFit(template, borders, pyramid, at: found)
        choice.effort += fit.effort
        // The score separates alignments whose confidence is saturated.
        let weightedScore =
            (outline == nil ? fit.confidence + 0.02 * max(0, fit.score) : fit.agreement) * plausibility(of: found)
        if weightedScore > choice.weightedScore { (choice.fit, choice.weightedScore) = (fit, weightedScore) }
    }

    /// Finds the rectangle in a frame. A lost rectangle is searched for by its features in every second frame and
    /// around its last position in the others, because both in one frame would take too long.
    func find(in pyramid: PlanarPyramid, of frame: some PlanarFrame) throws -> Choice {
        var choice = Choice()
        guard lostFrames > 0, let recovery else {
            follow(pyramid, &choice)
            return choice
        }
        if lostFrames % 2 == 1 {
            choice.effort += Self.recoveryEffort
            for proposal in try recovery.proposals(in: frame) where !choice.isDone {
                attempt(proposal, isProposal: true, pyramid, &choice)
            }
        } else {
            searchAround(pyramid, &choice)
        }
        return choice
    }

    /// Searches near the last position.
    private func follow(_ pyramid: PlanarPyramid, _ choice: inout Choice) {
        var starts = [map]
        if let motion {
            let predicted = motion * map
            if predicted.isProper { starts.append(predicted) }
        }
        // If the inside has changed, its score means nothing: start with the border at the predicted position.
        if changedFrames > 0, let start = starts.last {
            attempt(start, by: .border, pyramid, &choice)
            if choice.isDone { return }
        }
        let scored = starts.map { (map: $0, score: score(pyramid, $0)) }.sorted { $0.score > $1.score }
        attempt(scored[0].map, pyramid, &choice)
        if let fit = choice.fit, isChanged(fit) {
            // The changed inside pulls the alignment away: align by the border only.
            var byBorder = Choice(effort: choice.effort)
            attempt(fit.map, by: .border, pyramid, &byBorder)
            choice.effort = byBorder.effort
            if let other = byBorder.fit, other.border >= fit.border { choice = byBorder }
        }
        if let outline {
            if let blob = PlanarBlob(pyramid, around: scored[0].map) {
                for candidate in outline.blob.candidates(of: outline.map, in: blob, last: map).prefix(2) {
                    attempt(candidate, pyramid, &choice)
                }
            }
            return
        }
        if let fit = choice.fit, fit.inside > 0.5, fit.border < 0.6, !choice.isExhausted {
            // Edges of another object may have pulled the sides.
            attempt(fit.map, by: .inside, isNear: true, pyramid, &choice)
            if let fit = choice.fit { attempt(fit.map, isNear: true, pyramid, &choice) }
        }
        if choice.isDone { return }
        for candidate in search.candidates(in: pyramid, around: scored[0].map, most: 2) where candidate.score > 0.3 {
            attempt(candidate.map, pyramid, &choice)
            if choice.isDone { return }
        }
        if let start = starts.last { attempt(start, by: .border, pyramid, &choice) }
    }

    /// Searches around the last position, at several rotations and sizes.
    private func searchAround(_ pyramid: PlanarPyramid, _ choice: inout Choice) {
        let centre = map.apply(0, 0)
        var candidates: [PlanarSearch.Candidate] = []
        for (degrees, size) in [(0.0, 1.0), (-20, 1), (20, 1), (0, 0.75), (0, 1.33), (-40, 1), (40, 1)] {
            let angle = degrees * Double.pi / 180
            let start = Homography.similarity(about: centre, cosine: cos(angle), sine: sin(angle), scale: size) * map
            guard start.isProper else { continue }
            candidates += search.candidates(in: pyramid, around: start, most: 2)
        }
        candidates.sort { $0.score > $1.score }
        for candidate in candidates.prefix(3) where candidate.score > 0.3 && !choice.isDone {
            attempt(candidate.map, isProposal: true, pyramid, &choice)
        }
        if !choice.isDone { attempt(map, by: .border, pyramid, &choice) }
    }

    /// Returns a prior of an alignment: large jumps and changes of size are less weightedScore than small ones.
    private func plausibility(of found: Homography) -> Double {
        guard lostFrames == 0 else { return 1 }
        let (old, new) = (map.quad, found.quad)
        let (oldArea, newArea) = (abs(old.area), abs(new.area))
        guard oldArea > 0, newArea > 0 else { return 0 }
        let jump = old.centre.distance(to: new.centre) / oldArea.squareRoot(), growth = log(newArea / oldArea)
        return exp(-0.3 * jump * jump - 0.7 * growth * growth)
    }

    /// Returns the agreement of the smallest template level at `start`.
    private func score(_ pyramid: PlanarPyramid, _ start: Homography) -> Double {
        let level = template.levels[0]
        level.sample(pyramid, at: start)
        return PlanarCell.all(of: level).agreement
    }
}
