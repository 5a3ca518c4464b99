package import VisionImage

/// Tracks one target fast by gradient directions of the grey frame, a colour histogram model and a scale filter.
package final class CorrelationTracker: ObjectTracker {
    /// How certainly the target is there by the filters alone, fitted on labelled videos, on videos made of photographs
    /// (Training/Tracking/make_videos.py) and on videos with occlusions. Below `learningCertainty` the filters do not
    /// learn from a frame, so that a hidden target is not forgotten.
    private static let certainty = TargetFilters.Weights(
        constant: -15.14, height: 3.08, likelihood: 3.94, likeness: 16.81)
    private static let learningCertainty: Float = 0.2
    /// The confidence: weights of Training/Tracking/fit_presence.py on 47 labelled videos, each in four passes.
    private static let confidence = TargetFilters.ConfidenceWeights(
        constant: -3.72, steadyMargin: 7.61, relativeScalePeak: 4.68)
    /// How certainly the target is there in this frame, fitted in the same way with --columns
    /// height,likelihood,likeness,scale_peak,presence,elsewhere,recent_presence. A very high scale response means a
    /// target that does not change at all, which is more often background: hence its negative weight.
    private static let presence = TargetFilters.Weights(
        constant: -11.64, height: 9.52, likelihood: 4.58, likeness: 6.1, scalePeak: -6.32, presence: 1.91,
        elsewhere: -5.48, recentPresence: 4.68)
    /// The certainty and the classifier's response from which the classifier learns from a frame.
    private static let learnt: (certainty: Float, response: Float) = (0.5, 0.4)

    private let target: TargetFilters
    package private(set) var evidence: [Float] = []
    package static let evidenceNames = TargetFilters.Evidence.names

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
            let evidence = try target.evidence(of: found.response, scalePeak: found.scalePeak, in: pixels)
            if evidence.probability(Self.certainty) >= Self.learningCertainty { try target.learn(pixels) }
            target.record(
                evidence,
                isFound: evidence.probability(Self.presence) >= Self.learnt.certainty
                    && evidence.boxes.presence >= Self.learnt.response)
            self.evidence = evidence.values
            return (target.state.box, evidence.confidence(Self.confidence))
        }
    }
}
