import Foundation

/// The probability that a landmark is right, of what the network states of it.
///
/// A logistic function of the logits of the peak and of the presence, fitted to 1,787 joints of 105 people in photos of
/// COCO 2017 and Leeds Sports Pose Extended: right is a joint within a fifth of the torso of where it is labelled, and
/// wrong is one that is not labelled, because it is hidden or outside the photo. The visibility adds nothing to it.
enum PoseConfidence {
    private static let peakWeight = 1.243
    private static let presenceWeight = 0.114
    private static let bias = -1.249
    private static let (keypointWeight, keypointBias) = (1.169, 0.688)

    static func probability(of landmark: BodyPose.Landmark) -> Double {
        let sum = peakWeight * logit(landmark.peak) + presenceWeight * logit(landmark.presence) + bias
        return 1 / (1 + exp(-sum))
    }

    /// The same for the value of a heat map of `KeypointNetwork`, fitted to 1,964 joints of the same photos.
    static func probability(keypoint value: Double) -> Double {
        1 / (1 + exp(-(keypointWeight * logit(value) + keypointBias)))
    }

    private static func logit(_ probability: Double) -> Double {
        let limited = min(max(probability, 1e-4), 1 - 1e-4)
        return log(limited / (1 - limited))
    }
}
