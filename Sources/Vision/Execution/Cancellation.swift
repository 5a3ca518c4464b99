import VisionThreads

/// Whether one perform of one request was cancelled.
final class Cancellation: Sendable {
    private let cancelled = Locked(false)

    var isCancelled: Bool { cancelled.current }

    func cancel() { cancelled.current = true }

    /// Throws if the perform was cancelled. Long computations call this between their steps.
    func check() throws {
        if isCancelled { throw Self.error() }
    }

    static func error() -> NSError { visionError(.requestCancelled, "The request was cancelled.") }
}
