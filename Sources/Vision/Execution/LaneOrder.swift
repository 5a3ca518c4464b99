/// How long the work of a tracker took in the last perform, by which the next one is shared out. Results do not depend on it.
final class Pace: @unchecked Sendable {
    // Unchecked: the works of one tracker form a lane, and the handler's lock orders performs.
    var last = Duration.zero
}

/// In which order lanes are given to threads, of which each has a share of lanes that follow each other.
enum LaneOrder {
    /// Below this ratio of the longest to the shortest the order stays: then each thread keeps the trackers whose memory it has.
    private static let leastSpread = 1.5

    /// The numbers of the lanes, so ordered that the shares take about as long as each other and the shortest come last in each:
    /// who has done with its own takes those.
    ///
    /// - Parameter times: How long each is expected to take, in any unit.
    static func balanced(_ times: [Double], threads: Int) -> [Int] {
        let count = times.count
        guard threads > 1, count > threads, let most = times.max(), let least = times.min(),
            most > leastSpread * least
        else { return Array(times.indices) }
        var shares = (0..<threads).map {
            (room: count * ($0 + 1) / threads - count * $0 / threads, sum: 0.0, lanes: [Int]())
        }
        for lane in times.indices.sorted(by: { (times[$0], $1) > (times[$1], $0) }) {
            let open = shares.indices.filter { shares[$0].lanes.count < shares[$0].room }
            guard let share = open.min(by: { shares[$0].sum < shares[$1].sum }) else { break }
            shares[share].lanes.append(lane)
            shares[share].sum += times[lane]
        }
        return shares.flatMap(\.lanes)
    }
}
