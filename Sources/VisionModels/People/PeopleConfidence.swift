import Foundation
import VisionImage

/// How likely the boxes of people are right: by their scores and by the others around them.
///
/// People come in groups. A weak score beside clear people of like height is right more often than the same score by
/// itself, and a box that overlaps a better one less often. A logistic regression weighs that, fitted by
/// Training/People/fit_confidence.py.
package enum PeopleConfidence {
    /// The lowest confidence of a result: as many boxes are found in photos without people as with a score of 0.51
    /// (Training/People).
    package static let least: Float = 0.3
    /// The lowest score of a box that counts. The weights belong to this number.
    static let leastScore: Float = 0.1

    /// Others with a higher score are clear. The sum of their scores counts up to `mostClear`.
    private static let clearScore = 0.5
    private static let mostClear = 5.0
    private static let scoreLimits = 0.001...0.999

    /// The weights of the values in `features`.
    private struct Weights {
        let bias: Double
        let features: [Double]
    }

    private static let wholeBody = Weights(
        bias: -0.8862, features: [1.7280, -0.0725, 0.1824, 0.3435, -2.0219, -0.3187, -0.1400, 0.4871])
    private static let upperBody = Weights(
        bias: -1.0882, features: [1.6965, 0.0429, 0.0407, 0.2497, -2.6645, 0.6084, -0.1286, 0.4101])

    /// Returns people with their confidences, in the same order.
    ///
    /// - Parameters:
    ///   - people: The boxes of one image of at least `leastScore`, the highest score first.
    ///   - height: The height of the region in which they were looked for, in pixels.
    static func judged(_ people: [FoundPerson], _ part: FoundPerson.Part, height: Double) -> [FoundPerson] {
        let weights = part == .wholeBody ? wholeBody : upperBody
        return people.indices.map { index in
            let sum = zip(features(of: index, among: people, height: height), weights.features)
                .reduce(weights.bias) { $0 + $1.0 * $1.1 }
            return FoundPerson(
                box: people[index].box, score: people[index].score,
                confidence: sum.isFinite ? Float(1 / (1 + exp(-sum))) : 0)
        }
    }

    /// The logits of the score, of the best other score, and of the best other one scaled by the ratio of the heights;
    /// the sum of clear others; the largest overlap with a better box, and the largest share inside of one, times its
    /// score; the logarithms of the height and of the aspect ratio.
    private static func features(of index: Int, among people: [FoundPerson], height: Double) -> [Double] {
        let (box, score) = (people[index].box, Double(people[index].score))
        var (best, alike, clear, overlap, inside) = (scoreLimits.lowerBound, scoreLimits.lowerBound, 0.0, 0.0, 0.0)
        for (otherIndex, other) in people.enumerated() where otherIndex != index {
            let otherScore = Double(other.score)
            best = max(best, otherScore)
            let (low, high) = (min(box.height, other.box.height), max(box.height, other.box.height))
            alike = max(alike, otherScore * low / max(high, .leastNormalMagnitude))
            if otherScore > clearScore { clear += otherScore }
            guard otherIndex < index else { continue }
            let common = commonArea(box, other.box)
            let (area, otherArea) = (box.width * box.height, other.box.width * other.box.height)
            overlap = max(overlap, common / max(area + otherArea - common, .leastNormalMagnitude))
            inside = max(inside, common / max(area, .leastNormalMagnitude) * otherScore)
        }
        return [
            logit(score), logit(best), logit(alike), min(clear, mostClear), overlap, inside,
            log(max(box.height, .leastNormalMagnitude) / height),
            log(max(box.width, .leastNormalMagnitude) / max(box.height, .leastNormalMagnitude)),
        ]
    }

    private static func logit(_ share: Double) -> Double {
        let share = min(max(share, scoreLimits.lowerBound), scoreLimits.upperBound)
        return log(share / (1 - share))
    }

    private static func commonArea(_ a: PixelRegion, _ b: PixelRegion) -> Double {
        let width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
        let height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
        return max(width, 0) * max(height, 0)
    }
}
