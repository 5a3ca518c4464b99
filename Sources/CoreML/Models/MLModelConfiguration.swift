/// The options for loading a model.
public final class MLModelConfiguration: NSObject, NSCopying {
    /// The devices on which the model may run. Accepted; the CPU is the only device.
    public var computeUnits: MLComputeUnits = .all

    /// Allows reduced precision on a GPU. Accepted; there is no GPU.
    public var allowLowPrecisionAccumulationOnGPU = false

    /// A name for the model in tools and messages.
    public var modelDisplayName: String?

    /// Values for parameters of the model. The models supported here have none: any entry makes loading fail with
    /// `MLModelError.parameters`.
    public var parameters: [MLParameterKey: Any]?

    /// Creates a configuration with the defaults.
    public override init() { super.init() }

    /// Returns a configuration with the same values.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = MLModelConfiguration()
        copy.computeUnits = computeUnits
        copy.allowLowPrecisionAccumulationOnGPU = allowLowPrecisionAccumulationOnGPU
        copy.modelDisplayName = modelDisplayName
        copy.parameters = parameters
        return copy
    }
}
