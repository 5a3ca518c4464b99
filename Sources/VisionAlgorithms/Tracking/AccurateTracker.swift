import Foundation
package import VisionImage

/// Follows one target accurately: gradient directions and colours, how likely pixels are the target's by their colour, and
/// a fine filter for the size.
///
/// The likelihood of colours, which does not care how the target turns or bends, is added to the filter's response: Bertinetto,
/// Valmadre, Golodetz, Miksik, Torr, "Staple: complementary learners for real-time tracking" (2016).
package final class AccurateTracker: ObjectTracker {
    /// Below this nothing is learnt from a frame, so that a target that is hidden is not forgotten.
    private static let learningConfidence: Float = 0.1
    /// After this many frames below the learning confidence, with none above `foundConfidence` between them, the target
    /// counts as gone and is searched for elsewhere too.
    private static let lostFrames = 4
    /// From here on the target is seen well; what a search finds must be as good.
    private static let foundConfidence: Float = 0.5
    /// Windows that a search looks at in a frame, beside the one around where the target was last seen.
    private static let searchedWindows = 2
    /// Sizes that the target may have come back in, tried in turns.
    private static let searchedSizes = [1, 0.87, 1.15]
    /// How far a search reaches in the first frame, and how much farther in each, in sides of the window.
    private static let reach = (first: 1.0, growth: 0.1)

    private let translation: TranslationFilter
    private let sizes: ScaleFilter
    private var place: TrackedPlace
    /// What the filter answers in the frame that it is first learnt from.
    private var firstPeak: Float = 1
    /// Where the target was when it was last seen well.
    private var seen: TrackedPlace
    private var doubtfulFrames = 0
    private var searchedFrames = 0

    private var isLost: Bool { doubtfulFrames >= Self.lostFrames }

    /// Starts with the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame,
    ///   `ImageError` where the frame's pixels cannot be had or memory is short.
    package init(frame: any TrackingFrame, box: PixelRegion) throws {
        try checkTrackingStart(box, in: frame)
        place = TrackedPlace(box, in: frame)
        seen = place
        translation = try TranslationFilter(width: place.width, height: place.height, settings: .accurate)
        sizes = try ScaleFilter(width: place.width, height: place.height, settings: .accurate)
        try begin(in: frame)
    }

    private func begin(in frame: any TrackingFrame) throws {
        let peak = try translation.workspaces.with { space in
            let pixels = try self.pixels(of: frame, space)
            try translation.look(at: pixels, place)
            _ = try translation.likenessToFirst(in: pixels)
            translation.learn(pixels)
            try sizes.learn(pixels, at: place)
            return try translation.respond(to: pixels, at: place).peak
        }
        // A target without any texture has no peak.
        firstPeak = max(peak, 1e-4)
    }

    package func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float) {
        try translation.workspaces.with { space in
            let wasLost = isLost
            let pixels = try self.pixels(of: frame, space)
            let answer = try answer(of: pixels, at: place)
            place.move(to: answer.middle, in: frame)
            let change = try sizes.change(in: pixels, at: place)
            place.resize(to: place.scale * change.factor, in: frame)
            var confidence = try confidence(of: answer.response, in: pixels, scalePeak: change.peak)
            if confidence < Self.foundConfidence, wasLost {
                confidence = try search(pixels, scalePeak: change.peak) ?? confidence
            }
            if confidence >= Self.learningConfidence {
                translation.learn(pixels)
                try sizes.learn(pixels, at: place)
            }
            note(confidence)
            return (place.box, confidence)
        }
    }

    private typealias Answer = (response: TranslationFilter.Response, middle: (x: Double, y: Double))

    /// The best place in the window around another.
    private func answer(of pixels: FramePixels, at place: TrackedPlace) throws -> Answer {
        let response = try translation.respond(to: pixels, at: place)
        let side = translation.side * place.scale
        return (response, (place.x + response.x * side, place.y + response.y * side))
    }

    /// Keeps account of how long the target has not been seen well.
    private func note(_ confidence: Float) {
        if confidence >= Self.foundConfidence {
            seen = place
            (doubtfulFrames, searchedFrames) = (0, 0)
        } else if confidence < Self.learningConfidence, !isLost {
            doubtfulFrames += 1
        }
    }

    /// Looks for the target around where it was last seen and in a few windows elsewhere, the near ones first; frame after
    /// frame they reach farther. When it is there the tracker moves to it, otherwise all is as before.
    ///
    /// - Returns: The confidence of the new place; nil when nothing was found.
    private func search(_ pixels: FramePixels, scalePeak: Float) throws -> Float? {
        let held = place
        var around = seen
        around.resize(to: seen.scale * Self.searchedSizes[searchedFrames % Self.searchedSizes.count], in: pixels.frame)
        var best = try (answer: answer(of: pixels, at: around), scale: around.scale)
        for middle in nextMiddles(in: pixels.frame) {
            var other = seen
            other.move(to: middle, in: pixels.frame)
            let answer = try answer(of: pixels, at: other)
            if answer.response.top > best.answer.response.top { best = (answer, other.scale) }
        }
        searchedFrames += 1
        place.resize(to: best.scale, in: pixels.frame)
        place.move(to: best.answer.middle, in: pixels.frame)
        let confidence = try confidence(of: best.answer.response, in: pixels, scalePeak: scalePeak)
        if confidence >= Self.foundConfidence { return confidence }
        place = held
        try translation.look(at: pixels, place)
        return nil
    }

    /// The middles of the windows that this frame is searched in.
    private func nextMiddles(in frame: any TrackingFrame) -> [(x: Double, y: Double)] {
        let side = translation.side * seen.scale
        func middles(_ length: Int) -> [Double] {
            let count = Int(min(64, max(1, (Double(length) / max(1, side * 0.45)).rounded(.up))))
            return (0..<count).map { (Double($0) + 0.5) * Double(length) / Double(count) }
        }
        let rows = middles(frame.height)
        var all = middles(frame.width).flatMap { x in
            rows.map { y in (x: x, y: y, far: (x - seen.x) * (x - seen.x) + (y - seen.y) * (y - seen.y)) }
        }
        all.sort { $0.far < $1.far }
        let reach = side * (Self.reach.first + Self.reach.growth * Double(searchedFrames))
        let near = max(1, all.firstIndex { $0.far > reach * reach } ?? all.count)
        return (0..<Self.searchedWindows).map { index in
            let middle = all[(searchedFrames * Self.searchedWindows + index) % near]
            return (middle.x, middle.y)
        }
    }

    /// The pixels that the windows around the target may need, wherever it moves to.
    private func pixels(of frame: any TrackingFrame, _ space: TrackingWorkspace) throws -> FramePixels {
        let reach = translation.side * place.scale * 1.1 + 4
        let window =
            isLost
            ? PixelRegion(width: frame.width, height: frame.height)
            : PixelRegion(x: place.x - reach, y: place.y - reach, width: 2 * reach, height: 2 * reach)
        return FramePixels(frame: frame, space: space, colour: try frame.colour(covering: window))
    }

    /// Looks at the window around the present place: how likely the target is found rather than lost.
    ///
    /// The confidence is a logistic function of the height of the peak, how near the next best place comes to it, how well
    /// the colours and the size fit, and how like the target is to that of the first frame. It was fitted on labelled films,
    /// on films made of photographs (Training/Tracking/make_films.py) and on films whose target was covered for a while. The
    /// coefficients belong to the constants of the filters. A filter for the size that is very sure stands for a target that
    /// does not change at all, which is more often something behind it: hence that sign.
    private func confidence(
        of response: TranslationFilter.Response, in pixels: FramePixels, scalePeak: Float
    ) throws -> Float {
        try translation.look(at: pixels, place)
        let likeness = try translation.likenessToFirst(in: pixels)
        let height = min(response.peak / firstPeak, 1.5)
        let places = 1.88 * height - 4.99 * min(response.second, 1.5) + 2.95 * response.likelihood
        let evidence = -7.13 + places + 19.61 * likeness - 12.07 * scalePeak
        return evidence.isFinite ? 1 / (1 + exp(-evidence)) : 0
    }
}
