import Foundation
package import VisionImage

/// Tracks one target fast by gradient directions of the grey frame, a colour histogram model and a scale filter.
package final class CorrelationTracker: ObjectTracker {
    /// The confidence below which nothing is learnt from a frame, so that a hidden target is not forgotten.
    private static let learningConfidence: Float = 0.2

    private let target: TargetFilters

    /// Starts with the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame, `ImageError` if the
    ///   frame's pixels are unavailable or memory is short.
    package init(frame: any TrackingFrame, box: PixelRegion) throws {
        target = try TargetFilters(frame: frame, box: box, settings: .fast)
    }

    package func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float) {
        try target.withPixels(of: frame) { pixels in
            let found = try target.follow(in: pixels)
            let confidence = confidence(of: found.response, likeness: try target.likeness(in: pixels))
            if confidence >= Self.learningConfidence { try target.learn(pixels) }
            return (target.state.box, confidence)
        }
    }

    /// Returns the probability that the target is found rather than lost: a logistic function of the height of the
    /// translation peak, the colour likelihood and the similarity to the first frame. It was fitted on labelled videos,
    /// on videos made of photographs (Training/Tracking/make_videos.py) and on videos with occlusions. The coefficients
    /// belong to the constants of the filters.
    private func confidence(of response: TranslationFilter.Response, likeness: Float) -> Float {
        let height = target.height(of: response)
        let evidence = -15.14 + 3.08 * height + 3.94 * response.likelihood + 16.81 * likeness
        return evidence.isFinite ? 1 / (1 + exp(-evidence)) : 0
    }
}
