import Foundation
package import VisionAlgorithms
package import VisionImage
import VisionThreads

/// Tracks one target with a siamese network.
///
/// In each frame the network compares a square search window around the last position with the template of the target,
/// a mix of the first frame's template and of a recent one. The best candidate by score, change of the box and distance
/// becomes the new position. Some targets never score high, so scores are compared with the running average score of
/// the target. While no candidate scores high enough, the target counts as occluded or out of view: the box continues
/// with the last velocity, slowing down, the search window grows, and further windows scan the frame until a candidate
/// scores high enough again. The template is not updated in that time.
package final class LearnedTracker: ObjectTracker {
    let networks: TrackerNetworks
    private let first: TrackerNetworks.Template
    let fill: SIMD3<Float>
    /// The size of the target in the first frame, in pixels.
    private let start: (width: Double, height: Double)
    private let boxBias: BoxBias
    var presence: TargetPresence
    package private(set) var evidence: [Float] = []
    package static let evidenceNames = TargetPresence.Evidence.names
    var target: Target
    var state: State
    /// The confidence of the last update.
    var confidence: Float = 1
    /// Tells trackers apart.
    let number = numbers.withLock { number in
        number += 1
        return number
    }
    private static let numbers = Locked(0)
    /// The numbers of the trackers whose boxes have been apart from this one's.
    var separate: Set<Int> = []
    /// The tracker as of the last time that its box was apart from those of all others.
    var apart: Apart?
    /// Boxes of other trackers, in which the next update does not search for the target.
    var excluded: [PixelRegion] = []

    /// Where the target is, in pixels of the frame.
    struct Target {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        var box: PixelRegion {
            PixelRegion(x: x - width / 2, y: y - height / 2, width: width, height: height)
        }
    }

    /// What an update changes besides the target's box.
    struct State {
        /// The recent template, a running average of confident templates.
        var recent: TrackerNetworks.Template
        /// Whether `recent` differs from the first frame's template.
        var hasRecent = false
        /// The template in use: the first one mixed with the recent one.
        var template: TrackerNetworks.Template
        /// The running average of the target's score; nil in the first frame.
        var averageScore: Double?
        /// The recent score relative to the running average.
        var relativeScore = 1.0
        /// The number of confident frames since the last update of the recent template.
        var confidentFrames = 0
        var speedX = 0.0
        var speedY = 0.0
        /// The number of frames since the target was found.
        var framesSinceFound = 0
        /// The number of frames since the target was found with confidence.
        var framesSinceConfident = 0
        /// The number of frames since the target was probably in the box.
        var doubtfulFrames = 0
        /// The index of the window of the frame that was scanned last.
        var scanIndex = 0
        /// What the scan found in the last frame, to be confirmed in this one.
        var candidate: Target?
    }

    /// The best candidate of one search window.
    private struct Match {
        var target: Target
        var score: Float
        /// The weight of the change of size, 0 … 1.
        var trust: Double
        /// The window that it was found in.
        var window: SearchWindow
    }

    /// Starts with the target in `box`, in pixels of the frame; it may lie partly outside.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame, and what the frame
    ///   and the network throw.
    package init(frame: any TrackingFrame, box: PixelRegion, networks: TrackerNetworks) throws {
        try checkTrackingStart(box, in: frame)
        self.networks = networks
        target = Target(
            x: box.x + box.width / 2, y: box.y + box.height / 2,
            width: min(max(box.width, 1e-3), Constants.maximumSide),
            height: min(max(box.height, 1e-3), Constants.maximumSide))
        start = (target.width, target.height)
        let whole = try frame.colour(covering: PixelRegion(width: frame.width, height: frame.height))
        fill = try ImagePatch.meanColour(of: whole.pixels)
        first = try Self.template(of: target, in: frame, fill: fill, networks)
        state = State(recent: first, template: first)
        let windows = try Self.startWindows(around: target, in: frame, fill: fill, networks)
        boxBias = try Self.boxBias(of: target, first, in: windows, networks)
        presence = TargetPresence(windows: windows, target: target.box)
    }

    /// Returns search windows of the first frame, moved and scaled a little.
    private static func startWindows(
        around target: Target, in frame: any TrackingFrame, fill: SIMD3<Float>, _ networks: TrackerNetworks
    ) throws -> [SearchWindow] {
        let side = 2 * ImagePatch.templateSide(width: target.width, height: target.height)
        return try [
            (0, 0, 1), (-0.1, -0.06, 0.88), (0.1, 0.06, 1.14), (0.06, -0.1, 1.06), (-0.06, 0.1, 0.94),
        ].map { (x, y, scale) in
            let window = ImagePatch(
                centre: SIMD2(target.x + x * side, target.y + y * side), side: side * scale,
                size: TrackerGraphs.searchSide)
            return try SearchWindow(window, in: frame, fill: fill, networks)
        }
    }

    /// Returns the bias of the network's boxes against the given box, which may leave out parts of an object or include
    /// more than the object.
    private static func boxBias(
        of target: Target, _ template: TrackerNetworks.Template, in windows: [SearchWindow], _ networks: TrackerNetworks
    ) throws -> BoxBias {
        var boxes: [PixelRegion] = []
        for searched in windows {
            guard
                let best = ScoreMap(try networks.search(template, in: searched.features), window: searched.window)
                    .best(width: target.width, height: target.height, nearness: 0, shape: Constants.shapePenalty)
            else { continue }
            boxes.append(
                PixelRegion(
                    x: best.x - best.width / 2, y: best.y - best.height / 2, width: best.width, height: best.height))
        }
        return BoxBias(of: boxes, given: target.box, strength: Constants.biasStrength)
    }

    package func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float) {
        try update(frame: frame, features: nil)
    }

    /// Finds the target in the next frame.
    ///
    /// - Parameter features: The features of the window that is searched first; nil: the tracker computes them.
    package func update(
        frame: any TrackingFrame, features: SearchWindow?
    ) throws -> (box: PixelRegion, confidence: Float) {
        // The state is committed at the end, so that the tracker is unchanged where something throws.
        var (target, state, presence) = (target, state, presence)
        let requested = Self.move(&target, &state)
        let searched =
            try features.flatMap { $0.requested == requested ? $0 : nil }
            ?? SearchWindow(requested, in: frame, fill: fill, networks)
        let nearness = Constants.windowInfluence / Double(1 + state.framesSinceFound)
        var match = try search(searched, for: target, state.template, nearness: nearness)
        let average = state.averageScore ?? max(Double(match.score), Constants.minimumAverageScore)
        state.averageScore = average
        let isScanning =
            state.framesSinceConfident > Constants.framesBeforeScan || state.doubtfulFrames > Constants.framesBeforeScan
        if Double(match.score) < Constants.confident * average, state.hasRecent, !isScanning {
            // The target may have rotated: then the recent template matches better than the first one.
            var recent = try search(searched, for: target, state.recent, nearness: nearness)
            if Double(recent.score) > Constants.recentTemplateGain * Double(match.score) {
                // The score is high only where both templates match.
                recent.score = (recent.score * max(match.score, 0)).squareRoot()
                match = recent
            }
        }
        state.framesSinceConfident =
            Double(match.score) < Constants.confident * average ? min(state.framesSinceConfident + 1, 1 << 20) : 0
        if !isScanning { state.candidate = nil }
        if isScanning, let other = try scan(frame, for: target, &state, held: match, average: average) {
            match = other
            state.framesSinceFound = max(state.framesSinceFound, 1)
        }
        let isFound =
            Double(match.score) >= (state.framesSinceFound == 0 ? Constants.lost : Constants.found) * average
        if isFound { follow(match, &target, &state, in: frame) }
        let evidence = presence.evidence(of: target.box, score: match.score, in: match.window)
        state.doubtfulFrames = evidence.confidence < 0.5 ? min(state.doubtfulFrames + 1, 1 << 20) : 0
        if isFound {
            // A match of low confidence may be another object and does not change the average.
            if state.framesSinceConfident == 0 {
                state.averageScore = average + Constants.averageRate * (Double(match.score) - average)
            }
            // A scan takes the time of an update.
            if !isScanning { try updateTemplates(match, target, &state, average: average, in: frame) }
        } else {
            state.framesSinceFound = min(state.framesSinceFound + 1, 1 << 20)
            target.x = min(max(target.x, 0), Double(frame.width))
            target.y = min(max(target.y, 0), Double(frame.height))
        }
        if isFound, evidence.confidence >= Constants.learntConfidence,
            Double(match.score) > Constants.learntScore * average
        {
            presence.learn(match.window, target: target.box)
        }
        (self.target, self.state, self.presence) = (target, state, presence)
        self.evidence = evidence.values
        confidence = evidence.confidence
        excluded = []
        return (target.box, evidence.confidence)
    }

    /// The window that the next update searches first.
    var requestedWindow: ImagePatch {
        var (target, state) = (target, state)
        return Self.move(&target, &state)
    }

    /// Extrapolates the position of an occluded target, and returns the window to search.
    private static func move(_ target: inout Target, _ state: inout State) -> ImagePatch {
        if state.framesSinceFound > 0 {
            target.x += state.speedX
            target.y += state.speedY
            state.speedX *= Constants.drag
            state.speedY *= Constants.drag
        }
        let growth = min(1 + Constants.growth * Double(max(0, state.framesSinceFound - 2)), Constants.maximumGrowth)
        return window(about: target, x: target.x, y: target.y, growth: growth)
    }

    /// Returns a square search window around (`x`, `y`), in pixels of the frame.
    ///
    /// - Parameter growth: The side relative to that of the normal search window.
    private static func window(about target: Target, x: Double, y: Double, growth: Double) -> ImagePatch {
        let side = ImagePatch.templateSide(width: target.width, height: target.height)
        return ImagePatch(centre: SIMD2(x, y), side: 2 * side * growth, size: TrackerGraphs.searchSide)
    }

    /// Searches one window away from the target, so that no frame costs twice the usual: the next one of a scan of the
    /// frame or, if the last frame's scan has found a candidate, the one around it.
    ///
    /// - Parameter held: The match around the target's position, which the classifier must find clearly worse.
    /// - Returns: A candidate that was found in two frames and also matches the template of the first frame.
    private func scan(
        _ frame: any TrackingFrame, for target: Target, _ state: inout State, held: Match, average: Double
    ) throws -> Match? {
        func isPresent(_ match: Match) -> Bool {
            Double(match.score) > Constants.foundElsewhere * average
                && presence.presence(of: match.target.box, in: match.window)
                    > max(
                        Constants.foundPresence,
                        presence.presence(of: held.target.box, in: held.window) + Constants.presenceGain)
        }
        guard let candidate = state.candidate else {
            let found = try searchElsewhere(frame, for: target, &state)
            if isPresent(found) { state.candidate = found.target }
            return nil
        }
        state.candidate = nil
        let window = Self.window(about: candidate, x: candidate.x, y: candidate.y, growth: 1)
        let searched = try SearchWindow(window, in: frame, fill: fill, networks)
        let again = try search(searched, for: candidate, state.template, nearness: Constants.windowInfluence)
        guard isPresent(again) else { return nil }
        let first = try search(searched, for: candidate, first, nearness: Constants.windowInfluence)
        return Double(first.score) > Constants.firstTemplateScore * average ? again : nil
    }

    /// Updates the recent template at intervals, and the mixed one.
    private func updateTemplates(
        _ match: Match, _ target: Target, _ state: inout State, average: Double,
        in frame: any TrackingFrame
    ) throws {
        let score = Double(match.score)
        guard score > Constants.updateScore * average * state.relativeScore else { return }
        state.confidentFrames = (state.confidentFrames + 1) % Constants.updateInterval
        if state.confidentFrames == 0 {
            let new = try Self.template(of: target, in: frame, fill: fill, networks)
            state.recent = try state.recent.mixed(with: new, share: Constants.updateRate)
            state.hasRecent = true
        }
        state.relativeScore += Constants.relativeScoreRate * (score / average - state.relativeScore)
        let (low, high) = (Constants.relativeScoreRange.lowerBound, Constants.relativeScoreRange.upperBound)
        let loss = min(max((high - state.relativeScore) / (high - low), 0), 1)
        let weight =
            Constants.recentWeight.lowerBound + (Constants.recentWeight.upperBound - Constants.recentWeight.lowerBound)
            * loss
        state.template = try first.mixed(with: state.recent, share: Float(weight))
    }

    /// Returns the template of the target in a frame.
    private static func template(
        of target: Target, in frame: any TrackingFrame, fill: SIMD3<Float>, _ networks: TrackerNetworks
    ) throws -> TrackerNetworks.Template {
        let window = ImagePatch(
            centre: SIMD2(target.x, target.y),
            side: ImagePatch.templateSide(width: target.width, height: target.height),
            size: TrackerGraphs.templateSide)
        return try networks.template(box: (target.width * window.scale, target.height * window.scale)) {
            input in
            try window.write(frame, fill: fill, to: input)
        }
    }

    /// Moves the target to a match.
    private func follow(
        _ match: Match, _ target: inout Target, _ state: inout State, in frame: any TrackingFrame
    ) {
        let x = min(max(match.target.x, 0), Double(frame.width))
        let y = min(max(match.target.y, 0), Double(frame.height))
        if state.framesSinceFound == 0 {
            state.speedX = 0.7 * state.speedX + 0.3 * (x - target.x)
            state.speedY = 0.7 * state.speedY + 0.3 * (y - target.y)
        } else {
            (state.speedX, state.speedY) = (0, 0)
        }
        state.framesSinceFound = 0
        (target.x, target.y) = (x, y)
        let rate = match.trust * Constants.sizeRate
        target.width = Self.limited(
            target.width + rate * (match.target.width - target.width), first: start.width, frame.width)
        target.height = Self.limited(
            target.height + rate * (match.target.height - target.height), first: start.height,
            frame.height)
    }

    /// Returns a side limited to the minimum and to the frame's extent, in pixels; a target that starts beyond a limit
    /// may keep its side.
    static func limited(_ side: Double, first: Double, _ extent: Int) -> Double {
        min(max(side, min(Constants.minimumSide, first)), max(Double(extent), first))
    }

    /// Returns the best candidate in a window.
    ///
    /// - Parameter nearness: The weight of the distance from the centre of the requested window.
    private func search(
        _ searched: SearchWindow, for target: Target, _ template: TrackerNetworks.Template, nearness: Double
    ) throws -> Match {
        let answer = try networks.search(template, in: searched.features)
        let expected = boxBias.expected(width: target.width, height: target.height)
        return ScoreMap(answer, window: searched.window, requested: searched.requested).best(
            width: expected.width, height: expected.height, nearness: nearness, shape: Constants.shapePenalty,
            presence: presence.map(of: searched), excluded: excluded
        ).map { best in
            let box = boxBias.given(best.x, best.y, best.width, best.height)
            return Match(
                target: Target(x: box.x, y: box.y, width: box.width, height: box.height),
                score: best.score, trust: best.trust, window: searched)
        } ?? Match(target: target, score: 0, trust: 0, window: searched)
    }

    /// Returns the best candidate in the next window of a scan of the frame, in rows of overlapping squares.
    private func searchElsewhere(
        _ frame: any TrackingFrame, for target: Target, _ state: inout State
    ) throws -> Match {
        let side = ImagePatch.templateSide(width: target.width, height: target.height)
        let step = max(2 * side * Constants.scanGrowth * 0.6, 1)
        let across = max(1, (Double(frame.width) / step).rounded(.up))
        let down = max(1, (Double(frame.height) / step).rounded(.up))
        let (columns, rows) = (Int(across), Int(down))
        state.scanIndex = (state.scanIndex + 1) % (columns * rows)
        let x = (Double(state.scanIndex % columns) + 0.5) * Double(frame.width) / across
        let y = (Double(state.scanIndex / columns) + 0.5) * Double(frame.height) / down
        let window = Self.window(about: target, x: x, y: y, growth: Constants.scanGrowth)
        let searched = try SearchWindow(window, in: frame, fill: fill, networks)
        return try search(searched, for: target, state.template, nearness: 0)
    }
}
