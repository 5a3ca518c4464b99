/// The values of a sequence feature.
public final class MLSequenceConstraint: NSObject, Sendable {
    /// The description of each value.
    public let valueDescription: MLFeatureDescription
    /// The range of the number of values.
    public let countRange: NSRange

    init(valueDescription: MLFeatureDescription, countRange: NSRange) {
        self.valueDescription = valueDescription
        self.countRange = countRange
        super.init()
    }
}
