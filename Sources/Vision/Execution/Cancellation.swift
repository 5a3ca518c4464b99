import VisionImage
import VisionThreads

/// Says whether one perform of one request was cancelled.
final class Cancellation: Sendable {
    private let cancelled = Locked(false)

    var isCancelled: Bool { cancelled.current }

    func cancel() { cancelled.current = true }

    /// Long work calls this between its steps.
    func check() throws {
        if isCancelled { throw Self.error() }
    }

    static func error() -> NSError { visionError(.requestCancelled, "The request was cancelled.") }
}
