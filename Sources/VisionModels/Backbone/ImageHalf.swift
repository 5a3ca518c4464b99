/// The halves of an image that a backbone scores on their own, beside the whole: what fills a half drowns in the mean
/// over all.
package enum ImageHalf: Int, CaseIterable, Sendable {
    case left, right, top, bottom

    /// How much each place of a map counts for the means, whole first, then the halves: a row for each of them, its
    /// places row by row; every row's sum is 1. Where a map has a middle row or column, it belongs to both halves.
    static func weights(rows: Int, columns: Int) -> [Float] {
        /// The share of a row or column that lies in the first half.
        func first(_ index: Int, of count: Int) -> Float { min(1, max(0, Float(count) / 2 - Float(index))) }
        let shares: [(Int, Int) -> Float] = [
            { _, _ in 1 }, { first($1, of: columns) }, { 1 - first($1, of: columns) },
            { row, _ in first(row, of: rows) },
            { row, _ in 1 - first(row, of: rows) },
        ]
        return shares.flatMap { share in
            let places = (0..<rows * columns).map { share($0 / columns, $0 % columns) }
            let sum = places.reduce(0, +)
            return places.map { $0 / sum }
        }
    }
}
