/// The description of an input or output of a model.
public final class MLFeatureDescription: NSObject, NSCopying, Sendable {
    enum Constraint: Sendable {
        case none
        case image(MLImageConstraint)
        case multiArray(MLMultiArrayConstraint)
        case dictionary(MLDictionaryConstraint)
        case sequence(MLSequenceConstraint)
    }

    /// The name of the feature.
    public let name: String
    /// The type of the feature.
    public let type: MLFeatureType
    /// Whether a prediction may leave it out.
    public let isOptional: Bool
    private let constraint: Constraint

    init(name: String, type: MLFeatureType, isOptional: Bool = false, constraint: Constraint = .none) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.constraint = constraint
        super.init()
    }

    /// The size and format of an image; nil for other features.
    public var imageConstraint: MLImageConstraint? { if case .image(let value) = constraint { value } else { nil } }

    /// The shape and type of an array; nil for other features.
    public var multiArrayConstraint: MLMultiArrayConstraint? {
        if case .multiArray(let value) = constraint { value } else { nil }
    }

    /// The keys of a dictionary; nil for other features.
    public var dictionaryConstraint: MLDictionaryConstraint? {
        if case .dictionary(let value) = constraint { value } else { nil }
    }

    /// The values of a sequence; nil for other features.
    public var sequenceConstraint: MLSequenceConstraint? {
        if case .sequence(let value) = constraint { value } else { nil }
    }

    /// Returns whether the value can be used for this feature: it has the type and, for an array, the shape. Images of
    /// any size and format and arrays of any type of numbers are converted. A feature without a value is allowed if it
    /// is optional.
    public func isAllowedValue(_ value: MLFeatureValue) -> Bool {
        if value.isUndefined { return isOptional }
        guard value.type == type else { return false }
        if case .multiArray(let constraint) = constraint, let array = value.multiArrayValue {
            return constraint.allows(array)
        }
        if case .dictionary(let constraint) = constraint {
            return value.dictionaryValue.keys.allSatisfy { ($0.base is String) == (constraint.keyType == .string) }
        }
        return true
    }

    /// Returns the description itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The name, type and constraint.
    public override var description: String {
        let details: String =
            switch constraint {
            case .none: ""
            case .image(let value): ", \(value)"
            case .multiArray(let value): ", \(value)"
            case .dictionary(let value): ", by \(value.keyType)"
            case .sequence(let value): ", of \(value.valueDescription.type)"
            }
        return "\(name): \(type)\(details)\(isOptional ? ", optional" : "")"
    }
}
