import VisionThreads

/// The options for loading a model. May be used from several threads.
public final class MLModelConfiguration: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because of NSObject and `Any`: the values are behind a lock, and those of parameters are not used.

    private struct Values {
        var computeUnits = MLComputeUnits.all
        var allowsLowPrecision = false
        var displayName: String?
        var parameters: [MLParameterKey: Any]?
    }

    private let values: Locked<Values>

    /// The devices on which the model may run. Accepted; the CPU is the only device.
    public var computeUnits: MLComputeUnits {
        get { values.withLock { $0.computeUnits } }
        set { values.withLock { $0.computeUnits = newValue } }
    }

    /// Allows reduced precision on a GPU. Accepted; there is no GPU.
    public var allowLowPrecisionAccumulationOnGPU: Bool {
        get { values.withLock { $0.allowsLowPrecision } }
        set { values.withLock { $0.allowsLowPrecision = newValue } }
    }

    /// A name for the model in tools and messages.
    public var modelDisplayName: String? {
        get { values.withLock { $0.displayName } }
        set { values.withLock { $0.displayName = newValue } }
    }

    /// Values for parameters of the model. The models supported here have none: any entry makes loading fail with
    /// `MLModelError.parameters`.
    public var parameters: [MLParameterKey: Any]? {
        get { values.withLock { $0.parameters } }
        set { values.withLock { $0.parameters = newValue } }
    }

    /// Creates a configuration with the defaults.
    public override init() {
        values = Locked(Values())
        super.init()
    }

    private init(_ values: Values) {
        self.values = Locked(values)
        super.init()
    }

    /// Returns a configuration with the same values.
    public func copy(with zone: NSZone? = nil) -> Any { independentCopy() }

    func independentCopy() -> MLModelConfiguration { MLModelConfiguration(values.current) }
}
