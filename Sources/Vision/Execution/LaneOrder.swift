import VisionThreads

/// How long the work of a tracker took in the last perform, by which the next one is shared out. Results do not depend on it.
final class Pace: @unchecked Sendable {
    // Unchecked: the works of one tracker form a lane, and the handler's lock orders performs.
    var last = Duration.zero
}

/// In which order the threads of a perform come to their lanes.
enum LaneOrder {
    /// The numbers of the lanes, so ordered that in the share of each thread the shortest come last: who has done with its own
    /// takes those. No lane leaves its share, as the thread has its tracker's memory in its cache.
    ///
    /// - Parameter times: How long each is expected to take, in any unit.
    static func shortestLast(_ times: [Double], threads: Int) -> [Int] {
        WorkStealingQueues.ranges(of: times.count, threads: threads).flatMap { share in
            share.sorted { (times[$0], $1) > (times[$1], $0) }
        }
    }
}
