import VisionThreads

/// The state of a request that several threads access: its results and the running performs.
final class RequestActivity: Sendable {
    private struct State: Sendable {
        var results: [VNObservation]?
        var performs: [Cancellation] = []
        /// Performs that count already and have not begun.
        var announced: [Cancellation] = []
    }
    private let state = Locked(State())

    var results: [VNObservation]? { state.current.results }

    /// Announces a perform: `cancel()` has an effect on it from now on.
    func announce() -> Cancellation {
        let perform = Cancellation()
        state.withLock { state in
            state.performs.append(perform)
            state.announced.append(perform)
        }
        return perform
    }

    /// Takes an announcement back, if the perform has not begun.
    func withdraw(_ perform: Cancellation) {
        state.withLock { state in
            guard let index = state.announced.firstIndex(where: { $0 === perform }) else { return }
            state.announced.remove(at: index)
            state.performs.removeAll { $0 === perform }
        }
    }

    /// Begins a perform: the one that was announced first, or a new one.
    func begin() -> Cancellation {
        state.withLock { state in
            if !state.announced.isEmpty { return state.announced.removeFirst() }
            let perform = Cancellation()
            state.performs.append(perform)
            return perform
        }
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
