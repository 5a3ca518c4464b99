/// Decides which lines of a page may stand on their heads, from how well they could be read upright.
///
/// A page has one direction more often than not. Where most of the lines that run like a doubtful one are read with
/// confidence, it is a dirty or an odd one, and not reversed: read upside down, many short words make sense as well.
package enum PageDirection {
    /// The lowest score of a line that was read with confidence.
    package static let confidentScore: Float = 0.8
    /// So many confident lines decide the direction, if they are half of all.
    private static let decisiveCount = 3
    /// The cosine of the largest angle between lines that run alike.
    private static let leastCosine = 0.7

    /// Returns the indices of the lines that should be read upside down as well.
    ///
    /// - Parameters:
    ///   - axes: The unit vector of the direction in which each line was read.
    ///   - scores: The score of what was read, 0 for nothing.
    package static func doubtful(axes: [SIMD2<Double>], scores: [Float]) -> [Int] {
        precondition(axes.count == scores.count)
        return axes.indices.filter { index in
            guard scores[index] < confidentScore else { return false }
            let alike = axes.indices.filter { (axes[$0] * axes[index]).sum() > leastCosine }
            let confident = alike.count(where: { scores[$0] >= confidentScore })
            return confident < decisiveCount || 2 * confident < alike.count
        }
    }
}
