/// The nearest of many elements; elements at equal distances are sorted, so the order of insertion does not matter.
package struct Nearest<Key: Comparable> {
    package typealias Found = (key: Key, distance: Float)

    /// How many are kept.
    package let limit: Int
    private var found: [Found] = []
    /// What lies further away than this is none of the nearest.
    private var reach = Float.infinity

    package init(limit: Int) { self.limit = limit }

    package mutating func add(_ key: Key, distance: Float) {
        guard distance <= reach else { return }
        found.append((key, distance))
        // Sorted now and then only: a little over twice the limit is the most that is held.
        let (twice, isEndless) = limit.multipliedReportingOverflow(by: 2)
        if !isEndless, found.count > max(64, twice) {
            found = sorted
            reach = found.last?.distance ?? -.infinity
        }
    }

    /// The nearest, in order.
    package var sorted: [Found] {
        let all = found.sorted { ($0.distance, $0.key) < ($1.distance, $1.key) }
        return Array(all.prefix(limit))
    }
}
