/// The options of a prediction.
public final class MLPredictionOptions: NSObject {
    /// Keeps the computation off the GPU. Accepted; the CPU is the only device.
    public var usesCPUOnly = false

    /// Creates options with the defaults.
    public override init() { super.init() }
}
