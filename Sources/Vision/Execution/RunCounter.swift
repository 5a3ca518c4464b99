import VisionThreads

/// The number of network runs of a handler.
final class RunCounter: Sendable {
    private let runs = Locked(0)

    var current: Int { runs.current }

    func count() { runs.withLock { $0 += 1 } }
}
