/// A countable amount of work divided into shares for threads: enough that a delayed thread costs little, none so
/// small that handing it out costs more than doing it.
struct WorkShares {
    /// Elements of a part of a step that does little with each: some microseconds, and a part of the first cache.
    static let portion = 1 << 13

    private let total: Int
    let count: Int

    /// - Parameters:
    ///   - cost: multiplications, or as much work, for one of the things.
    ///   - most: shares that there may be; three a thread unless given.
    init(_ total: Int, cost: Int, _ threads: Int, most: Int? = nil) {
        self.total = total
        guard threads > 1, total > 1 else {
            count = 1
            return
        }
        let byCost = total * max(cost, 1) / 60_000
        count = max(1, min(most ?? threads * 3, byCost, total))
    }

    /// - Parameter count: shares, if there are as many things.
    init(_ total: Int, count: Int) {
        self.total = total
        self.count = max(1, min(count, total))
    }

    subscript(index: Int) -> Range<Int> {
        index * total / count..<(index + 1) * total / count
    }
}
