/// A feature that may pass to other threads and tasks: a `MLFeatureValue` whose array, if it has one, is a copy.
public struct MLSendableFeatureValue: Hashable, Sendable, CustomStringConvertible {
    /// Never changed, and its array belongs to this value alone.
    private let value: MLFeatureValue

    /// Creates an integer feature.
    public init(_ value: Int) { self.value = MLFeatureValue(int64: Int64(value)) }

    /// Creates a floating-point feature.
    public init(_ value: Double) { self.value = MLFeatureValue(double: value) }

    /// Creates a floating-point feature.
    public init(_ value: Float) { self.init(Double(value)) }

    /// Creates a string feature.
    public init(_ value: String) { self.value = MLFeatureValue(string: value) }

    /// Creates an array feature with a copy of the array.
    public init<Scalar: MLShapedArrayScalar>(_ value: MLShapedArray<Scalar>) {
        self.value = MLFeatureValue(multiArray: MLMultiArray(value))
    }

    /// Creates a feature of that type without a value.
    public init(undefined type: MLFeatureType) { value = MLFeatureValue(undefined: type) }

    /// Creates a feature from one of any type. Arrays are copied; images must not be written to any more.
    public init(_ value: MLFeatureValue) {
        let copy = value.multiArrayValue.flatMap {
            MLMultiArray(lengths: $0.layout.shape, dataType: $0.dataType, packedData: $0.packedData)
        }
        self.value = copy.map(MLFeatureValue.init(multiArray:)) ?? value
    }

    /// The type of the feature, even without a value.
    public var type: MLFeatureType { value.type }

    /// Whether the feature has no value.
    public var isUndefined: Bool { value.isUndefined }

    /// Whether the feature is a number or a string.
    public var isScalar: Bool { [.int64, .double, .string].contains(type) }

    /// Whether the feature is an array.
    public var isShapedArray: Bool { type == .multiArray }

    /// The integer; nil for features of other types.
    public var integerValue: Int? { defined(.int64) { Int($0.int64Value) } }

    /// The floating-point number; nil for features of other types.
    public var doubleValue: Double? { defined(.double) { $0.doubleValue } }

    /// The floating-point number; nil for features of other types.
    public var floatValue: Float? { doubleValue.map { Float($0) } }

    /// The string; nil for features of other types.
    public var stringValue: String? { defined(.string) { $0.stringValue } }

    /// The strings of a sequence; nil for features of other types.
    public var stringArrayValue: [String]? {
        defined(.sequence) { $0.sequenceValue.flatMap { $0.type == .string ? $0.stringValues : nil } } ?? nil
    }

    /// The integers of a sequence; nil for features of other types.
    public var integerArrayValue: [Int]? {
        defined(.sequence) { $0.sequenceValue.flatMap { $0.type == .int64 ? $0.int64Values.map(\.intValue) : nil } }
            ?? nil
    }

    /// The numbers of a dictionary by string; nil for features of other types.
    public var stringDictionaryValue: [String: NSNumber]? {
        defined(.dictionary) { value in
            let entries = value.dictionaryValue.compactMap { key, number in
                (key.base as? String).map { ($0, number) }
            }
            return entries.count == value.dictionaryValue.count ? Dictionary(uniqueKeysWithValues: entries) : nil
        } ?? nil
    }

    /// Returns the array; nil for features of other types and arrays of other scalars.
    public func shapedArrayValue<Scalar: MLShapedArrayScalar>(of type: Scalar.Type) -> MLShapedArray<Scalar>? {
        guard let array = value.multiArrayValue, array.dataType == Scalar.multiArrayDataType else { return nil }
        return MLShapedArray<Scalar>(array)
    }

    /// A text for logs.
    public var description: String { "\(value)" }

    fileprivate var feature: MLFeatureValue { value }

    private func defined<Value>(_ type: MLFeatureType, _ get: (MLFeatureValue) -> Value) -> Value? {
        value.type == type && !value.isUndefined ? get(value) : nil
    }
}

extension MLFeatureValue {
    /// Creates a feature from one that passes between threads.
    public convenience init(_ value: MLSendableFeatureValue) { self.init(value.feature.content) }
}
