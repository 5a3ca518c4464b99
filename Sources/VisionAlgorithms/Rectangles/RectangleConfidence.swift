/// How evidence becomes a confidence: a sum of its values and of their squares, with these weights, is the logarithm of the odds.
///
/// Fitted by Training/Rectangles/fit_confidence.py to the candidates of rendered scenes and of photographs; see there.
enum RectangleConfidence {
    static func score(of evidence: [Double]) -> Double {
        zip(evidence, zip(weights, squares)).reduce(bias) { $0 + $1.0 * ($1.1.0 + $1.1.1 * $1.0) }
    }

    private static let bias = -19.89
    private static let weights = [21.86, 7.13, -18.16, -5.71, -8.64, 0.86, -1.78, 0.04, 19.44, 3.63]
    private static let squares = [-7.84, -7.70, -31.12, 4.55, 2.34, 2.73, 5.99, -1.27, -27.53, 8.73]
}
