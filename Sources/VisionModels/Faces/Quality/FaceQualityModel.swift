import Foundation

/// Computes the quality from the features.
///
/// Each feature goes through a monotone piecewise-linear function, and the sum through a logistic function, so the
/// quality never improves when a feature gets worse. The functions were fitted to the order of images of one person
/// with increasing degradation (`Training/FaceQuality`).
enum FaceQualityModel {
    /// The monotone piecewise-linear function of a feature, constant outside its knots.
    struct MonotoneFunction: Sendable {
        let feature: FaceQualityFeature
        let knots: [Double]
        /// The increase between two knots, at least 0.
        let rises: [Double]

        func value(at feature: Double) -> Double {
            var sum = 0.0
            for (index, rise) in rises.enumerated() {
                let (low, high) = (knots[index], knots[index + 1])
                sum += rise * min(max((feature - low) / (high - low), 0), 1)
            }
            return sum
        }
    }

    /// Returns the quality, 0…1.
    static func quality(of measures: FaceQualityMeasures) -> Double {
        let sum = functions.reduce(offset) { $0 + $1.value(at: measures.features[$1.feature] ?? -.infinity) }
        return 1 / (1 + exp(-sum))
    }
}
