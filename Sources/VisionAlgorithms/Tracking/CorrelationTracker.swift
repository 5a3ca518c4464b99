import Foundation
package import VisionImage

/// Tracks one target fast by gradient directions of the grey frame, a colour histogram model and a scale filter.
package final class CorrelationTracker: ObjectTracker {
    /// The certainty below which nothing is learnt from a frame, so that a hidden target is not forgotten.
    private static let learningCertainty: Float = 0.2

    private let target: TargetFilters
    package private(set) var evidence: [Float] = []
    package static let evidenceNames = TargetFilters.evidenceNames

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
            let likeness = try target.likeness(in: pixels)
            let response = found.response
            evidence = target.evidence(of: response, likeness: likeness, scalePeak: found.scalePeak)
            if Self.certainty(target.height(of: response), response.likelihood, likeness) >= Self.learningCertainty {
                try target.learn(pixels)
            }
            return (target.state.box, Self.confidence(of: evidence))
        }
    }

    /// Returns how certainly a frame may be learnt from, 0 … 1: a logistic function of the height of the translation
    /// peak, the colour likelihood and the similarity to the first frame. It was fitted on labelled videos, on videos
    /// made of photographs (Training/Tracking/make_videos.py) and on videos with occlusions. The coefficients belong to
    /// the constants of the filters.
    private static func certainty(_ height: Float, _ likelihood: Float, _ likeness: Float) -> Float {
        let evidence = -15.14 + 3.08 * height + 3.94 * likelihood + 16.81 * likeness
        return evidence.isFinite ? 1 / (1 + exp(-evidence)) : 0
    }

    /// Returns the probability that the target is found rather than lost.
    ///
    /// The weights are those of Training/Tracking/fit_presence.py on 47 labelled videos, each in four passes, with
    /// --lost 0.5; the constant is higher by 0.2, which leaves about a tenth of the good frames below one half. A very
    /// high scale response means a target that does not change at all, which is more often background: hence its
    /// negative weight.
    private static func confidence(of values: [Float]) -> Float {
        let evidence = zip([14.72, 6.11, 10.03, -1.20, -12.86], values).reduce(-13.54) { $0 + $1.0 * $1.1 }
        return evidence.isFinite ? 1 / (1 + exp(-evidence)) : 0
    }
}
