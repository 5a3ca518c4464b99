/// The pool that every thread of the process comes from.
///
/// Parallel work borrows threads at two levels. At each, at most as many threads as there are processors less one are
/// lent, because the borrower works on its own thread too. A borrower that gets none does everything itself. Jobs that
/// block for long are started with `start(_:)` and have threads beside these.
package final class ThreadPool: Sendable {
    /// The pool of this process.
    package static let shared = ThreadPool()

    /// The number of threads, besides the caller's, that these processors can keep busy.
    package static let usefulCount = Processors.count - 1
    /// The most threads that are lent at a level, and the most jobs that `start(_:)` runs at the same time.
    package static let maximumCount = 64
    /// Idle threads above this number end.
    private static let keptCount = max(16, Level.allCases.count * usefulCount)

    /// What threads are borrowed for.
    package enum Level: Int, CaseIterable, Sendable {
        /// Whole jobs: requests of a perform, photos of a training. Jobs may wait for each other's results and differ
        /// in length, so the parts of a job have threads of their own.
        case jobs
        /// Parts of one job: rows of a network's tensor, views of an image. They neither wait nor borrow threads.
        case parts
    }

    private struct State {
        /// The thread that was returned last is at the end, and may still be spinning.
        var idle: [WorkerThread] = []
        var lent = [Int](repeating: 0, count: Level.allCases.count)
        var runningJobs = 0
        var waitingJobs: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Borrows idle threads, or new ones; each has to be returned.
    ///
    /// - Parameters:
    ///   - wanted: The number of threads. More than `usefulCount` are only lent to who asks for so many, and never more
    ///     than `maximumCount`.
    ///   - level: What they are for.
    /// - Returns: At most `wanted` threads; none where others have borrowed all of the level.
    package func borrow(_ wanted: Int, for level: Level) -> [WorkerThread] {
        guard wanted > 0 else { return [] }
        return state.withLock { state in
            let limit = max(Self.usefulCount, min(wanted, Self.maximumCount))
            let taken = min(wanted, limit - state.lent[level.rawValue])
            guard taken > 0 else { return [] }
            while state.idle.count < taken { state.idle.insert(WorkerThread(), at: 0) }
            state.lent[level.rawValue] += taken
            defer { state.idle.removeLast(taken) }
            return Array(state.idle.suffix(taken))
        }
    }

    /// Returns threads that were borrowed.
    package func giveBack(_ threads: [WorkerThread], from level: Level) {
        state.withLock { state in
            state.lent[level.rawValue] -= threads.count
            state.idle.append(contentsOf: threads)
        }
    }

    /// Runs a job on a thread of the pool, and returns at once. The job may block and take long.
    ///
    /// While `maximumCount` such jobs are running, others wait for their turn in the order in which they were started.
    package func start(_ job: @escaping @Sendable () -> Void) {
        let thread: WorkerThread? = state.withLock { state in
            guard state.runningJobs < Self.maximumCount else {
                state.waitingJobs.append(job)
                return nil
            }
            state.runningJobs += 1
            return state.idle.popLast() ?? WorkerThread()
        }
        guard let thread else { return }
        thread.call { [self] in
            job()
            runWaitingJobs(on: thread)
        }
    }

    /// Runs the jobs that wait for a thread on this one, and returns it to the pool.
    private func runWaitingJobs(on thread: WorkerThread) {
        while true {
            let job: (@Sendable () -> Void)? = state.withLock { state in
                guard state.waitingJobs.isEmpty else { return state.waitingJobs.removeFirst() }
                state.runningJobs -= 1
                if state.idle.count < Self.keptCount { state.idle.append(thread) } else { thread.end() }
                return nil
            }
            guard let job else { return }
            job()
        }
    }
}
