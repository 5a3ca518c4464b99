import Foundation

/// Turns measures into one number.
///
/// Each feature goes through a line of a few straight pieces that never falls, and the sum through a logistic function:
/// what makes a single feature worse cannot make the quality better. The pieces were fitted to the order of pictures of
/// one person that were degraded further and further (`Training/FaceQuality`).
enum FaceQualityModel {
    /// A feature's line: flat before the first place and behind the last one.
    struct Line: Sendable {
        let feature: FaceQualityFeature
        let places: [Double]
        /// What is added from a place to the next, at least 0.
        let rises: [Double]

        func value(at feature: Double) -> Double {
            var sum = 0.0
            for (index, rise) in rises.enumerated() {
                let (low, high) = (places[index], places[index + 1])
                sum += rise * min(max((feature - low) / (high - low), 0), 1)
            }
            return sum
        }
    }

    /// 0…1.
    static func quality(of measures: FaceQualityMeasures) -> Double {
        let sum = lines.reduce(offset) { $0 + $1.value(at: measures.features[$1.feature] ?? -.infinity) }
        return 1 / (1 + exp(-sum))
    }
}
