package import Foundation

extension CGRect {
    /// What two rectangles share; null where that is nothing, or where an edge is no number: there Foundation's
    /// `intersection` ends the process.
    package func overlap(with other: CGRect) -> CGRect {
        let (mine, theirs) = (standardized, other.standardized)
        guard mine.minX <= mine.maxX, mine.minY <= mine.maxY, theirs.minX <= theirs.maxX, theirs.minY <= theirs.maxY
        else { return .null }
        return mine.intersection(theirs)
    }
}
