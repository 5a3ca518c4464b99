import VisionAlgorithms

/// The confidence in a quad from the scores of the verifier and of line segments: a logistic regression on the values
/// and their squares.
package enum RectangleVerdict {
    package static let names = ["exact", "near", "hasLines", "lines", "clarity", "leastClarity"]

    /// The limit of logits, and their unit in the evidence.
    package static let mostOdds = 8.0

    /// In the order of `names`.
    static func evidence(
        _ verdict: RectangleNetworks.Verdict, lines: RectangleCandidate?, clarity: (mean: Double, least: Double)
    ) -> [Double] {
        func bounded(_ value: Double) -> Double { min(max(value, -mostOdds), mostOdds) / mostOdds }
        return [
            bounded(verdict.exact), bounded(verdict.near), lines == nil ? 0 : 1,
            lines.map { bounded($0.score) } ?? 0, clarity.mean, clarity.least,
        ]
    }

    static func score(of evidence: [Double]) -> Double {
        zip(evidence, zip(weights, squares)).reduce(bias) { $0 + $1.0 * ($1.1.0 + $1.1.1 * $1.0) }
    }

    private static let bias = -5.23
    private static let weights = [11.01, -1.69, -0.15, 2.26, -0.20, 3.94]
    private static let squares = [3.99, 4.72, -0.15, 1.83, 1.34, -2.07]
}
