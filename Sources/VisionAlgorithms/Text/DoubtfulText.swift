/// Leaves out what was read where there is probably no text: foliage, fences and faces give single letters and short
/// words now and then, with a low confidence.
///
/// Where an image has text in plenty, a short doubtful line is part of it more often than not, and stays.
package enum DoubtfulText {
    /// Longer lines are not read by chance.
    private static let shortLength = 4
    // Chosen on photographs without text; Documentation/Accuracy.md says which.
    private static let leastConfidence: Float = 0.2
    /// So many lines with this confidence are text in plenty.
    private static let plentyCount = 5
    private static let plentyConfidence: Float = 0.5

    /// Returns the indices of the lines to keep.
    ///
    /// - Parameters:
    ///   - lengths: The number of characters of each line, spaces aside.
    ///   - confidences: The probability that each line is right.
    package static func kept(lengths: [Int], confidences: [Float]) -> [Int] {
        precondition(lengths.count == confidences.count)
        guard confidences.count(where: { $0 >= plentyConfidence }) < plentyCount else { return Array(lengths.indices) }
        return lengths.indices.filter { lengths[$0] > shortLength || confidences[$0] >= leastConfidence }
    }
}
