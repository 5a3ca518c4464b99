import VisionThreads

/// The options of a prediction. May be used from several threads.
public final class MLPredictionOptions: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject: the value is behind a lock.

    private let cpuOnly = Locked(false)

    /// Keeps the computation off the GPU. Accepted; the CPU is the only device.
    public var usesCPUOnly: Bool {
        get { cpuOnly.current }
        set { cpuOnly.current = newValue }
    }

    /// Creates options with the defaults.
    public override init() { super.init() }
}
