/// A feature: a number, a string, an image, an array, a dictionary or a sequence. Immutable.
public final class MLFeatureValue: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because of NSObject: all properties are immutable, except for the contents of arrays and images, for
    // which their owner is responsible.

    enum Content: @unchecked Sendable {
        case int64(Int64)
        case double(Double)
        case string(String)
        case multiArray(MLMultiArray)
        case dictionary([AnyHashable: NSNumber])
        case image(CVPixelBuffer)
        case sequence(MLSequence)
        case undefined(MLFeatureType)
    }

    let content: Content

    init(_ content: Content) {
        self.content = content
        super.init()
    }

    /// Creates an integer feature.
    public convenience init(int64 value: Int64) { self.init(.int64(value)) }

    /// Creates a floating-point feature.
    public convenience init(double value: Double) { self.init(.double(value)) }

    /// Creates a string feature.
    public convenience init(string value: String) { self.init(.string(value)) }

    /// Creates an array feature. The array is not copied.
    public convenience init(multiArray value: MLMultiArray) { self.init(.multiArray(value)) }

    /// Creates an image feature. The buffer is not copied.
    public convenience init(pixelBuffer value: CVPixelBuffer) { self.init(.image(value)) }

    /// Creates a sequence feature.
    public convenience init(sequence: MLSequence) { self.init(.sequence(sequence)) }

    /// Creates a feature of that type without a value.
    public convenience init(undefined type: MLFeatureType) { self.init(.undefined(type)) }

    /// Creates a dictionary feature: numbers by string or by integer.
    ///
    /// - Parameter value: The keys must be all strings or all integers, the values numbers.
    /// - Throws: `MLModelError.featureType` for other keys or values.
    public convenience init(dictionary value: [AnyHashable: Any]) throws {
        let keys = value.keys.map(\.base)
        guard keys.allSatisfy({ $0 is String }) || keys.allSatisfy({ $0 is any BinaryInteger || $0 is NSNumber }) else {
            throw MLModelError(.featureType, "The keys of a dictionary feature must be all strings or all integers.")
        }
        self.init(
            .dictionary(
                try value.mapValues { value in
                    switch value {
                    case let value as NSNumber: value
                    case let value as Double: NSNumber(value: value)
                    case let value as Float: NSNumber(value: value)
                    case let value as any BinaryInteger: NSNumber(value: Int64(clamping: value))
                    default:
                        throw MLModelError(
                            .featureType,
                            "The values of a dictionary feature must be numbers, not \(Swift.type(of: value)).")
                    }
                }))
    }

    // MARK: - Values

    /// The type of the feature, even without a value.
    public var type: MLFeatureType {
        switch content {
        case .int64: .int64
        case .double: .double
        case .string: .string
        case .multiArray: .multiArray
        case .dictionary: .dictionary
        case .image: .image
        case .sequence: .sequence
        case .undefined(let type): type
        }
    }

    /// Whether the feature has no value.
    public var isUndefined: Bool { if case .undefined = content { true } else { false } }

    /// The integer; 0 for features of other types.
    public var int64Value: Int64 { if case .int64(let value) = content { value } else { 0 } }

    /// The floating-point number; 0 for features of other types.
    public var doubleValue: Double { if case .double(let value) = content { value } else { 0 } }

    /// The string; empty for features of other types.
    public var stringValue: String { if case .string(let value) = content { value } else { "" } }

    /// The array; nil for features of other types.
    public var multiArrayValue: MLMultiArray? { if case .multiArray(let value) = content { value } else { nil } }

    /// The dictionary; empty for features of other types.
    public var dictionaryValue: [AnyHashable: NSNumber] {
        if case .dictionary(let value) = content { value } else { [:] }
    }

    /// The image; nil for features of other types.
    public var imageBufferValue: CVPixelBuffer? { if case .image(let value) = content { value } else { nil } }

    /// The sequence; nil for features of other types.
    public var sequenceValue: MLSequence? { if case .sequence(let value) = content { value } else { nil } }

    // MARK: - Copies and equality

    /// Returns the feature itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether both have the same type and value. Images are equal if they have the same size, format and
    /// pixels.
    public func isEqual(to value: MLFeatureValue) -> Bool {
        switch (content, value.content) {
        case (.int64(let a), .int64(let b)): a == b
        case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
        case (.string(let a), .string(let b)): a == b
        case (.multiArray(let a), .multiArray(let b)): a.isEqual(b)
        case (.dictionary(let a), .dictionary(let b)): a == b
        case (.image(let a), .image(let b)): a === b || PackedImage(a) == PackedImage(b)
        case (.sequence(let a), .sequence(let b)): a.isEqual(b)
        case (.undefined(let a), .undefined(let b)): a == b
        default: false
        }
    }

    /// Returns whether the other object is an equal feature.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MLFeatureValue else { return false }
        return other === self || isEqual(to: other)
    }

    /// Equal features have equal hashes.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        switch content {
        case .int64(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .multiArray(let value): hasher.combine(value)
        case .sequence(let value): hasher.combine(value)
        default: break
        }
        return hasher.finalize()
    }

    /// The value.
    public override var description: String {
        switch content {
        case .int64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .multiArray(let value): value.description
        case .dictionary(let value): "\(value)"
        case .image(let value): "image \(value.width) × \(value.height)"
        case .sequence(let value): value.description
        case .undefined(let type): "undefined \(type)"
        }
    }

    // MARK: - Archives

    /// Features support secure coding.
    public static var supportsSecureCoding: Bool { true }

    /// Encodes the feature.
    public func encode(with coder: NSCoder) {
        guard let data = try? PropertyListEncoder().encode(FeatureArchive(self)) else { return }
        coder.encode(data as NSData, forKey: "MLFeatureValue")
    }

    /// Decodes a feature; nil if the archive holds none.
    public convenience init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding, let data = coder.decodeObject(of: NSData.self, forKey: "MLFeatureValue"),
            let archive = try? PropertyListDecoder().decode(FeatureArchive.self, from: data as Data),
            let content = archive.content
        else { return nil }
        self.init(content)
    }
}
