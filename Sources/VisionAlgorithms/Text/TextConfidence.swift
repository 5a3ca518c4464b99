import Foundation

/// The probability that a reading of a line is right as a whole, from the probabilities of its characters.
///
/// Networks are surer of themselves than they are right. The score of a line is the mean probability of its characters,
/// lowered by the least probable one; a logistic function of it, fitted to labelled pages, is its confidence.
package enum TextConfidence {
    // Fitted by Training/Text/fit_confidence.py, which says on what.
    private static let offset = -0.854
    private static let doubtWeight = -0.798
    private static let scoreWeight = 2.003
    private static let leastDoubt = 0.003
    private static let leastScore = 0.02

    /// Returns the score of a reading, 0…1: a line is right only if all of its characters are.
    ///
    /// - Parameter probabilities: Those of the characters; the score of none is 0.
    package static func score(_ probabilities: [Float]) -> Float {
        guard let least = probabilities.min() else { return 0 }
        let mean = probabilities.reduce(0, +) / Float(probabilities.count)
        return min(max(mean * (0.5 + 0.5 * least), 0), 1)
    }

    /// Returns the probability that a reading with a score is right; it rises with the score.
    package static func probability(ofScore score: Float) -> Float {
        guard score > 0 else { return 0 }
        let score = min(Double(score), 1)
        let logit = offset + doubtWeight * log(1 - score + leastDoubt) + scoreWeight * log(score + leastScore)
        return Float(1 / (1 + exp(-logit)))
    }
}
