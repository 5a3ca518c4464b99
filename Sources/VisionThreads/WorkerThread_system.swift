internal import CVisionThreads
import Foundation
import Synchronization

/// A thread of the pool. It runs one task at a time.
///
/// After a task it spins briefly before it sleeps, because runs of small networks follow each other closely and waking
/// up takes a tenth of the time of one.
package final class WorkerThread: Sendable {
    private enum State {
        static let asleep = 0
        static let running = 1
        static let called = 2
    }

    private let state = Atomic<Int>(State.asleep)
    private let isEnding = Atomic<Bool>(false)
    private let task = Locked<(@Sendable () -> Void)?>(nil)
    private let wake = DispatchSemaphore(value: 0)
    /// Set when the thread has started.
    private let placement = Locked<cvt_placement?>(nil)
    private static let spinLimit = Duration.microseconds(200)

    init() {
        let thread = Thread { [self] in
            placement.withLock { $0 = cvt_this_thread() }
            sleep()
            while true {
                // Stored before the task is taken, so that a task that arrives in between is found in the next
                // iteration.
                state.store(State.running, ordering: .sequentiallyConsistent)
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
            expected: State.running, desired: State.asleep, ordering: .sequentiallyConsistent)
        if isAsleep { sleep() }
    }

    private func sleep() {
        wake.wait()
        // By now the thread runs on another processor than the caller. Threads that the task creates inherit the
        // affinity, so reset it.
        setPlacement(cvt_place_anywhere)
    }

    private func setPlacement(_ body: (UnsafeMutablePointer<cvt_placement>) -> Void) {
        placement.withLock { placement in
            guard var known = placement else { return }
            body(&known)
            placement = known
        }
    }

    /// Makes the thread run a task as soon as possible.
    ///
    /// Replaces a task that has not begun: call this only when the previous task is done or no longer needed.
    ///
    /// - Parameters:
    ///   - callerContinues: Whether the caller keeps its processor busy. If it is about to wait instead, its processor
    ///     may be the only one that is free.
    ///   - task: The task.
    package func call(callerContinues: Bool = true, _ task: @escaping @Sendable () -> Void) {
        self.task.withLock { $0 = task }
        guard state.exchange(State.called, ordering: .sequentiallyConsistent) == State.asleep else { return }
        // Schedulers of virtual machines may take an idle processor for an absent one, and wake this thread on the
        // processor of the caller, which is busy.
        if callerContinues { setPlacement(cvt_place_elsewhere) }
        wake.signal()
    }

    /// Ends the thread when its task is done. Called by the task, when no one else can call the thread any more.
    func end() { isEnding.store(true, ordering: .relaxed) }
}
