/// The halves of an image that a backbone scores beside the whole: an object that fills one half is diluted in the mean
/// over the whole.
package enum ImageHalf: Int, CaseIterable, Sendable {
    case left, right, top, bottom

    /// Returns the weight of each position of a map for the means of the whole and of the halves: one row each, with
    /// the positions row by row; every row sums to 1. A middle row or column of the map belongs to both halves.
    static func weights(rows: Int, columns: Int) -> [Float] {
        /// The share of a row or column that lies in the first half.
        func first(_ index: Int, of count: Int) -> Float { min(1, max(0, Float(count) / 2 - Float(index))) }
        let shares: [(Int, Int) -> Float] = [
            { _, _ in 1 }, { first($1, of: columns) }, { 1 - first($1, of: columns) },
            { row, _ in first(row, of: rows) },
            { row, _ in 1 - first(row, of: rows) },
        ]
        return shares.flatMap { share in
            let weights = (0..<rows * columns).map { share($0 / columns, $0 % columns) }
            let sum = weights.reduce(0, +)
            return weights.map { $0 / sum }
        }
    }
}
