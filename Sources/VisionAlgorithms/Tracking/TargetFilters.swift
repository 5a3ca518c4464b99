import Foundation
import VisionImage

/// The filters of a target, its state, and the peak height in the first frame.
final class TargetFilters {
    struct Settings {
        var translation: TranslationFilter.Settings
        var sizes: ScaleFilter.Settings
        /// nil: the target keeps the aspect ratio of the first frame.
        var stretches: ScaleFilter.Settings?
        /// The weight of the classifier's response for a shift of the target, which is added to the filter's response.
        var presenceWeight: Float
        var presence: BoxPresence.Settings

        static let fast = Settings(translation: .fast, sizes: .fast, presenceWeight: 0, presence: .fast)
        static let accurate = Settings(
            translation: .accurate, sizes: .accurate, stretches: .stretch, presenceWeight: 0.05, presence: .accurate)
    }

    /// What is left of the scale filter's recent maximum after a frame, and the least that it counts as.
    private static let scalePeakDecay: Float = 0.995
    private static let leastScalePeak: Float = 0.05

    /// The part of a measured change of the stretch that is followed, and what is left of the stretch after a frame, as
    /// a power: without something to hold it, it drifts.
    private static let stretchGain = 0.5
    private static let stretchDecay = 0.95

    /// The response around a point, and the position of its peak in the frame.
    typealias Match = (response: TranslationFilter.Response, centre: (x: Double, y: Double))

    var state: TargetState
    private let settings: Settings
    private let translation: TranslationFilter
    private let sizes: ScaleFilter
    private let stretches: ScaleFilter?
    /// The peak of the filter in the first frame.
    private var firstPeak: Float = 1
    /// The recent maximum of the scale filter's peak.
    private var highScalePeak: Float = 0
    private var presence: BoxPresence

    /// Learns the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame, `ImageError` if the
    ///   frame's pixels are unavailable or memory is short.
    init(frame: any TrackingFrame, box: PixelRegion, settings: Settings) throws {
        try checkTrackingStart(box, in: frame)
        self.settings = settings
        state = TargetState(box, in: frame)
        translation = try TranslationFilter(width: state.width, height: state.height, settings: settings.translation)
        sizes = try ScaleFilter(width: state.width, height: state.height, settings: settings.sizes)
        stretches = try settings.stretches.map { [state] in
            try ScaleFilter(width: state.width, height: state.height, settings: $0)
        }
        presence = try Self.withPixels(of: frame, around: state, translation) { [translation, state] pixels in
            try translation.sample(pixels, at: state)
            return BoxPresence(
                boxes: translation.shiftedBoxes(), window: pixels.space.window, settings: settings.presence)
        }
        let peak = try withPixels(of: frame) { pixels in
            _ = try likeness(in: pixels)
            try learn(pixels)
            return try translation.respond(to: pixels, at: state).peak
        }
        // A target without any texture has no peak.
        firstPeak = max(peak, 1e-4)
    }

    /// The side of the search window at `state`, in pixels of the frame.
    func side(at state: TargetState) -> Double { translation.side * state.scale }

    /// Calls `body` with the frame's pixels and with buffers that are valid during the call only.
    ///
    /// - Parameter whole: Whether windows may lie anywhere in the frame; otherwise they lie within the reach of one
    ///   update.
    func withPixels<Result>(
        of frame: any TrackingFrame, whole: Bool = false, _ body: (FramePixels) throws -> Result
    ) throws -> Result {
        try Self.withPixels(of: frame, around: state, translation, whole: whole, body)
    }

    private static func withPixels<Result>(
        of frame: any TrackingFrame, around state: TargetState, _ translation: TranslationFilter, whole: Bool = false,
        _ body: (FramePixels) throws -> Result
    ) throws -> Result {
        let reach = translation.side * state.scale * 1.1 + 4
        let window =
            whole
            ? PixelRegion(width: frame.width, height: frame.height)
            : PixelRegion(x: state.x - reach, y: state.y - reach, width: 2 * reach, height: 2 * reach)
        return try translation.workspaces.with { space in
            try body(FramePixels(frame: frame, space: space, colour: try frame.colour(covering: window)))
        }
    }

    /// Returns the best match in the window around `state`.
    func bestMatch(in pixels: FramePixels, at state: TargetState) throws -> Match {
        let presence = self.presence, weight = settings.presenceWeight
        let response = try translation.respond(to: pixels, at: state) { window in
            if weight > 0 { presence.add(weight, to: window) }
        }
        let side = side(at: state)
        return (response, (state.x + response.x * side, state.y + response.y * side))
    }

    /// Updates the state to the target's position and scale in the next frame.
    ///
    /// - Returns: The response of the translation filter, and the peak height of the scale filter.
    /// - Throws: `ImageError.outOfMemory`; the state is then unchanged.
    func follow(in pixels: FramePixels) throws -> (response: TranslationFilter.Response, scalePeak: Float) {
        let match = try bestMatch(in: pixels, at: state)
        var moved = state
        moved.move(to: match.centre, in: pixels.frame)
        let change = try sizes.change(in: pixels, at: moved)
        moved.resize(to: moved.scale * change.factor, in: pixels.frame)
        if let stretches {
            let factor = try stretches.change(in: pixels, at: moved).factor
            moved.stretch(to: pow(moved.stretch * pow(factor, Self.stretchGain), Self.stretchDecay))
        }
        state = moved
        return (match.response, change.peak)
    }

    /// Samples the window at the current state, from which `learn` then learns.
    ///
    /// - Returns: The similarity of the target there to that of the first frame.
    func likeness(in pixels: FramePixels) throws -> Float {
        try translation.sample(pixels, at: state)
        return try translation.likenessToFirst(in: pixels)
    }

    /// Returns the height of a peak relative to the first frame's.
    func height(of response: TranslationFilter.Response) -> Float { min(response.peak / firstPeak, 1.5) }

    /// What the confidence of a position is computed from.
    struct Evidence {
        /// The height of the translation peak, relative to the first frame's.
        var height: Float
        /// The mean colour likelihood of the box.
        var likelihood: Float
        /// The similarity to the target of the first frame.
        var likeness: Float
        /// The second peak, relative to the first one.
        var second: Float
        /// The height of the scale filter's peak.
        var scalePeak: Float
        /// The same, relative to its recent maximum.
        var relativeScalePeak: Float
        /// What the classifier says.
        var boxes: BoxPresence.Evidence
        /// The features of the boxes around the target.
        fileprivate var features: [Float]

        static let names =
            ["height", "likelihood", "likeness", "second", "scale_peak", "relative_scale_peak"]
            + BoxPresence.Evidence.names
        var values: [Float] { [height, likelihood, likeness, second, scalePeak, relativeScalePeak] + boxes.values }

        /// Returns the confidence that is reported: a logistic function of how clearly the classifier has told the box
        /// from the rest of the window, and of how well its size fits. It lasts over frames, so the tracker's own
        /// decisions rest on others, which do not.
        func confidence(_ weights: ConfidenceWeights) -> Float {
            let sum =
                weights.constant + weights.steadyMargin * boxes.steadyMargin
                + weights.relativeScalePeak * relativeScalePeak
            return sum.isFinite ? 1 / (1 + exp(-sum)) : 0
        }

        /// Returns the logistic function of a sum of the values, each times its weight, and a constant.
        func probability(_ weights: Weights) -> Float {
            let filters =
                weights.height * height + weights.likelihood * likelihood + weights.likeness * likeness
                + weights.second * second + weights.scalePeak * scalePeak
            let classifier =
                weights.presence * boxes.presence + weights.elsewhere * boxes.elsewhere
                + weights.recentPresence * boxes.recentPresence
            let sum = weights.constant + filters + classifier
            return sum.isFinite ? 1 / (1 + exp(-sum)) : 0
        }
    }

    /// The weights of the confidence that is reported.
    struct ConfidenceWeights {
        var constant: Float
        var steadyMargin: Float
        var relativeScalePeak: Float
    }

    /// The weights of evidence.
    struct Weights {
        var constant: Float
        var height: Float = 0
        var likelihood: Float = 0
        var likeness: Float = 0
        var second: Float = 0
        var scalePeak: Float = 0
        var presence: Float = 0
        var elsewhere: Float = 0
        var recentPresence: Float = 0
    }

    /// Samples the window at the current state, from which `learn` then learns, and returns what tells whether the
    /// target is there.
    func evidence(
        of response: TranslationFilter.Response, scalePeak: Float, in pixels: FramePixels
    ) throws -> Evidence {
        let likeness = try likeness(in: pixels)
        let features = presence.boxes.features(of: pixels.space.window)
        let highest = max(scalePeak, highScalePeak * Self.scalePeakDecay)
        return Evidence(
            height: height(of: response), likelihood: response.likelihood, likeness: likeness,
            second: min(response.second, 1.5), scalePeak: scalePeak,
            relativeScalePeak: scalePeak / max(highest, Self.leastScalePeak), boxes: presence.evidence(of: features),
            features: features)
    }

    /// Ends a frame.
    ///
    /// - Parameter isFound: Whether the target was found there, so that the classifier learns from the frame.
    func record(_ evidence: Evidence, isFound: Bool) {
        highScalePeak = max(evidence.scalePeak, highScalePeak * Self.scalePeakDecay)
        presence.record(evidence.boxes, learning: isFound ? evidence.features : nil)
    }

    /// Learns the window at the current state, which `likeness` has sampled.
    func learn(_ pixels: FramePixels) throws {
        // The steps that may fail come first, so that all filters learn or none.
        let sizeSpectra = try sizes.sample(pixels, at: state)
        if let stretches { try stretches.learn(stretches.sample(pixels, at: state)) }
        sizes.learn(sizeSpectra)
        translation.learn(pixels)
    }

    // MARK: - Saved appearance models

    /// The appearance models of all filters.
    final class Appearance {
        fileprivate let translation: TranslationFilter.Appearance
        fileprivate let sizes: ScaleFilter.Appearance
        fileprivate let stretches: ScaleFilter.Appearance?

        fileprivate init(
            translation: TranslationFilter.Appearance, sizes: ScaleFilter.Appearance,
            stretches: ScaleFilter.Appearance?
        ) {
            (self.translation, self.sizes, self.stretches) = (translation, sizes, stretches)
        }
    }

    /// Returns a copy of the current models, written into `saved` if given.
    func saveAppearance(into saved: Appearance?) throws -> Appearance {
        let saved =
            try saved
            ?? Appearance(
                translation: translation.emptyAppearance(), sizes: sizes.emptyAppearance(),
                stretches: stretches?.emptyAppearance())
        saved.translation.copy(from: translation.appearance)
        saved.sizes.copy(from: sizes.appearance)
        if let stretches { saved.stretches?.copy(from: stretches.appearance) }
        return saved
    }

    /// Replaces the current models by saved ones during the call, and for good if `body` returns true.
    ///
    /// - Parameter saved: nil for the current models.
    func use(_ saved: Appearance?, _ body: () throws -> Bool) rethrows -> Bool {
        guard let saved else { return try body() }
        let present = translation.appearance
        translation.appearance = saved.translation
        defer { translation.appearance = present }
        guard try body() else { return false }
        present.copy(from: saved.translation)
        sizes.appearance.copy(from: saved.sizes)
        if let appearance = saved.stretches { stretches?.appearance.copy(from: appearance) }
        return true
    }
}
