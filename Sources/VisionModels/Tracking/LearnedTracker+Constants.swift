extension LearnedTracker {
    enum Constants {
        /// The weight of the cosine window against the score.
        static let windowInfluence = 0.30
        /// The penalty of a change of size or of aspect ratio.
        static let shapePenalty = 0.15
        /// The learning rate of the box size.
        static let sizeRate = 0.80
        /// Scores are relative to the running average. Below `lost` the target is occluded; it is found again from
        /// `found` on, and far from where it was lost from `foundElsewhere` on.
        static let lost = 0.03
        static let found = 0.10
        /// Below this relative score the target is tracked with low confidence.
        static let confident = 0.35
        static let foundElsewhere = 0.60
        /// What the classifier's presence must be there: this much, and more than at the present match by the gain.
        static let foundPresence: Float = 0.40
        static let presenceGain: Float = 0.15
        /// The factor by which the recent template has to score higher than the mixed one to replace its match.
        static let recentTemplateGain = 2.0
        /// The rate of the running average of the score.
        static let averageRate = 0.05
        static let minimumAverageScore = 0.2
        /// The growth of the search window for each frame without the target, and its maximum.
        static let growth = 0.08
        static let maximumGrowth = 1.6
        /// The growth of the windows that scan the frame.
        static let scanGrowth = 1.5
        /// The number of frames of low confidence after which the frame is scanned.
        static let framesBeforeScan = 4
        /// The relative score that a candidate of the scan needs with the first frame's template.
        static let firstTemplateScore = 0.40
        /// The relative score from which the classifier learns from a frame.
        static let learntScore = 0.6
        /// The confidence from which it does.
        static let learntConfidence: Float = 0.5
        /// The factor of the velocity for each frame without the target.
        static let drag = 0.8
        /// The recent template is updated once in this many frames whose score is at least `updateScore` of the recent
        /// one: the score of a target that rotates falls slowly, that of an occluded one from one frame to the next.
        static let updateInterval = 3
        static let updateScore = 0.80
        /// The weight of a new template in the recent one.
        static let updateRate: Float = 0.4
        /// The weight of the recent template in the mixed one: the larger, the lower the recent score.
        static let recentWeight = 0.25...0.6
        /// The rate of the recent relative score, and the range of it in which the weight of the recent template
        /// changes.
        static let relativeScoreRate = 0.3
        static let relativeScoreRange = 0.3...0.9
        /// The share of the bias of the network's boxes that is corrected.
        static let biasStrength = 1.0
        /// The limits of the box's sides, in pixels.
        static let minimumSide = 4.0
        static let maximumSide = 1e6
    }
}
