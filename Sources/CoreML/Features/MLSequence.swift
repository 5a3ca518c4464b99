/// A sequence of strings or of integers.
public final class MLSequence: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked because of NSObject: all properties are immutable.

    /// The type of the values: `.string` or `.int64`.
    public let type: MLFeatureType
    /// The strings; empty for integers.
    public let stringValues: [String]
    private let integers: [Int64]

    /// The integers; empty for strings.
    public var int64Values: [NSNumber] { integers.map { NSNumber(value: $0) } }

    private init(type: MLFeatureType, strings: [String], integers: [Int64]) {
        self.type = type
        stringValues = strings
        self.integers = integers
        super.init()
    }

    /// Creates an empty sequence.
    ///
    /// - Parameter type: `.string` or `.int64`; any other counts as `.invalid`.
    public convenience init(empty type: MLFeatureType) {
        self.init(type: type == .string || type == .int64 ? type : .invalid, strings: [], integers: [])
    }

    /// Creates a sequence of strings.
    public convenience init(strings stringValues: [String]) {
        self.init(type: .string, strings: stringValues, integers: [])
    }

    /// Creates a sequence of integers.
    public convenience init(int64s int64Values: [NSNumber]) {
        self.init(type: .int64, strings: [], integers: int64Values.map(\.int64Value))
    }

    /// Sequences support secure coding.
    public static var supportsSecureCoding: Bool { true }

    private struct Archive: Codable {
        let type: Int
        let strings: [String]
        let integers: [Int64]
    }

    /// Encodes the sequence.
    public func encode(with coder: NSCoder) {
        let archive = Archive(type: type.rawValue, strings: stringValues, integers: integers)
        guard let data = try? PropertyListEncoder().encode(archive) else { return }
        coder.encode(data as NSData, forKey: "MLSequence")
    }

    /// Decodes a sequence; nil if the archive holds none.
    public convenience init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding, let data = coder.decodeObject(of: NSData.self, forKey: "MLSequence"),
            let archive = try? PropertyListDecoder().decode(Archive.self, from: data as Data),
            let type = MLFeatureType(rawValue: archive.type)
        else { return nil }
        self.init(type: type, strings: archive.strings, integers: archive.integers)
    }

    /// Returns whether the other object is a sequence of the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MLSequence else { return false }
        return other.type == type && other.stringValues == stringValues && other.integers == integers
    }

    /// Equal sequences have equal hashes.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(stringValues)
        hasher.combine(integers)
        return hasher.finalize()
    }

    /// The values.
    public override var description: String { type == .string ? "\(stringValues)" : "\(integers)" }
}
