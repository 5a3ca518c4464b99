import Foundation
package import VisionImage

/// Follows one target fast: gradient directions of the grey frame, how likely pixels are the target's by their colour, and a
/// filter for the size.
package final class CorrelationTracker: ObjectTracker {
    /// Below this nothing is learnt from a frame, so that a target that is hidden is not forgotten.
    private static let learningConfidence: Float = 0.2

    private let translation: TranslationFilter
    private let sizes: ScaleFilter
    private var place: TrackedPlace
    /// What the filter answers in the frame that it is first learnt from.
    private var firstPeak: Float = 1

    /// Starts with the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame,
    ///   `ImageError` where the frame's pixels cannot be had or memory is short.
    package init(frame: any TrackingFrame, box: PixelRegion) throws {
        try checkTrackingStart(box, in: frame)
        place = TrackedPlace(box, in: frame)
        translation = try TranslationFilter(width: place.width, height: place.height, settings: .fast)
        sizes = try ScaleFilter(width: place.width, height: place.height, settings: .fast)
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
            let pixels = try self.pixels(of: frame, space)
            let response = try translation.respond(to: pixels, at: place)
            let side = translation.side * place.scale
            place.move(to: (place.x + response.x * side, place.y + response.y * side), in: frame)
            let change = try sizes.change(in: pixels, at: place)
            place.resize(to: place.scale * change.factor, in: frame)
            try translation.look(at: pixels, place)
            let likeness = try translation.likenessToFirst(in: pixels)
            let confidence = confidence(of: response, likeness: likeness)
            if confidence >= Self.learningConfidence {
                translation.learn(pixels)
                try sizes.learn(pixels, at: place)
            }
            return (place.box, confidence)
        }
    }

    private func pixels(of frame: any TrackingFrame, _ space: TrackingWorkspace) throws -> FramePixels {
        let reach = translation.side * place.scale * 1.1 + 4
        let window = PixelRegion(x: place.x - reach, y: place.y - reach, width: 2 * reach, height: 2 * reach)
        return FramePixels(frame: frame, space: space, colour: try frame.colour(covering: window))
    }

    /// How likely the target is found rather than lost: a logistic function of how high the peak of place is, how well the
    /// colours fit, and how like the target is to that of the first frame. It was fitted on labelled films, on films made of
    /// photographs (Training/Tracking/make_films.py) and on films whose target was covered for a while. The coefficients
    /// belong to the constants of the filters.
    private func confidence(of response: TranslationFilter.Response, likeness: Float) -> Float {
        let height = min(response.peak / firstPeak, 1.5)
        let evidence = -15.14 + 3.08 * height + 3.94 * response.likelihood + 16.81 * likeness
        return evidence.isFinite ? 1 / (1 + exp(-evidence)) : 0
    }
}
