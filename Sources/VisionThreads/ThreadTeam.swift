import Dispatch
import Synchronization

/// Worker threads of the pool that share tasks with the caller. There are none if all are borrowed.
package struct ThreadTeam {
    private let threads: [WorkerThread]
    private let level: ThreadPool.Level

    /// Borrows up to `maximumCount` threads, and wakes them up for the tasks that follow shortly.
    package init(maximumCount: Int, for level: ThreadPool.Level) {
        self.level = level
        threads = ThreadPool.shared.borrow(maximumCount, for: level)
        for thread in threads { thread.call {} }
    }

    /// The number of threads besides the caller's.
    package var count: Int { threads.count }

    /// Returns the threads to the pool unused.
    package func giveBack() { ThreadPool.shared.giveBack(threads, from: level) }

    /// Runs a closure on the caller's thread, which has number 0, and on the borrowed ones, 1 ... `count`, and returns
    /// these to the pool.
    ///
    /// Returns when all calls that have begun are done. A thread that arrives after the caller's call has ended does
    /// not begin, so `body` must take tasks from a common queue until the queue is empty.
    package func run(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
        let gate = Gate(body)
        for (index, thread) in threads.enumerated() {
            thread.call { [level] in
                gate.enter(index + 1)
                ThreadPool.shared.giveBack([thread], from: level)
            }
        }
        body(0)
        gate.close()
    }

    /// Lets threads begin until it is closed, and then retains nothing.
    private final class Gate: Sendable {
        private let body: Locked<(@Sendable (Int) -> Void)?>
        private let active = Atomic(0)
        private let group = DispatchGroup()
        /// When one thread runs out of tasks, the others usually finish within some tenths of a millisecond.
        private static let spinLimit = Duration.microseconds(500)

        init(_ body: @escaping @Sendable (Int) -> Void) { self.body = Locked(body) }

        func enter(_ thread: Int) {
            let body = body.withLock { body in
                if body != nil {
                    group.enter()
                    active.add(1, ordering: .relaxed)
                }
                return body
            }
            guard let body else { return }
            body(thread)
            active.subtract(1, ordering: .releasing)
            group.leave()
        }

        /// Waits for the threads that have begun.
        func close() {
            body.withLock { $0 = nil }
            if !SpinWait.wait(for: Self.spinLimit, until: { active.load(ordering: .acquiring) == 0 }) { group.wait() }
        }
    }
}
