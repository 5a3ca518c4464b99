import Foundation
import VisionAlgorithms
import VisionImage

/// Estimates how likely the box of a learned tracker holds its target.
struct TargetPresence: Sendable {
    /// What the estimate is made from.
    struct Evidence {
        /// The classifier's presence of the target in the box.
        var presence: Float
        /// The logarithm of the network's score.
        var score: Float
        /// The running average of that logarithm.
        var recentScore: Float

        static let names = ["presence", "score", "recent_score"]
        var values: [Float] { [presence, score, recentScore] }

        /// The probability that the box holds the target rather than something else.
        ///
        /// The weights were fitted as Training/Tracking/fit_presence.py does, on 47 labelled videos (OTB, VOT, UAV123,
        /// DAVIS, TLD, TLP, POT), each in four passes, of a tracker that used the classifier for nothing else. The
        /// constant leaves about a tenth of the good frames below one half.
        var confidence: Float {
            let evidence =
                Weights.constant + Weights.presence * presence + Weights.score * score
                + Weights.recentScore * recentScore
            return evidence.isFinite ? 1 / (1 + exp(-evidence)) : 0
        }
    }

    private enum Weights {
        static let constant: Float = -8.45
        static let presence: Float = 17
        static let score: Float = 0.34
        static let recentScore: Float = 1.35
    }

    /// The rate of the running average.
    private static let rate: Float = 0.2
    /// Scores below this tell no more than this one does.
    private static let leastScore: Float = 1e-4
    private var classifier: TargetClassifier
    private var recentScore: Float?

    /// - Parameters:
    ///   - windows: Search windows of the first frame.
    ///   - target: The target in that frame.
    init(windows: [SearchWindow], target: PixelRegion) {
        classifier = TargetClassifier(windows: windows, target: target)
    }

    /// Learns from a window in which the target was found.
    mutating func learn(_ window: SearchWindow, target: PixelRegion) { classifier.learn(window, target: target) }

    /// Returns the presence of the target in each box of a score map.
    func map(of window: SearchWindow) -> PresenceMap { classifier.presence(in: window) }

    /// Returns the classifier's presence of the target in a box.
    func presence(of box: PixelRegion, in window: SearchWindow) -> Float { classifier.presence(of: box, in: window) }

    /// Returns the evidence of the next frame.
    ///
    /// - Parameters:
    ///   - box: Where the target should be.
    ///   - score: The network's score there.
    ///   - window: The window that it was searched in.
    mutating func evidence(of box: PixelRegion, score: Float, in window: SearchWindow) -> Evidence {
        let score = Foundation.log(score.isFinite ? max(score, Self.leastScore) : Self.leastScore)
        let recent = (recentScore ?? score) + Self.rate * (score - (recentScore ?? score))
        recentScore = recent
        return Evidence(presence: classifier.presence(of: box, in: window), score: score, recentScore: recent)
    }
}
