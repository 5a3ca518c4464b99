/// Statistics of call durations, in milliseconds.
struct Timings {
    private(set) var milliseconds: [Double] = []

    mutating func add(_ milliseconds: Double) { self.milliseconds.append(milliseconds) }

    /// Returns a percentile by nearest rank (0.5 is the median); nil without calls.
    func percentile(_ share: Double) -> Double? {
        let sorted = milliseconds.sorted()
        guard !sorted.isEmpty else { return nil }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[max(0, min(sorted.count, rank) - 1)]
    }

    /// A text such as "median 0.52 ms, 95 % within 0.80 ms: 1923 frames/s".
    var summary: String {
        guard let median = percentile(0.5), let high = percentile(0.95) else { return "not run" }
        let rate = median > 0 ? Int(1000 / median) : 0
        return "median \(Decimals.text(median, 2)) ms, 95 % within \(Decimals.text(high, 2)) ms: \(rate) frames/s"
    }
}
