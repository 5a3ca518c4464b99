package import Foundation

extension CGRect {
    /// Returns the intersection of two rectangles; null if it is empty or an edge is NaN, for which Foundation's
    /// `intersection` ends the process.
    package func overlap(with other: CGRect) -> CGRect {
        let (mine, theirs) = (standardized, other.standardized)
        guard mine.minX <= mine.maxX, mine.minY <= mine.maxY, theirs.minX <= theirs.maxX, theirs.minY <= theirs.maxY
        else { return .null }
        return mine.intersection(theirs)
    }
}
