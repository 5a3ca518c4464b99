/// Computes a score from evidence: the log odds are a weighted sum of the values and their squares.
///
/// Fitted by Training/Rectangles/fit_confidence.py to the candidates of rendered scenes and of photographs; see there.
enum RectangleConfidence {
    static func score(of evidence: [Double]) -> Double {
        zip(evidence, zip(weights, squares)).reduce(bias) { $0 + $1.0 * ($1.1.0 + $1.1.1 * $1.0) }
    }

    private static let bias = -19.56
    private static let weights = [
        8.23, 5.95, -20.02, -6.65, -2.77, 3.56, 5.45, -0.68, 22.03, 3.75, 2.42, -3.25, -0.76,
    ]
    private static let squares = [
        -1.10, -5.05, -12.50, 3.73, -4.07, 0.20, 3.89, -1.05, -29.99, 12.02, -0.67, 3.60, -2.73,
    ]
}
