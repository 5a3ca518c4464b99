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

    private final class Waiter: Sendable {
        let cost: Int
        let admitted = DispatchSemaphore(value: 0)

        init(cost: Int) { self.cost = cost }
    }

    private struct State {
        var limit: Int
        var inUse = 0
        var peak = 0
        var waiters: [Waiter] = []
        /// The nesting depth of each thread inside `spend`. A nested call must not wait for its own thread.
        var holders: [ObjectIdentifier: Int] = [:]

        mutating func hasRoom(for cost: Int) -> Bool { inUse == 0 || cost <= limit - inUse }

        mutating func leave(_ thread: ObjectIdentifier) {
            let depth = holders[thread, default: 1] - 1
            holders[thread] = depth > 0 ? depth : nil
        }

        mutating func take(_ cost: Int) {
            inUse += cost
            peak = max(peak, inUse)
        }

        mutating func admitNext() {
            while let next = waiters.first, hasRoom(for: next.cost) {
                waiters.removeFirst()
                take(next.cost)
                next.admitted.signal()
            }
        }
    }

    private let state: Locked<State>

    package init(limit: Int) { state = Locked(State(limit: max(1, limit))) }

    /// The largest number of pixels at the same time. Calls that were admitted under a higher limit continue.
    package var limit: Int {
        get { state.withLock { $0.limit } }
        set {
            state.withLock {
                $0.limit = max(1, newValue)
                $0.admitNext()
            }
        }
    }

    /// The highest number of pixels in use at the same time so far.
    package var peak: Int { state.withLock { $0.peak } }

    /// The number of calls in the queue.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// How often a call that waits asks whether it is still wanted.
    private static let pollInterval = DispatchTimeInterval.milliseconds(20)

    /// Runs the closure as soon as the budget has room for an image of this many pixels.
    ///
    /// A nested call from inside the closure, on the same thread, does not wait.
    ///
    /// - Parameter isCancelled: Asked from time to time while the call waits.
    /// - Returns: The result of the closure; nil if the call was cancelled before its turn.
    @discardableResult package func spend<Result>(
        pixels: Int, unless isCancelled: () -> Bool = { false }, _ body: () throws -> Result
    ) rethrows -> Result? {
        let cost = max(pixels, Self.leastCost)
        let thread = ObjectIdentifier(Thread.current)
        let waiter: Waiter? = state.withLock { state in
            let isNested = state.holders[thread] != nil
            state.holders[thread, default: 0] += 1
            guard !isNested, !state.waiters.isEmpty || !state.hasRoom(for: cost) else {
                state.take(cost)
                return nil
            }
            let waiter = Waiter(cost: cost)
            state.waiters.append(waiter)
            return waiter
        }
        if let waiter, !isAdmitted(waiter, unless: isCancelled) {
            state.withLock { $0.leave(thread) }
            return nil
        }
        defer {
            state.withLock { state in
                state.inUse -= cost
                state.leave(thread)
                state.admitNext()
            }
        }
        return try body()
    }

    /// Waits for a call's turn; false if it was cancelled before, and is no longer in the queue.
    private func isAdmitted(_ waiter: Waiter, unless isCancelled: () -> Bool) -> Bool {
        while waiter.admitted.wait(timeout: .now() + Self.pollInterval) == .timedOut {
            guard isCancelled() else { continue }
            let isRemoved = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return false }
                state.waiters.remove(at: index)
                // A large image that left may have kept smaller ones waiting.
                state.admitNext()
                return true
            }
            if isRemoved { return false }
            // Its turn came meanwhile.
            waiter.admitted.wait()
            return true
        }
        return true
    }
}
