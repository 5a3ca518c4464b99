internal import CVisionThreads
import Foundation
import Synchronization

/// A thread of the pool, which runs one task at a time.
///
/// After a task it spins for a moment before it sleeps, because the runs of small networks follow each other closely
/// and waking up takes as long as a tenth of one.
package final class WorkerThread: Sendable {
    private enum State {
        static let asleep = 0
        static let awake = 1
        static let called = 2
    }

    private let state = Atomic<Int>(State.asleep)
    private let isEnding = Atomic<Bool>(false)
    private let task = Locked<(@Sendable () -> Void)?>(nil)
    private let wake = DispatchSemaphore(value: 0)
    /// Known when the thread has begun.
    private let placement = Locked<cvt_placement?>(nil)
    private static let spinLimit = Duration.microseconds(200)

    init() {
        let thread = Thread { [self] in
            placement.withLock { $0 = cvt_this_thread() }
            sleep()
            while true {
                // Stored before the task is taken: a task that arrives in between is found in the next turn.
                state.store(State.awake, ordering: .sequentiallyConsistent)
                let task = task.withLock { task in
                    defer { task = nil }
                    return task
                }
                task?()
                if isEnding.load(ordering: .relaxed) { return }
                waitForCall()
            }
        }
        thread.name = "OpenVision worker"
        thread.stackSize = 8 << 20
        thread.start()
    }

    private func waitForCall() {
        if SpinWait.wait(for: Self.spinLimit, until: { state.load(ordering: .acquiring) == State.called }) { return }
        let (isAsleep, _) = state.compareExchange(
            expected: State.awake, desired: State.asleep, ordering: .sequentiallyConsistent)
        if isAsleep { sleep() }
    }

    private func sleep() {
        wake.wait()
        // By now it runs on another processor than the caller. A thread that the task makes inherits where this one may
        // run.
        place(cvt_place_anywhere)
    }

    private func place(_ body: (UnsafeMutablePointer<cvt_placement>) -> Void) {
        placement.withLock { placement in
            guard var known = placement else { return }
            body(&known)
            placement = known
        }
    }

    /// Has the thread run a task as soon as it can.
    ///
    /// A task that it has not begun is replaced: call it only when the task before is done or no longer wanted.
    package func call(_ task: @escaping @Sendable () -> Void) {
        self.task.withLock { $0 = task }
        guard state.exchange(State.called, ordering: .sequentiallyConsistent) == State.asleep else { return }
        // Schedulers of virtual machines may take an idle processor for one that is not there, and wake this thread on
        // the caller's, which is busy.
        place(cvt_place_elsewhere)
        wake.signal()
    }

    /// Ends the thread when its task is done. Called by the task, on a thread that nobody can call any longer.
    func end() { isEnding.store(true, ordering: .relaxed) }
}
