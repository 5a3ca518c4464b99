import Foundation

/// The name of a point that a request recognises, such as a joint of a body.
public struct VNRecognizedPointKey: RawRepresentable, Hashable, Sendable {
    /// The text of the name.
    public let rawValue: String

    /// Creates a name from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of a group of points, such as an arm.
public struct VNRecognizedPointGroupKey: RawRepresentable, Hashable, Sendable {
    /// The text of the name.
    public let rawValue: String

    /// Creates a name from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All points of an observation.
    public static let all = VNRecognizedPointGroupKey(rawValue: "VNIPOAll")
}

/// A point with a name. Its coordinates are normalised to the request's region of interest, origin at the lower left;
/// they may lie outside of it. Immutable.
open class VNRecognizedPoint: VNDetectedPoint, @unchecked Sendable {
    /// The name of the point.
    public final let identifier: VNRecognizedPointKey

    init(identifier: VNRecognizedPointKey, x: Double, y: Double, confidence: VNConfidence) {
        self.identifier = identifier
        super.init(x: x, y: y, confidence: confidence)
    }

    /// Points are equal if their names, coordinates and confidences are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNRecognizedPoint else { return false }
        return super.isEqual(object) && identifier == other.identifier
    }

    open override var description: String { "\(identifier.rawValue) \(super.description)" }

    /// Reads an archived point; nil if a value is missing.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
        identifier = VNRecognizedPointKey(rawValue: text as String)
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(identifier.rawValue as NSString, forKey: "identifier")
    }
}
