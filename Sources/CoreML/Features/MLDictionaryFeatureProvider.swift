/// Features in a dictionary.
public final class MLDictionaryFeatureProvider: NSObject, MLFeatureProvider, @unchecked Sendable {
    // Unchecked because of NSObject: all properties are immutable.

    /// The features by name.
    public let dictionary: [String: MLFeatureValue]

    /// Creates a provider of features by name.
    ///
    /// - Parameter dictionary: Each value is an `MLFeatureValue`, or a value that one can be created from: an integer,
    ///   a floating-point number, a string, an `MLMultiArray`, a `CVPixelBuffer`, an `MLSequence`, or a dictionary of
    ///   numbers by string or by integer.
    /// - Throws: `MLModelError.featureType` for any other value.
    public init(dictionary: [String: Any]) throws {
        self.dictionary = try Dictionary(
            uniqueKeysWithValues: dictionary.map { name, value in (name, try MLFeatureValue(any: value, name: name)) })
        super.init()
    }

    init(features: [String: MLFeatureValue]) {
        dictionary = features
        super.init()
    }

    /// The names of the features.
    public var featureNames: Set<String> { Set(dictionary.keys) }

    /// The feature of that name; nil if there is none.
    public func featureValue(for featureName: String) -> MLFeatureValue? { dictionary[featureName] }

    /// Returns the feature of that name; nil if there is none.
    public subscript(featureName: String) -> MLFeatureValue? { dictionary[featureName] }

    /// The features by name.
    public override var description: String { "\(dictionary)" }
}

extension MLFeatureValue {
    /// Creates a feature from a value in a user's dictionary.
    fileprivate convenience init(any value: Any, name: String) throws {
        // A cast to Double would accept any NSNumber, including integers.
        if Swift.type(of: value) is NSNumber.Type, let number = value as? NSNumber {
            self.init(number: number)
            return
        }
        switch value {
        case let value as MLFeatureValue: self.init(value.content)
        case let value as MLMultiArray: self.init(multiArray: value)
        case let value as CVPixelBuffer: self.init(pixelBuffer: value)
        case let value as MLSequence: self.init(sequence: value)
        case let value as String: self.init(string: value)
        case let value as Double: self.init(double: value)
        case let value as Float: self.init(double: Double(value))
        case let value as any BinaryInteger: self.init(int64: Int64(clamping: value))
        case let value as [AnyHashable: Any]: try self.init(dictionary: value)
        default:
            throw MLModelError(
                .featureType, "The feature \(name) cannot be made of a value of the type \(Swift.type(of: value)).")
        }
    }

    private convenience init(number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self.init(double: number.doubleValue)
        default: self.init(int64: number.int64Value)
        }
    }
}
