/// How a model is loaded.
public final class MLModelConfiguration: NSObject, NSCopying {
    /// Where the model may run. Accepted; the CPU is the only device there is.
    public var computeUnits: MLComputeUnits = .all

    /// Lets a GPU calculate with fewer bits. Accepted; there is no GPU.
    public var allowLowPrecisionAccumulationOnGPU = false

    /// A name for the model in tools and messages.
    public var modelDisplayName: String?

    /// Values for parameters of the model. The models that load here have none: any entry makes loading fail with
    /// `MLModelError.parameters`.
    public var parameters: [MLParameterKey: Any]?

    /// A configuration with the defaults.
    public override init() { super.init() }

    /// A configuration with the same values.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = MLModelConfiguration()
        copy.computeUnits = computeUnits
        copy.allowLowPrecisionAccumulationOnGPU = allowLowPrecisionAccumulationOnGPU
        copy.modelDisplayName = modelDisplayName
        copy.parameters = parameters
        return copy
    }
}
