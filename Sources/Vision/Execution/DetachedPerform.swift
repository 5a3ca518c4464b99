import VisionImage
import VisionThreads

/// A perform on a thread of the package's pool, which waits for its turn in the limit of pixels in flight without a
/// thread.
package final class DetachedPerform: Sendable {
    private struct State {
        var isCancelled = false
        var waiting: (reservation: PixelBudget.Reservation, body: @Sendable () -> Void)?
    }

    private let state = Locked(State())

    package init() {}

    /// Starts the perform.
    ///
    /// - Parameters:
    ///   - pixels: Returns the number of pixels of the image; called on a thread of the pool, because it may read a
    ///     file.
    ///   - body: Performs the requests; called once, on a thread of the pool.
    package func start(pixels: @escaping @Sendable () -> Int, _ body: @escaping @Sendable () -> Void) {
        ThreadPool.shared.start { [self] in
            let (reservation, isGranted) = PixelBudget.shared.reserve(pixels: pixels()) { [self] reservation in
                state.withLock { $0.waiting = nil }
                ThreadPool.shared.start { reservation.use(body) }
            }
            if isGranted { return reservation.use(body) }
            let isCancelled = state.withLock { state in
                state.waiting = (reservation, body)
                return state.isCancelled
            }
            if isCancelled { cancel() }
        }
    }

    /// Announces a perform of these requests, which `VNRequest.cancel()` then has an effect on.
    package func announce(_ requests: [VNRequest]) -> Announcement {
        Announcement(performs: requests.map { ($0.activity, $0.activity.announce()) })
    }

    /// Performs that count before they begin.
    package struct Announcement: Sendable {
        fileprivate let performs: [(RequestActivity, Cancellation)]

        /// Withdraws what has not begun, because a handler left requests out.
        package func withdraw() { for (activity, perform) in performs { activity.withdraw(perform) } }
    }

    /// Lets a perform that waits run at once. Its requests have to be cancelled before: it computes nothing.
    package func cancel() {
        let waiting = state.withLock { state in
            state.isCancelled = true
            defer { state.waiting = nil }
            return state.waiting
        }
        guard let waiting, waiting.reservation.cancel() else { return }
        ThreadPool.shared.start { waiting.body() }
    }
}
