package import VisionImage

/// Tracks one target accurately by gradient directions, colour names, a colour histogram model, and fine filters
/// of its scale and its aspect ratio.
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
        /// The certainty below which nothing is learnt from a frame, so that a hidden target is not forgotten.
        static let learning: Float = 0.1
        /// The certainty from which the target counts as found.
        static let found: Float = 0.5
        /// The number of consecutive frames below `found` after which the target is in doubt.
        static let doubtfulFrameLimit = 3
        /// The certainty that the result of a search needs to be accepted as the target.
        static let foundAgain: Float = 0.65
        /// The certainty from which a frame counts as confident. The appearance model is saved every `saveInterval`
        /// confident frames and used only after the next save: by then it is known that no occlusion followed.
        static let confident: Float = 0.7
        static let saveInterval = 5
        /// The number of frames below `learning`, without a frame of `found` between them, after which the target is
        /// lost and searched for in the whole frame.
        static let lostFrameLimit = 4
        /// One window is searched in a frame, so that no frame costs twice the usual: once in this many frames the one
        /// around the last reliable position, in the others one elsewhere.
        static let reliableWindowInterval = 4
        /// The relative sizes that the search around the last reliable position tries in turn.
        static let searchScales = [1, 0.87, 1.15]
        /// How far the search reaches in the first frame, and how much farther in each following one, in window sides.
        static let reach = (first: 1.0, growth: 0.1)
        /// The presence from which the classifier learns from a frame in which the target was found.
        static let learntPresence: Float = 0.2
        /// The confidence: weights of Training/Tracking/fit_presence.py on 47 labelled videos, each in four passes.
        static let confidenceWeights = TargetFilters.ConfidenceWeights(
            constant: -5.73, steadyMargin: 9.78, relativeScalePeak: 6.42)
        /// How certainly the target is there in this frame, which decides what is learnt and searched, and on which the
        /// constants above are: fitted in the same way, with --columns
        /// height,likelihood,likeness,second,elsewhere,recent_presence, and the constant lower by 0.4.
        static let presenceWeights = TargetFilters.Weights(
            constant: -5.8, height: -3.77, likelihood: 5.91, likeness: 9.7, second: -8.44, elsewhere: -6.68,
            recentPresence: 9.28)
        /// The same by the filters alone, fitted on labelled videos, on videos made of photographs
        /// (Training/Tracking/make_videos.py) and on videos with occlusions.
        static let filterWeights = TargetFilters.Weights(
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
            var certainty = evidence.probability(Constants.presenceWeights)
            doubtfulFrames = certainty < Constants.found ? min(doubtfulFrames + 1, Constants.doubtfulFrameLimit) : 0
            var searchedInVain = false
            if wasLost || isInDoubt, certainty < Constants.found {
                if let again = try search(pixels, last: last, isLost: wasLost, scalePeak: found.scalePeak) {
                    evidence = again
                    certainty = again.probability(Constants.presenceWeights)
                    doubtfulFrames = 0
                } else {
                    searchedInVain = true
                }
            }
            // A search takes the time that learning takes, and its window is the one last sampled.
            if certainty >= Constants.learning, !searchedInVain { try target.learn(pixels) }
            // The filters alone may vouch for a target that has changed, so that the classifier catches up with it.
            let isFound =
                certainty >= Constants.found || evidence.probability(Constants.filterWeights) >= Constants.found
            target.record(evidence, isFound: isFound && evidence.boxes.presence >= Constants.learntPresence)
            self.evidence = evidence.values
            try record(certainty)
            return (target.state.box, evidence.confidence(Constants.confidenceWeights))
        }
    }

    /// Updates the frame counters and saves the appearance model of confident frames.
    private func record(_ certainty: Float) throws {
        if certainty >= Constants.confident {
            if confidentFrames % Constants.saveInterval == 0 {
                let next = try target.saveAppearance(into: confidentAppearance)
                confidentAppearance = try pendingAppearance ?? target.saveAppearance(into: nil)
                pendingAppearance = next
            }
            confidentFrames &+= 1
        }
        if certainty >= Constants.found {
            lastReliable = target.state
            (missedFrames, searchedFrames) = (0, 0)
        } else if certainty < Constants.learning, !isLost {
            missedFrames += 1
        }
    }

    /// Searches for the target with the last confident appearance model. On success the tracker moves there and goes
    /// back to that model; otherwise nothing changes.
    ///
    /// - Parameters:
    ///   - last: The state in the previous frame.
    ///   - isLost: Whether to search around the last reliable position or in another window, in the near ones first and
    ///     in farther ones frame by frame. Otherwise the search is around `last`.
    /// - Returns: The evidence at the new position, or nil if nothing was found.
    private func search(
        _ pixels: FramePixels, last: TargetState, isLost: Bool, scalePeak: Float
    ) throws -> TargetFilters.Evidence? {
        let before = target.state
        var evidence: TargetFilters.Evidence?
        let isFound = try target.use(confidentAppearance) {
            let state = isLost ? nextState(in: pixels.frame) : last
            let match = try target.bestMatch(in: pixels, at: state)
            target.state.resize(to: state.scale, in: pixels.frame)
            target.state.move(to: match.centre, in: pixels.frame)
            let there = try target.evidence(of: match.response, scalePeak: scalePeak, in: pixels)
            evidence = there
            return there.probability(Constants.presenceWeights) >= Constants.foundAgain
        }
        if isFound { return evidence }
        target.state = before
        return nil
    }

    /// The state around which this frame is searched for a lost target.
    private func nextState(in frame: any TrackingFrame) -> TargetState {
        var state = lastReliable
        searchedFrames &+= 1
        let (turn, rest) = searchedFrames.quotientAndRemainder(dividingBy: Constants.reliableWindowInterval)
        if rest == 0 {
            let scale = Constants.searchScales[turn % Constants.searchScales.count]
            state.resize(to: lastReliable.scale * scale, in: frame)
        } else {
            state.move(to: nextCentre(in: frame), in: frame)
        }
        return state
    }

    /// The centre of a window away from the last reliable position.
    private func nextCentre(in frame: any TrackingFrame) -> (x: Double, y: Double) {
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
        let centre = all[searchedFrames % near]
        return (centre.x, centre.y)
    }
}
