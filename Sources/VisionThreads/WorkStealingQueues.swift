/// The task queues of the threads of one perform, with work stealing.
///
/// Each thread has a queue of its own with consecutive tasks, so that from frame to frame a tracker's memory stays in
/// the cache of one core. Idle threads steal tasks from the tail of other queues, longest queue first, so that a
/// delayed thread does not block the perform.
package final class WorkStealingQueues: Sendable {
    private struct State {
        var first: Range<Int>
        var queues: [Range<Int>]
    }

    private let state: Locked<State>

    /// Distributes tasks to queues.
    ///
    /// - Parameters:
    ///   - first: The number of tasks that precede all others: 0 ..< `first`. No other task is taken before all of
    ///     these are.
    ///   - count: The number of the other tasks: `first` ..< `first` + `count`.
    ///   - threads: The number of queues.
    package init(first: Int = 0, count: Int, threads: Int) {
        let queues = Self.ranges(of: count, threads: threads).map { first + $0.lowerBound..<first + $0.upperBound }
        state = Locked(State(first: 0..<first, queues: queues))
    }

    /// The tasks of each thread's queue.
    package static func ranges(of count: Int, threads: Int) -> [Range<Int>] {
        (0..<threads).map { count * $0 / threads..<count * ($0 + 1) / threads }
    }

    /// Takes the next task for a thread; nil when all are taken.
    package func take(_ thread: Int) -> Int? {
        state.withLock { state in
            if !state.first.isEmpty { return state.first.removeFirst() }
            if let task = state.queues[thread].first {
                state.queues[thread].removeFirst()
                return task
            }
            guard let longest = state.queues.indices.max(by: { state.queues[$0].count < state.queues[$1].count }),
                let task = state.queues[longest].last
            else { return nil }
            state.queues[longest].removeLast()
            return task
        }
    }
}
