import Foundation
package import VisionImage

/// Follows one target accurately: gradient directions and colours, how likely pixels are the target's by their colour, and
/// a fine filter for the size.
///
/// The likelihood of colours, which does not care how the target turns or bends, is added to the filter's response: Bertinetto,
/// Valmadre, Golodetz, Miksik, Torr, "Staple: complementary learners for real-time tracking" (2016).
///
/// What covers a target is often followed, and learnt, before it shows that it is something else. So the look of the target
/// when it was last found without doubt is kept, and while there is doubt the target is looked for by that one too: around
/// the present place, and when it is gone around where it was last seen and elsewhere.
package final class AccurateTracker: ObjectTracker {
    private enum Constants {
        /// Below this nothing is learnt from a frame, so that a target that is hidden is not forgotten.
        static let learning: Float = 0.1
        /// From here on the target is seen well.
        static let found: Float = 0.5
        /// So many frames below that are doubt.
        static let doubt = 3
        /// What a search finds must be as good as this to be taken for the target.
        static let foundAgain: Float = 0.65
        /// From here on the target is found without doubt; its look is put by in every so many of such frames, and counts from
        /// the next such time on: by then it has shown that nothing was about to cover the target.
        static let sure: Float = 0.7
        static let keeping = 5
        /// After this many frames below the learning confidence, with none that is seen well between them, the target counts
        /// as gone and is searched for elsewhere too.
        static let lost = 4
        /// Windows that a search looks at in a frame, beside the one around where the target was last seen.
        static let searchedWindows = 2
        /// Sizes that the target may have come back in, tried in turns.
        static let searchedSizes = [1, 0.87, 1.15]
        /// How far a search reaches in the first frame, and how much farther in each, in sides of the window.
        static let reach = (first: 1.0, growth: 0.1)
    }

    private let target: TargetFilters
    /// Where the target was when it was last seen well.
    private var seen: TrackedPlace
    /// What it looked like without doubt, and what has been put by to take the place of that.
    private var kept: TargetFilters.Look?
    private var putBy: TargetFilters.Look?
    private var sureFrames = 0
    /// Frames since the target was seen well, as far as they count.
    private var doubtfulFrames = 0
    /// Frames below the learning confidence since then.
    private var missedFrames = 0
    private var searchedFrames = 0

    private var isInDoubt: Bool { doubtfulFrames >= Constants.doubt }
    private var isLost: Bool { missedFrames >= Constants.lost }

    /// Starts with the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame,
    ///   `ImageError` where the frame's pixels cannot be had or memory is short.
    package init(frame: any TrackingFrame, box: PixelRegion) throws {
        target = try TargetFilters(frame: frame, box: box, settings: .accurate)
        seen = target.place
    }

    package func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float) {
        try target.look(at: frame, whole: isLost) { pixels in
            let last = target.place, wasLost = isLost
            let found = try target.follow(in: pixels)
            var confidence = try confidence(of: found.response, in: pixels, scalePeak: found.scalePeak)
            doubtfulFrames = confidence < Constants.found ? min(doubtfulFrames + 1, Constants.doubt) : 0
            if wasLost || isInDoubt, confidence < Constants.found,
                let again = try search(pixels, last: last, isLost: wasLost, scalePeak: found.scalePeak)
            {
                confidence = again
                doubtfulFrames = 0
            }
            if confidence >= Constants.learning { try target.learn(pixels) }
            try note(confidence)
            return (target.place.box, confidence)
        }
    }

    /// Keeps account of how long the target has not been seen well, and of what it looks like when it is.
    private func note(_ confidence: Float) throws {
        if confidence >= Constants.sure {
            if sureFrames % Constants.keeping == 0 {
                let next = try target.keep(kept)
                kept = try putBy ?? target.keep(nil)
                putBy = next
            }
            sureFrames &+= 1
        }
        if confidence >= Constants.found {
            seen = target.place
            (missedFrames, searchedFrames) = (0, 0)
        } else if confidence < Constants.learning, !isLost {
            missedFrames += 1
        }
    }

    /// Looks for the target by how it looked when it was last found without doubt. When it is there the tracker moves to it
    /// and takes that look again, otherwise all is as before.
    ///
    /// - Parameters:
    ///   - last: Where the target was in the frame before.
    ///   - isLost: Whether the target is looked for around where it was last seen, and in a few windows elsewhere, the near
    ///     ones first; frame after frame they reach farther. Otherwise it is looked for around the last place.
    /// - Returns: The confidence of the new place; nil when nothing was found.
    private func search(
        _ pixels: FramePixels, last: TrackedPlace, isLost: Bool, scalePeak: Float
    ) throws -> Float? {
        let held = target.place
        var confidence: Float = 0
        let isFound = try target.use(kept) {
            var best: (answer: TargetFilters.Answer, scale: Double)?
            for place in isLost ? nextPlaces(in: pixels.frame) : [last] {
                let answer = try target.answer(in: pixels, at: place)
                if let best, best.answer.response.top >= answer.response.top { continue }
                best = (answer, place.scale)
            }
            guard let best else { return false }
            target.place.resize(to: best.scale, in: pixels.frame)
            target.place.move(to: best.answer.middle, in: pixels.frame)
            confidence = try self.confidence(of: best.answer.response, in: pixels, scalePeak: scalePeak)
            return confidence >= Constants.foundAgain
        }
        if isFound { return confidence }
        target.place = held
        // What is learnt from next is what was looked at last.
        _ = try target.likeness(in: pixels)
        return nil
    }

    /// The places around which this frame is searched for a target that is gone.
    private func nextPlaces(in frame: any TrackingFrame) -> [TrackedPlace] {
        var around = seen
        around.resize(
            to: seen.scale * Constants.searchedSizes[searchedFrames % Constants.searchedSizes.count], in: frame)
        let elsewhere = nextMiddles(in: frame).map { middle in
            var other = seen
            other.move(to: middle, in: frame)
            return other
        }
        searchedFrames &+= 1
        return [around] + elsewhere
    }

    /// The middles of the windows elsewhere.
    private func nextMiddles(in frame: any TrackingFrame) -> [(x: Double, y: Double)] {
        let side = target.side(at: seen)
        func middles(_ length: Int) -> [Double] {
            let count = Int(min(64, max(1, (Double(length) / max(1, side * 0.45)).rounded(.up))))
            return (0..<count).map { (Double($0) + 0.5) * Double(length) / Double(count) }
        }
        let rows = middles(frame.height)
        var all = middles(frame.width).flatMap { x in
            rows.map { y in (x: x, y: y, far: (x - seen.x) * (x - seen.x) + (y - seen.y) * (y - seen.y)) }
        }
        all.sort { $0.far < $1.far }
        let reach = side * (Constants.reach.first + Constants.reach.growth * Double(searchedFrames))
        let near = max(1, all.firstIndex { $0.far > reach * reach } ?? all.count)
        return (0..<Constants.searchedWindows).map { index in
            let middle = all[(searchedFrames &* Constants.searchedWindows &+ index) % near]
            return (middle.x, middle.y)
        }
    }

    /// Looks at the window around the present place: how likely the target is found rather than lost.
    ///
    /// The confidence is a logistic function of the height of the peak, how near the next best place comes to it, how well
    /// the colours and the size fit, and how like the target is to that of the first frame. It was fitted on labelled videos,
    /// on videos made of photographs (Training/Tracking/make_videos.py) and on videos whose target was covered for a while. The
    /// coefficients belong to the constants of the filters. A filter for the size that is very sure stands for a target that
    /// does not change at all, which is more often something behind it: hence that sign.
    private func confidence(
        of response: TranslationFilter.Response, in pixels: FramePixels, scalePeak: Float
    ) throws -> Float {
        let likeness = try target.likeness(in: pixels)
        let height = target.height(of: response)
        let places = 1.88 * height - 4.99 * min(response.second, 1.5) + 2.95 * response.likelihood
        let evidence = -7.13 + places + 19.61 * likeness - 12.07 * scalePeak
        return evidence.isFinite ? 1 / (1 + exp(-evidence)) : 0
    }
}
