import VisionThreads

/// The options of a prediction. May be used from several threads.
public final class MLPredictionOptions: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject and `Any`: the values are behind locks; the arrays are not synchronised anyway.

    private let cpuOnly = Locked(false)
    private let backings = Locked<[String: Any]>([:])

    /// Keeps the computation off the GPU. Accepted; the CPU is the only device.
    public var usesCPUOnly: Bool {
        get { cpuOnly.current }
        set { cpuOnly.current = newValue }
    }

    /// The arrays, by the names of outputs, that get the numbers of these outputs: each an `MLMultiArray` of the
    /// output's shape and type. The prediction returns these arrays.
    public var outputBackings: [String: Any] {
        get { backings.current }
        set { backings.current = newValue }
    }

    /// Creates options with the defaults.
    public override init() { super.init() }
}
