import Foundation
import VisionImage

/// Where the thing is looked for in a frame, and when that ends.
extension QuadTracker {
    /// From here on no other place is looked at.
    private static let sureConfidence = 0.8
    /// From so many samples on no other place is looked at in a frame: about 1.5 ms, and one more alignment takes up to 1 ms.
    private static let mostEffort = 220_000
    /// What looking everywhere counts as: one alignment may follow, two where the first is given up.
    private static let recoveryEffort = 190_000

    /// The best place of all that were tried in a frame.
    struct Choice {
        var fit: PlanarFit?
        var likely = -1.0
        /// Samples that were looked at, about.
        var effort = 0

        /// Whether so much was looked at that no other place is tried in this frame.
        var isSpent: Bool { effort >= mostEffort }

        /// Whether no other place needs to be tried: places beside the right one may look fair.
        var isSure: Bool {
            guard let fit else { return false }
            return fit.confidence > sureConfidence && (fit.inside > 0.6 || fit.border > 0.8)
        }

        var isDone: Bool { isSure || isSpent }
    }

    /// What an alignment goes by.
    private enum Way {
        case inside, both, border
    }

    /// Aligns from a place and keeps what comes out if it is better.
    ///
    /// - Parameters:
    ///   - isNear: Whether the place is off by a few pixels at most.
    ///   - isGuess: Whether the place is one of many that are mostly wrong.
    private func attempt(
        _ start: Homography, by way: Way = .both, isNear: Bool = false, isGuess: Bool = false, _ pyramid: PlanarPyramid,
        _ choice: inout Choice
    ) {
        guard
            let found = aligner.align(
                template, borders: way == .inside ? [] : borders, bordersOnly: way == .border, to: pyramid,
                from: start, isNear: isNear, isGuess: isGuess, effort: &choice.effort)
        else { return }
        let fit = PlanarFit(template, borders, pyramid, at: found)
        choice.effort += fit.effort
        // The score tells places apart that are both as good as certain.
        let likely =
            (outline == nil ? fit.confidence + 0.02 * max(0, fit.score) : fit.agreement) * plausibility(of: found)
        if likely > choice.likely { (choice.fit, choice.likely) = (fit, likely) }
    }

    /// What was lost is looked for in one half of the frames everywhere and in the other half around its last place, as both in
    /// one frame would take too long.
    func find(in pyramid: PlanarPyramid, of frame: some PlanarFrame) throws -> Choice {
        var choice = Choice()
        guard lostFrames > 0, let recovery else {
            follow(pyramid, &choice)
            return choice
        }
        if lostFrames % 2 == 1 {
            choice.effort += Self.recoveryEffort
            for place in try recovery.places(in: frame) where !choice.isDone {
                attempt(place, isGuess: true, pyramid, &choice)
            }
        } else {
            lookAround(pyramid, &choice)
        }
        return choice
    }

    /// Near where it was last.
    private func follow(_ pyramid: PlanarPyramid, _ choice: inout Choice) {
        var starts = [map]
        if let motion {
            let predicted = motion * map
            if predicted.isProper { starts.append(predicted) }
        }
        // The last predicted place first where the inside has changed: its score means nothing then.
        if changedFrames > 0, let start = starts.last {
            attempt(start, by: .border, pyramid, &choice)
            if choice.isDone { return }
        }
        let scored = starts.map { (map: $0, score: score(pyramid, $0)) }.sorted { $0.score > $1.score }
        attempt(scored[0].map, pyramid, &choice)
        if let fit = choice.fit, isChanged(fit) {
            // What is within means nothing by now, and pulls.
            var held = Choice(effort: choice.effort)
            attempt(fit.map, by: .border, pyramid, &held)
            choice.effort = held.effort
            if let other = held.fit, other.border >= fit.border { choice = held }
        }
        if let outline {
            if let blob = PlanarBlob(pyramid, around: scored[0].map) {
                for place in outline.blob.places(of: outline.map, in: blob, last: map).prefix(2) {
                    attempt(place, pyramid, &choice)
                }
            }
            return
        }
        if let fit = choice.fit, fit.inside > 0.5, fit.border < 0.6, !choice.isSpent {
            // Sides of something else may pull.
            attempt(fit.map, by: .inside, isNear: true, pyramid, &choice)
            if let fit = choice.fit { attempt(fit.map, isNear: true, pyramid, &choice) }
        }
        if choice.isDone { return }
        for place in search.places(in: pyramid, around: scored[0].map, most: 2) where place.score > 0.3 {
            attempt(place.map, pyramid, &choice)
            if choice.isDone { return }
        }
        if let start = starts.last { attempt(start, by: .border, pyramid, &choice) }
    }

    /// Around where it was last, turned and in other sizes.
    private func lookAround(_ pyramid: PlanarPyramid, _ choice: inout Choice) {
        let centre = map.apply(0, 0)
        var places: [PlanarSearch.Place] = []
        for (degrees, size) in [(0.0, 1.0), (-20, 1), (20, 1), (0, 0.75), (0, 1.33), (-40, 1), (40, 1)] {
            let angle = degrees * Double.pi / 180
            let start = Homography.similarity(about: centre, cosine: cos(angle), sine: sin(angle), scale: size) * map
            guard start.isProper else { continue }
            places += search.places(in: pyramid, around: start, most: 2)
        }
        places.sort { $0.score > $1.score }
        for place in places.prefix(3) where place.score > 0.3 && !choice.isDone {
            attempt(place.map, isGuess: true, pyramid, &choice)
        }
        if !choice.isDone { attempt(map, by: .border, pyramid, &choice) }
    }

    /// Among places that look alike, how likely each is: things jump and change their size less often than they stay near.
    private func plausibility(of found: Homography) -> Double {
        guard lostFrames == 0 else { return 1 }
        let (old, new) = (map.quad, found.quad)
        let (oldArea, newArea) = (abs(old.area), abs(new.area))
        guard oldArea > 0, newArea > 0 else { return 0 }
        let jump = old.centre.distance(to: new.centre) / oldArea.squareRoot(), growth = log(newArea / oldArea)
        return exp(-0.3 * jump * jump - 0.7 * growth * growth)
    }

    /// How well the smallest level fits at a place.
    private func score(_ pyramid: PlanarPyramid, _ start: Homography) -> Double {
        let level = template.levels[0]
        level.sample(pyramid, at: start)
        return PlanarCell.all(of: level).agreement
    }
}
