import Foundation
import VisionThreads

/// Limits the pixels that are processed at the same time, and with them the memory of concurrent performs.
///
/// A call that exceeds the limit waits in a FIFO queue. An image larger than the whole budget is processed alone.
package final class PixelBudget: Sendable {
    /// The budget of this process.
    package static let shared = PixelBudget(limit: defaultLimit)

    /// The default: 64 · 2²⁰ pixels for each processor, so that each can process a large photo.
    package static var defaultLimit: Int { Processors.count * 64 << 20 }

    /// The minimum that an image counts for: networks need up to 150 MB for a perform, whatever the size of the image.
    /// With the default limit two performs run for each processor, which keeps all of them busy.
    package static let leastCost = 32 << 20

    /// A call in the queue.
    private final class Waiter: Sendable {
        let cost: Int
        /// Called once, without the lock, when the budget has taken the cost.
        let admit: @Sendable () -> Void

        init(cost: Int, admit: @escaping @Sendable () -> Void) { (self.cost, self.admit) = (cost, admit) }
    }

    private struct State {
        var limit: Int
        var inUse = 0
        var peak = 0
        var waiters: [Waiter] = []
        /// The nesting depth of each thread inside `spend`. A nested call must not wait for its own thread.
        var holders: [ObjectIdentifier: Int] = [:]
        /// What a thread may spend without waiting, because it was reserved.
        var reserved: [ObjectIdentifier: Int] = [:]

        func mustWait(for cost: Int) -> Bool { !waiters.isEmpty || !hasRoom(for: cost) }

        private func hasRoom(for cost: Int) -> Bool { inUse == 0 || cost <= limit - inUse }

        mutating func enter(_ thread: ObjectIdentifier) { holders[thread, default: 0] += 1 }

        mutating func leave(_ thread: ObjectIdentifier) {
            let depth = holders[thread, default: 1] - 1
            holders[thread] = depth > 0 ? depth : nil
        }

        mutating func take(_ cost: Int) {
            inUse += cost
            peak = max(peak, inUse)
        }

        /// - Returns: The calls whose turn it is; what they cost is taken.
        mutating func nextWaiters() -> [Waiter] {
            var admitted: [Waiter] = []
            while let next = waiters.first, hasRoom(for: next.cost) {
                take(next.cost)
                admitted.append(waiters.removeFirst())
            }
            return admitted
        }
    }

    private let state: Locked<State>

    package init(limit: Int) { state = Locked(State(limit: max(1, limit))) }

    /// The largest number of pixels at the same time. Calls that were admitted under a higher limit continue.
    package var limit: Int {
        get { state.withLock { $0.limit } }
        set { changeAndAdmit { $0.limit = max(1, newValue) } }
    }

    /// The highest number of pixels in use at the same time so far.
    package var peak: Int { state.withLock { $0.peak } }

    /// The number of calls in the queue.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    private func changeAndAdmit(_ change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            return state.nextWaiters()
        }
        for waiter in admitted { waiter.admit() }
    }

    /// Takes a call out of the queue.
    ///
    /// - Returns: Whether it was still there.
    private func remove(_ waiter: Waiter) -> Bool {
        var isRemoved = false
        // A large image that left may have kept smaller ones waiting.
        changeAndAdmit { state in
            guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return }
            state.waiters.remove(at: index)
            isRemoved = true
        }
        return isRemoved
    }

    // MARK: Calls that wait on their thread

    /// How often a call that waits asks whether it is still wanted.
    private static let pollInterval = DispatchTimeInterval.milliseconds(20)

    /// Runs the closure as soon as the budget has room for an image of this many pixels.
    ///
    /// A nested call from inside the closure, on the same thread, does not wait; nor does the first call inside
    /// `Reservation.use(_:)`.
    ///
    /// - Parameter isCancelled: Asked when the call has to wait, and from time to time while it does.
    /// - Returns: The result of the closure; nil if the call was cancelled before its turn.
    @discardableResult package func spend<Result>(
        pixels: Int, unless isCancelled: () -> Bool = { false }, _ body: () throws -> Result
    ) rethrows -> Result? {
        var cost = max(pixels, Self.leastCost)
        let thread = ObjectIdentifier(Thread.current)
        let admitted = DispatchSemaphore(value: 0)
        let waiter: Waiter? = state.withLock { state in
            let isNested = state.holders[thread] != nil
            state.enter(thread)
            if let reserved = state.reserved.removeValue(forKey: thread) {
                cost = reserved
                return nil
            }
            guard !isNested, state.mustWait(for: cost) else {
                state.take(cost)
                return nil
            }
            let waiter = Waiter(cost: cost) { admitted.signal() }
            state.waiters.append(waiter)
            return waiter
        }
        if let waiter, !wait(admitted, unless: isCancelled, waiter) {
            state.withLock { $0.leave(thread) }
            return nil
        }
        defer {
            changeAndAdmit { state in
                state.inUse -= cost
                state.leave(thread)
            }
        }
        return try body()
    }

    /// Waits for a call's turn; false if it was cancelled before, and is no longer in the queue.
    private func wait(_ admitted: DispatchSemaphore, unless isCancelled: () -> Bool, _ waiter: Waiter) -> Bool {
        repeat {
            guard isCancelled() else { continue }
            if remove(waiter) { return false }
            // Its turn came meanwhile.
            admitted.wait()
            return true
        } while admitted.wait(timeout: .now() + Self.pollInterval) == .timedOut
        return true
    }

    // MARK: Calls that wait without a thread

    /// Room in the budget for a call that runs later.
    package final class Reservation: Sendable {
        private enum State {
            case waiting
            case granted
            /// Used, given back, or taken out of the queue.
            case ended
        }

        private let budget: PixelBudget
        private let cost: Int
        private let state = Locked((state: State.waiting, waiter: Waiter?.none))

        fileprivate init(_ budget: PixelBudget, cost: Int) { (self.budget, self.cost) = (budget, cost) }

        deinit { if state.current.state == .granted { budget.changeAndAdmit { $0.inUse -= cost } } }

        /// Enters the queue, or takes room that there is.
        ///
        /// - Returns: Whether there was room.
        fileprivate func begin(_ admitted: @escaping @Sendable (Reservation) -> Void) -> Bool {
            let waiter = Waiter(cost: cost) { [self] in
                state.withLock { $0 = (.granted, nil) }
                admitted(self)
            }
            // The reservation knows its waiter before the budget can admit it.
            state.withLock { $0.waiter = waiter }
            let hasRoom = budget.state.withLock { state in
                if state.mustWait(for: cost) {
                    state.waiters.append(waiter)
                    return false
                }
                state.take(cost)
                return true
            }
            if hasRoom { state.withLock { $0 = (.granted, nil) } }
            return hasRoom
        }

        /// Leaves the queue.
        ///
        /// - Returns: Whether the call was still waiting. It is not admitted then.
        package func cancel() -> Bool {
            guard let waiter = state.current.waiter, budget.remove(waiter) else { return false }
            state.withLock { $0 = (.ended, nil) }
            return true
        }

        /// Runs a closure, in which the first `spend` on this thread has the room that was reserved. What is left of it
        /// goes back to the budget.
        package func use<Result>(_ body: () throws -> Result) rethrows -> Result {
            let isGranted = state.withLock { value in
                defer { value = (.ended, nil) }
                return value.state == .granted
            }
            guard isGranted else { return try body() }
            let thread = ObjectIdentifier(Thread.current)
            budget.state.withLock { $0.reserved[thread] = cost }
            defer { budget.returnReserved() }
            return try body()
        }
    }

    /// Reserves room for an image of this many pixels, without waiting.
    ///
    /// - Parameters:
    ///   - pixels: As for `spend`.
    ///   - admitted: Called with the reservation when there is room, on the thread that gave it back. Not called when
    ///     there is room at once, or after the reservation was cancelled.
    /// - Returns: The reservation, and whether there is room at once.
    package func reserve(
        pixels: Int, admitted: @escaping @Sendable (Reservation) -> Void
    ) -> (reservation: Reservation, isGranted: Bool) {
        let reservation = Reservation(self, cost: max(pixels, Self.leastCost))
        return (reservation, reservation.begin(admitted))
    }

    /// Gives back what the current thread has reserved and not spent, before it waits for something else.
    package func returnReserved() {
        let thread = ObjectIdentifier(Thread.current)
        changeAndAdmit { state in
            if let cost = state.reserved.removeValue(forKey: thread) { state.inUse -= cost }
        }
    }
}
