import Foundation
package import VisionImage

/// Follows one target accurately: gradient directions and colours, how likely pixels are the target's by their colour, and
/// a fine filter for the size.
///
/// The likelihood of colours, which does not care how the target turns or bends, is added to the filter's response: Bertinetto,
/// Valmadre, Golodetz, Miksik, Torr, "Staple: complementary learners for real-time tracking" (2016).
package final class AccurateTracker: ObjectTracker {
    /// Below this nothing is learnt from a frame, so that a target that is hidden is not forgotten.
    private static let learningConfidence: Float = 0.2
    /// After this many frames below the learning confidence, with none above `foundConfidence` between them, the target
    /// counts as gone and is searched for elsewhere too.
    private static let lostFrames = 4
    /// From here on the target is seen well; what a search finds must be as good.
    private static let foundConfidence: Float = 0.5
    /// Windows that a search looks at in a frame.
    private static let searchedWindows = 2

    private let width: Double
    private let height: Double
    private let translation: TranslationFilter
    private let sizes: ScaleFilter
    private var x: Double
    private var y: Double
    private var scale = 1.0
    /// What the filter answers in the frame that it is first learnt from.
    private var firstPeak: Float = 1
    /// The target's scale when it was last seen well.
    private var seenScale = 1.0
    private var doubtfulFrames = 0
    private var searchedSoFar = 0

    private var box: PixelRegion {
        PixelRegion(
            x: x - width * scale / 2, y: y - height * scale / 2, width: width * scale, height: height * scale)
    }

    /// Starts with the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame,
    ///   `ImageError` where the frame's pixels cannot be had or memory is short.
    package init(frame: any TrackingFrame, box: PixelRegion) throws {
        try checkTrackingStart(box, in: frame)
        // Sizes beyond these have no meaning and would lose all precision.
        width = min(max(box.width, 1e-3), 1e6)
        height = min(max(box.height, 1e-3), 1e6)
        x = box.x + box.width / 2
        y = box.y + box.height / 2
        translation = try TranslationFilter(width: width, height: height, settings: .accurate)
        sizes = try ScaleFilter(width: width, height: height, settings: .accurate)
        keepWithin(frame)
        let pixels = try pixels(of: frame)
        try translation.look(at: pixels, x: x, y: y, scale: scale)
        _ = try translation.likenessToFirst()
        learn(pixels)
        firstPeak = max(try translation.respond(to: pixels, x: x, y: y, scale: scale).peak, 1e-6)
    }

    package func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float) {
        let pixels = try pixels(of: frame)
        let answer = try answer(of: pixels, x: x, y: y)
        (x, y) = (answer.x, answer.y)
        keepWithin(frame)
        let change = sizes.change(in: pixels.grey, x: x, y: y, scale: scale)
        scale = limited(scale * change.factor, in: frame)
        var confidence = try confidence(of: answer.response, in: pixels, scalePeak: change.peak)
        if confidence < Self.foundConfidence, doubtfulFrames >= Self.lostFrames {
            confidence = try search(in: frame, pixels, scalePeak: change.peak) ?? confidence
        }
        if confidence >= Self.learningConfidence { learn(pixels) }
        if confidence >= Self.foundConfidence {
            (seenScale, doubtfulFrames, searchedSoFar) = (scale, 0, 0)
        } else if confidence < Self.learningConfidence {
            doubtfulFrames = min(doubtfulFrames + 1, Self.lostFrames)
        }
        return (box, confidence)
    }

    private typealias Answer = (response: TranslationFilter.Response, x: Double, y: Double)

    /// The best place in the window around a point.
    private func answer(of pixels: FramePixels, x: Double, y: Double) throws -> Answer {
        let response = try translation.respond(to: pixels, x: x, y: y, scale: scale)
        let side = translation.side * scale
        return (response, x + response.x * side, y + response.y * side)
    }

    private func learn(_ pixels: FramePixels) {
        translation.learn()
        sizes.learn(pixels.grey, x: x, y: y, scale: scale)
    }

    /// Looks for the target in a few windows elsewhere; frame after frame they go over all of the image. When it is there
    /// the tracker moves to it, otherwise all is as before, but for the window that was looked at last.
    ///
    /// - Returns: The confidence of the new place; nil when nothing was found.
    private func search(in frame: any TrackingFrame, _ pixels: FramePixels, scalePeak: Float) throws -> Float? {
        let held = (x: x, y: y, scale: scale)
        scale = limited(seenScale, in: frame)
        var best: Answer?
        for place in nextPlaces(in: frame) {
            let answer = try answer(of: pixels, x: place.x, y: place.y)
            if answer.response.top > best?.response.top ?? -.infinity { best = answer }
        }
        if let best {
            (x, y) = (best.x, best.y)
            keepWithin(frame)
            let confidence = try confidence(of: best.response, in: pixels, scalePeak: scalePeak)
            if confidence >= Self.foundConfidence { return confidence }
        }
        (x, y, scale) = held
        try translation.look(at: pixels, x: x, y: y, scale: scale)
        return nil
    }

    /// The middles of the windows that this frame is searched in.
    private func nextPlaces(in frame: any TrackingFrame) -> [(x: Double, y: Double)] {
        let stride = max(1, translation.side * scale * 0.45)
        func count(_ length: Int) -> Int { Int(min(64, max(1, (Double(length) / stride).rounded(.up)))) }
        let columns = count(frame.width), rows = count(frame.height)
        return (0..<Self.searchedWindows).map { _ in
            let index = searchedSoFar % (columns * rows)
            searchedSoFar += 1
            return (
                (Double(index % columns) + 0.5) * Double(frame.width) / Double(columns),
                (Double(index / columns) + 0.5) * Double(frame.height) / Double(rows)
            )
        }
    }

    /// The pixels that the windows around the target may need, wherever it moves to.
    private func pixels(of frame: any TrackingFrame) throws -> FramePixels {
        let reach = translation.side * scale * 1.1 + 4
        let window =
            doubtfulFrames >= Self.lostFrames
            ? PixelRegion(width: frame.width, height: frame.height)
            : PixelRegion(x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach)
        return FramePixels(grey: try frame.grey(), colour: try frame.colour(covering: window))
    }

    /// Looks at the window around the present place: how likely the target is found rather than lost.
    ///
    /// A logistic function of the height of the peak, how near the next best place comes to it, how well the colours and the
    /// size fit, and how like the target is to that of the first frame. It was fitted on labelled films, on films made of
    /// photographs (Training/Tracking/make_films.py) and on films whose target was covered for a while. The coefficients
    /// belong to the constants of the filters. A filter for the size that is very sure stands for a target that does not
    /// change at all, which is more often something behind it: hence that sign.
    private func confidence(
        of response: TranslationFilter.Response, in pixels: FramePixels, scalePeak: Float
    ) throws -> Float {
        try translation.look(at: pixels, x: x, y: y, scale: scale)
        let likeness = try translation.likenessToFirst()
        let height = min(response.peak / firstPeak, 1.5)
        let places = 1.78 * height - 6.58 * min(response.second, 1.5) + 1.78 * response.likelihood
        let evidence = -0.94 + places + 8.74 * likeness - 5.39 * scalePeak
        return evidence.isFinite ? 1 / (1 + exp(-evidence)) : 0
    }

    /// The centre of the target stays in the image.
    private func keepWithin(_ frame: any TrackingFrame) {
        x = min(max(x, 0), Double(frame.width - 1))
        y = min(max(y, 0), Double(frame.height - 1))
    }

    /// A target neither vanishes nor grows far beyond the frame, unless it began so.
    private func limited(_ scale: Double, in frame: any TrackingFrame) -> Double {
        let least = min(1, 4 / min(width, height))
        let most = max(1, min(Double(frame.width) / width, Double(frame.height) / height))
        return min(max(scale, least), most)
    }
}
