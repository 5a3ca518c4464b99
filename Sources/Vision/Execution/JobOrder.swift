import VisionThreads

/// How long the job of a tracker took in the last perform, by which the next one is scheduled. Results do not depend on
/// it.
final class JobCost: @unchecked Sendable {
    // Unchecked: the jobs of one tracker form a serial queue, and the handler's lock orders performs.
    var last = Duration.zero
}

/// The order in which the threads of a perform run its serial queues.
enum JobOrder {
    /// Orders serial queues so that in the share of each thread the shortest come last: idle threads steal those. None
    /// leaves its thread's share, as the thread has the tracker's memory in its cache.
    ///
    /// - Parameters:
    ///   - costs: How long each is expected to take, in any unit.
    ///   - threads: The number of threads.
    /// - Returns: The numbers of the serial queues.
    static func shortestLast(_ costs: [Double], threads: Int) -> [Int] {
        WorkStealingQueues.ranges(of: costs.count, threads: threads).flatMap { share in
            share.sorted { (costs[$0], $1) > (costs[$1], $0) }
        }
    }
}
