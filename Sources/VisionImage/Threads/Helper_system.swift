internal import CVisionThreads
import Foundation
import Synchronization

/// A thread that does one task at a time: awake for a moment after the last one, because the runs of small networks follow
/// each other closely and waking up takes as long as a tenth of one, then asleep.
package final class Helper: Sendable {
    private enum State {
        static let asleep = 0
        static let awake = 1
        static let wanted = 2
    }

    private let state = Atomic<Int>(State.asleep)
    private let task = Locked<(@Sendable () -> Void)?>(nil)
    private let wake = DispatchSemaphore(value: 0)
    /// Known when the thread has begun.
    private let placement = Locked<cvt_placement?>(nil)
    private static let patience = Duration.microseconds(200)

    init() {
        let thread = Thread { [self] in
            placement.withLock { $0 = cvt_this_thread() }
            sleep()
            while true {
                // Marked as seen before the task is taken: one that comes in between is found in the next turn.
                state.store(State.awake, ordering: .sequentiallyConsistent)
                let task = task.withLock { task in
                    defer { task = nil }
                    return task
                }
                task?()
                waitUntilWanted()
            }
        }
        thread.name = "OpenVision helper"
        thread.stackSize = 8 << 20
        thread.start()
    }

    private func waitUntilWanted() {
        if Awake.wait(for: Self.patience, until: { state.load(ordering: .acquiring) == State.wanted }) { return }
        let (slept, _) = state.compareExchange(
            expected: State.awake, desired: State.asleep, ordering: .sequentiallyConsistent)
        if slept { sleep() }
    }

    private func sleep() {
        wake.wait()
        // It runs elsewhere by now. Threads that a task makes get their processors from this one.
        place(cvt_place_anywhere)
    }

    private func place(_ body: (UnsafeMutablePointer<cvt_placement>) -> Void) {
        placement.withLock { placement in
            guard var known = placement else { return }
            body(&known)
            placement = known
        }
    }

    /// Has the thread do something as soon as it can. A task that it has not begun is replaced: nobody calls who does not
    /// know that the one before is done or no longer wanted.
    package func call(_ task: @escaping @Sendable () -> Void) {
        self.task.withLock { $0 = task }
        guard state.exchange(State.wanted, ordering: .sequentiallyConsistent) == State.asleep else { return }
        // The systems of virtual machines may take a processor that has nothing to do for one that is not there, and wake up
        // this thread where the caller is busy.
        place(cvt_place_elsewhere)
        wake.signal()
    }
}
