/// The times of things that are measured in turns, because the clock of a shared machine drifts.
final class TurnTimes {
    private var times: [String: [Double]] = [:]

    /// Runs `body` and adds its time to those of a name.
    func measure(_ name: String, _ body: () throws -> Void) rethrows {
        let start = nanoseconds()
        try body()
        times[name, default: []].append(Double(nanoseconds() - start))
    }

    /// The median of a name divided by that of another one; nil without times of both.
    func ratio(_ name: String, to other: String) -> Double? {
        let medians = [name, other].map { percentile(0.5, ofSorted: (times[$0] ?? []).sorted()) }
        guard times[name] != nil, times[other] != nil, medians[1] > 0 else { return nil }
        return medians[0] / medians[1]
    }
}
