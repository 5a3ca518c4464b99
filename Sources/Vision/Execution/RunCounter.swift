import VisionImage
import VisionThreads

/// How often networks were run for a handler.
final class RunCounter: Sendable {
    private let runs = Locked(0)

    var current: Int { runs.current }

    func count() { runs.withLock { $0 += 1 } }
}
