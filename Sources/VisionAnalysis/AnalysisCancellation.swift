import Vision
import VisionThreads

/// Cancels the requests of an analysis from another thread.
package final class AnalysisCancellation: Sendable {
    private struct State: @unchecked Sendable {
        // Unchecked: of the requests only `cancel()` is called, which any thread may do.
        var isCancelled = false
        var requests: [VNRequest] = []
    }

    private let state = Locked(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the requests that are watched, and those that are watched later.
    package func cancel() {
        let requests = state.withLock { state in
            state.isCancelled = true
            return state.requests
        }
        for request in requests { request.cancel() }
    }

    /// Watches requests whose perform has begun, in place of those before.
    func watch(_ requests: [VNRequest]) {
        let isCancelled = state.withLock { state in
            state.requests = requests
            return state.isCancelled
        }
        if isCancelled { for request in requests { request.cancel() } }
    }

    func check() throws {
        if isCancelled { throw CancellationError() }
    }
}
