import CVisionKernels

/// Waiting awake for what other threads are about to do: falling asleep and waking up again takes some 50 µs each.
package enum Awake {
    /// So long it is worth it.
    package static let patience = Duration.microseconds(100)

    /// With one processor nothing happens while this thread is awake.
    private static let isOfUse = Processors.count > 1

    /// Waits a moment until something is so.
    ///
    /// - Parameters:
    ///   - patience: How long.
    ///   - isDone: Asked again and again.
    /// - Returns: Whether it is so; otherwise it is time to sleep.
    package static func wait(for patience: Duration = patience, until isDone: () -> Bool) -> Bool {
        if isDone() { return true }
        guard isOfUse else { return false }
        let end = ContinuousClock.now + patience
        repeat {
            for _ in 0..<16 {
                if isDone() { return true }
                cvk_pause()
            }
        } while ContinuousClock.now < end
        return false
    }
}
