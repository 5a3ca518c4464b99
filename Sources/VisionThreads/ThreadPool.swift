/// The thread pool of the process.
///
/// Parallel code borrows worker threads at two levels. At each level, at most one thread fewer than there are
/// processors can be borrowed, because the borrower runs on its own thread, too. A borrower that gets none does
/// everything itself. Jobs that block for long use separate threads: those that nothing waits for are started with
/// `start(_:)`, the parts of a computation that its caller waits for with `startUnqueued(_:)`.
package final class ThreadPool: Sendable {
    /// The pool of this process.
    package static let shared = ThreadPool()

    /// The number of threads, besides the caller's, that these processors can keep busy.
    package static let usefulCount = Processors.count - 1
    /// The maximum number of borrowed threads per level, and of jobs that `start(_:)` runs at the same time.
    package static let maximumCount = 64
    /// Idle threads above this number end.
    private static let keptCount = max(16, Level.allCases.count * usefulCount)

    /// The purpose of borrowed threads.
    package enum Level: Int, CaseIterable, Sendable {
        /// Whole jobs: requests of a perform, photos of a training set. Jobs differ in length and may wait for each
        /// other's results, so the parts of a job use separate threads.
        case jobs
        /// Parts of one job, such as rows of a tensor or views of an image. They neither wait nor borrow threads.
        case parts
    }

    private struct State {
        /// The thread that was returned last is at the end, and may still be spinning.
        var idle: [WorkerThread] = []
        var lent = [Int](repeating: 0, count: Level.allCases.count)
        var runningJobs = 0
        var waitingJobs = Queue<@Sendable () -> Void>()
    }

    private let state = Locked(State())

    package init() {}

    /// Borrows idle or new threads. Each must be returned.
    ///
    /// - Parameters:
    ///   - wanted: The number of threads. It may exceed `usefulCount`, but not `maximumCount`.
    ///   - level: The purpose of the threads.
    /// - Returns: At most `wanted` threads; none if all threads of the level are borrowed.
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

    /// Returns borrowed threads to the pool.
    package func giveBack(_ threads: [WorkerThread], from level: Level) {
        state.withLock { state in
            state.lent[level.rawValue] -= threads.count
            state.idle.append(contentsOf: threads)
        }
    }

    /// Starts a job on a thread of the pool and returns immediately. The job may block for long.
    ///
    /// While `maximumCount` such jobs are running, further ones are queued in the order in which they were started. So
    /// a running job must not wait for one that it starts; that is what `startUnqueued(_:)` is for.
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
        // Callers are asynchronous: they suspend next. On any other processor than theirs the job would share it with a
        // job that runs, while theirs is idle.
        thread.call(callerContinues: false) { [self] in
            job()
            runWaitingJobs(on: thread)
        }
    }

    /// Starts a job on a thread of the pool and returns immediately. The job is never queued and does not count toward
    /// `maximumCount`, so it begins even when jobs that wait for it use up that number.
    package func startUnqueued(_ job: @escaping @Sendable () -> Void) {
        let thread = state.withLock { $0.idle.popLast() } ?? WorkerThread()
        thread.call { [self] in
            job()
            state.withLock { Self.keep(thread, &$0) }
        }
    }

    /// Runs the queued jobs on a thread, then returns the thread to the pool.
    private func runWaitingJobs(on thread: WorkerThread) {
        while true {
            let job: (@Sendable () -> Void)? = state.withLock { state in
                if let job = state.waitingJobs.popFirst() { return job }
                state.runningJobs -= 1
                Self.keep(thread, &state)
                return nil
            }
            guard let job else { return }
            job()
        }
    }

    /// Returns a thread whose job has ended to the pool, or ends it.
    private static func keep(_ thread: WorkerThread, _ state: inout State) {
        if state.idle.count < keptCount { state.idle.append(thread) } else { thread.end() }
    }
}
