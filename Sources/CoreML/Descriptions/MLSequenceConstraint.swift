/// What a sequence feature holds.
public final class MLSequenceConstraint: NSObject, Sendable {
    /// What each value is.
    public let valueDescription: MLFeatureDescription
    /// How many values there may be.
    public let countRange: NSRange

    init(valueDescription: MLFeatureDescription, countRange: NSRange) {
        self.valueDescription = valueDescription
        self.countRange = countRange
        super.init()
    }
}
