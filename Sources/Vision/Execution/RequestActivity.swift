import VisionThreads

/// The state of a request that several threads access: its results and the running performs.
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

    /// Ends a perform: stores its outcome in the request, unless the perform was cancelled in the meantime.
    ///
    /// - Returns: The error for the completion handler and the caller of `perform`.
    func end(_ perform: Cancellation, outcome: RequestOutcome, name: @autoclosure () -> String) -> NSError? {
        // Under the lock: a `cancel()` that returned before takes effect, a later one does not.
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

/// The outcome of one request in one perform.
typealias RequestOutcome = Result<[VNObservation], NSError>
