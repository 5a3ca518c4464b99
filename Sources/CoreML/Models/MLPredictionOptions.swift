/// How a prediction is made.
public final class MLPredictionOptions: NSObject {
    /// Keeps the work off the GPU. Accepted; the CPU is the only device there is.
    public var usesCPUOnly = false

    /// Options with the defaults.
    public override init() { super.init() }
}
