import VisionImage
import VisionThreads

/// The part of a request that several threads may touch: its results, and the performs that are under way.
final class RequestActivity: Sendable {
    private struct State: Sendable {
        var results: [VNObservation]?
        var performs: [Cancellation] = []
    }
    private let state = Locked(State())

    var results: [VNObservation]? { state.current.results }

    func begin() -> Cancellation {
        let perform = Cancellation()
        state.withLock { $0.performs.append(perform) }
        return perform
    }

    /// Ends a perform: its outcome becomes the request's, unless the perform was cancelled in the meantime.
    ///
    /// - Returns: The error that the completion handler and the performer get.
    func end(_ perform: Cancellation, outcome: RequestOutcome, name: @autoclosure () -> String) -> NSError? {
        // Decided under the lock: a `cancel()` that returned before has its effect, a later one has none.
        let cancelled = state.withLock { state in
            state.performs.removeAll { $0 === perform }
            let cancelled = perform.isCancelled
            state.results = cancelled ? nil : try? outcome.get()
            return cancelled
        }
        if cancelled { return visionError(.requestCancelled, "request \(name()) was cancelled") }
        if case .failure(let error) = outcome { return error }
        return nil
    }

    func cancel() {
        state.withLock { $0.performs.forEach { $0.cancel() } }
    }
}

/// What came of one request in one perform.
typealias RequestOutcome = Result<[VNObservation], NSError>
