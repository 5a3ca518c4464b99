/// Decides which lines of a page may stand on their heads, from how well they could be read upright.
///
/// A page has one direction more often than not. Where most of the lines that run like a doubtful one are read with
/// confidence, it is a dirty or an odd one, and not reversed: read upside down, many short words make sense as well.
package enum PageDirection {
    /// The lowest score of a line that was read with confidence.
    package static let confidentScore: Float = 0.8
    /// So many confident lines decide the direction, if they are half of all.
    private static let decisiveCount = 3
    /// So many lines show whether those that run alike stand on their heads.
    private static let leadingCount = 8
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
            let alike = axes.indices.filter { runAlike(axes[$0], axes[index]) }
            let confident = alike.count(where: { scores[$0] >= confidentScore })
            return confident < decisiveCount || 2 * confident < alike.count
        }
    }

    /// Returns those of the doubtful lines that are read upside down first: the longest of those that run alike.
    ///
    /// - Parameters:
    ///   - doubtful: Their indices.
    ///   - axes: The direction of each line of the page.
    ///   - lengths: Of each line of the page.
    package static func leading(_ doubtful: [Int], axes: [SIMD2<Double>], lengths: [Int]) -> [Int] {
        doubtful.filter { index in
            let longer = doubtful.count { other in
                runAlike(axes[other], axes[index]) && (lengths[other], index) > (lengths[index], other)
            }
            return longer < leadingCount
        }
    }

    /// Returns the other doubtful lines that are read upside down: those that run like a line that was better so.
    ///
    /// - Parameters:
    ///   - leading: The lines that were read upside down first.
    ///   - turned: Those of them that were better so.
    package static func following(
        _ leading: [Int], of doubtful: [Int], turned: [Int], axes: [SIMD2<Double>]
    ) -> [Int] {
        let done = Set(leading)
        return doubtful.filter { index in
            !done.contains(index) && turned.contains { runAlike(axes[$0], axes[index]) }
        }
    }

    private static func runAlike(_ axis: SIMD2<Double>, _ other: SIMD2<Double>) -> Bool {
        (axis * other).sum() > leastCosine
    }
}
