import VisionThreads

/// The duration of a tracker's job in the last perform, used to schedule the next one. Results do not depend on it.
final class JobCost: @unchecked Sendable {
    // Unchecked: the jobs of one tracker form a serial queue, and the handler's lock orders performs.
    var last = Duration.zero
}

/// The order in which the threads of a perform run its serial queues.
enum JobOrder {
    /// Orders serial queues so that the shortest come last in the share of each thread, because idle threads steal from
    /// the end. No queue changes its thread, which has the memory of the tracker in its cache.
    ///
    /// - Parameters:
    ///   - costs: The expected duration of each, in any unit.
    ///   - threads: The number of threads.
    /// - Returns: The numbers of the serial queues.
    static func shortestLast(_ costs: [Double], threads: Int) -> [Int] {
        WorkStealingQueues.ranges(of: costs.count, threads: threads).flatMap { share in
            share.sorted { (costs[$0], $1) > (costs[$1], $0) }
        }
    }
}
