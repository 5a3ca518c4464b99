import Foundation

/// The ranks of photos' own classes: 0 for the first.
struct RankHits {
    private var ranks: [Int] = []

    mutating func add(_ rank: Int) { ranks.append(rank) }

    /// Top-1 and top-5 with their intervals.
    var text: String { "top-1 \(share(within: 1)), top-5 \(share(within: 5))" }

    func text(within limit: Int) -> String { "top-\(limit) \(share(within: limit))" }

    /// The share of ranks below a limit and its 95 % interval: Wilson, JASA 1927.
    private func share(within limit: Int) -> String {
        let count = Double(max(ranks.count, 1))
        let share = Double(ranks.count { $0 < limit }) / count
        let z = 1.96
        let middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        let half = z / (1 + z * z / count) * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        return String(
            format: "%.1f %% (%.1f…%.1f)", 100 * share, 100 * max(0, middle - half), 100 * min(1, middle + half))
    }

    /// The difference of the shares in points and its 95 % interval, of the same photos in the same order.
    func difference(from other: RankHits, within limit: Int) -> String {
        precondition(ranks.count == other.ranks.count)
        let changes = zip(ranks, other.ranks).map { ($0 < limit ? 1.0 : 0) - ($1 < limit ? 1.0 : 0) }
        let count = Double(max(changes.count, 1))
        let mean = changes.reduce(0, +) / count
        let variance = changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(count - 1, 1)
        return String(
            format: "%+.1f ± %.1f points (%d photos gained, %d lost)", 100 * mean,
            196 * (variance / count).squareRoot(), changes.count { $0 > 0 }, changes.count { $0 < 0 })
    }
}
