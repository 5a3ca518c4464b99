package import VisionImage

/// Tracks one target accurately by gradient directions, colour names, a colour histogram model and a fine scale filter.
///
/// The per-pixel colour likelihood, which does not change when the target rotates or deforms, is added to the response
/// of the correlation filter: Bertinetto, Valmadre, Golodetz, Miksik, Torr, "Staple: complementary learners for
/// real-time tracking" (2016).
///
/// An occluder is often followed, and learnt, before the confidence falls. So the tracker saves the appearance model of
/// the last confident frames. While the target is in doubt, the tracker also searches with that saved model: around the
/// current position and, when the target is lost, around its last reliable position and elsewhere in the frame.
package final class AccurateTracker: ObjectTracker {
    private enum Constants {
        /// The confidence below which nothing is learnt from a frame, so that a hidden target is not forgotten.
        static let learning: Float = 0.1
        /// The confidence from which the target counts as found.
        static let found: Float = 0.5
        /// The number of consecutive frames below `found` after which the target is in doubt.
        static let doubtfulFrameLimit = 3
        /// The confidence that the result of a search needs to be accepted as the target.
        static let foundAgain: Float = 0.65
        /// The confidence from which a frame counts as confident. The appearance model is saved every `saveInterval`
        /// confident frames and used only after the next save: by then it is known that no occlusion followed.
        static let confident: Float = 0.7
        static let saveInterval = 5
        /// The number of frames below `learning`, without a frame of `found` between them, after which the target is
        /// lost and searched for in the whole frame.
        static let lostFrameLimit = 4
        /// The number of windows searched in a frame, beside the one around the last reliable position.
        static let searchWindowCount = 1
        /// The relative sizes that the search tries in turn.
        static let searchScales = [1, 0.87, 1.15]
        /// How far the search reaches in the first frame, and how much farther in each following one, in window sides.
        static let reach = (first: 1.0, growth: 0.1)
        /// The presence from which the classifier learns from a frame in which the target was found.
        static let learntPresence: Float = 0.2
        /// The confidence: weights of Training/Tracking/fit_presence.py on 47 labelled videos, each in four passes,
        /// with --columns height,likelihood,likeness,second,elsewhere,recent_presence. The constant is lower by 0.4, so
        /// that fewer lost frames have a high confidence. They belong to the constants of filters and classifier.
        static let confidenceWeights = TargetFilters.Weights(
            constant: -5.8, height: -3.77, likelihood: 5.91, likeness: 9.7, second: -8.44, elsewhere: -6.68,
            recentPresence: 9.28)
        /// How certainly the target is there by the filters alone, fitted on labelled videos, on videos made of
        /// photographs (Training/Tracking/make_videos.py) and on videos with occlusions.
        static let certaintyWeights = TargetFilters.Weights(
            constant: -7.13, height: 1.88, likelihood: 2.95, likeness: 19.61, second: -4.99, scalePeak: -12.07)
    }

    private let target: TargetFilters
    package private(set) var evidence: [Float] = []
    package static let evidenceNames = TargetFilters.Evidence.names
    /// The state in the last frame in which the target was found.
    private var lastReliable: TargetState
    /// The last confident appearance model, and the pending one that will replace it.
    private var confidentAppearance: TargetFilters.Appearance?
    private var pendingAppearance: TargetFilters.Appearance?
    private var confidentFrames = 0
    /// Frames since the target was found, up to the limit of doubt.
    private var doubtfulFrames = 0
    /// Frames below the learning confidence since then.
    private var missedFrames = 0
    private var searchedFrames = 0

    private var isInDoubt: Bool { doubtfulFrames >= Constants.doubtfulFrameLimit }
    private var isLost: Bool { missedFrames >= Constants.lostFrameLimit }

    /// Starts with the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame, `ImageError` if the
    ///   frame's pixels are unavailable or memory is short.
    package init(frame: any TrackingFrame, box: PixelRegion) throws {
        target = try TargetFilters(frame: frame, box: box, settings: .accurate)
        lastReliable = target.state
    }

    package func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float) {
        try target.withPixels(of: frame, whole: isLost) { pixels in
            let last = target.state, wasLost = isLost
            let found = try target.follow(in: pixels)
            var evidence = try target.evidence(of: found.response, scalePeak: found.scalePeak, in: pixels)
            var confidence = evidence.probability(Constants.confidenceWeights)
            doubtfulFrames = confidence < Constants.found ? min(doubtfulFrames + 1, Constants.doubtfulFrameLimit) : 0
            if wasLost || isInDoubt, confidence < Constants.found {
                if let again = try search(pixels, last: last, isLost: wasLost, scalePeak: found.scalePeak) {
                    evidence = again
                    confidence = again.probability(Constants.confidenceWeights)
                    doubtfulFrames = 0
                } else if confidence >= Constants.learning {
                    // The features to learn from are those of the last window sampled.
                    _ = try target.likeness(in: pixels)
                }
            }
            if confidence >= Constants.learning { try target.learn(pixels) }
            // The filters alone may vouch for a target that has changed, so that the classifier catches up with it.
            let isFound =
                confidence >= Constants.found || evidence.probability(Constants.certaintyWeights) >= Constants.found
            target.record(evidence, isFound: isFound && evidence.boxes.presence >= Constants.learntPresence)
            self.evidence = evidence.values
            try record(confidence)
            return (target.state.box, confidence)
        }
    }

    /// Updates the frame counters and saves the appearance model of confident frames.
    private func record(_ confidence: Float) throws {
        if confidence >= Constants.confident {
            if confidentFrames % Constants.saveInterval == 0 {
                let next = try target.saveAppearance(into: confidentAppearance)
                confidentAppearance = try pendingAppearance ?? target.saveAppearance(into: nil)
                pendingAppearance = next
            }
            confidentFrames &+= 1
        }
        if confidence >= Constants.found {
            lastReliable = target.state
            (missedFrames, searchedFrames) = (0, 0)
        } else if confidence < Constants.learning, !isLost {
            missedFrames += 1
        }
    }

    /// Searches for the target with the last confident appearance model. On success the tracker moves there and goes
    /// back to that model; otherwise nothing changes.
    ///
    /// - Parameters:
    ///   - last: The state in the previous frame.
    ///   - isLost: Whether to search around the last reliable position and in a few other windows, the near ones first
    ///     and farther ones frame by frame. Otherwise the search is around `last`.
    /// - Returns: The evidence at the new position, or nil if nothing was found.
    private func search(
        _ pixels: FramePixels, last: TargetState, isLost: Bool, scalePeak: Float
    ) throws -> TargetFilters.Evidence? {
        let before = target.state
        var evidence: TargetFilters.Evidence?
        let isFound = try target.use(confidentAppearance) {
            var best: (match: TargetFilters.Match, scale: Double)?
            for state in isLost ? nextStates(in: pixels.frame) : [last] {
                let match = try target.bestMatch(in: pixels, at: state)
                if let best, best.match.response.top >= match.response.top { continue }
                best = (match, state.scale)
            }
            guard let best else { return false }
            target.state.resize(to: best.scale, in: pixels.frame)
            target.state.move(to: best.match.centre, in: pixels.frame)
            let there = try target.evidence(of: best.match.response, scalePeak: scalePeak, in: pixels)
            evidence = there
            return there.probability(Constants.confidenceWeights) >= Constants.foundAgain
        }
        if isFound { return evidence }
        target.state = before
        return nil
    }

    /// The states around which this frame is searched for a lost target.
    private func nextStates(in frame: any TrackingFrame) -> [TargetState] {
        var around = lastReliable
        around.resize(
            to: lastReliable.scale * Constants.searchScales[searchedFrames % Constants.searchScales.count], in: frame)
        let elsewhere = nextCentres(in: frame).map { centre in
            var other = lastReliable
            other.move(to: centre, in: frame)
            return other
        }
        searchedFrames &+= 1
        return [around] + elsewhere
    }

    /// The centres of the windows away from the last reliable position.
    private func nextCentres(in frame: any TrackingFrame) -> [(x: Double, y: Double)] {
        let side = target.side(at: lastReliable)
        func centres(_ length: Int) -> [Double] {
            let count = Int(min(64, max(1, (Double(length) / max(1, side * 0.45)).rounded(.up))))
            return (0..<count).map { (Double($0) + 0.5) * Double(length) / Double(count) }
        }
        let rows = centres(frame.height)
        var all = centres(frame.width).flatMap { x in
            rows.map { y in
                (
                    x: x, y: y,
                    far: (x - lastReliable.x) * (x - lastReliable.x) + (y - lastReliable.y) * (y - lastReliable.y)
                )
            }
        }
        all.sort { $0.far < $1.far }
        let reach = side * (Constants.reach.first + Constants.reach.growth * Double(searchedFrames))
        let near = max(1, all.firstIndex { $0.far > reach * reach } ?? all.count)
        return (0..<Constants.searchWindowCount).map { index in
            let centre = all[(searchedFrames &* Constants.searchWindowCount &+ index) % near]
            return (centre.x, centre.y)
        }
    }
}
