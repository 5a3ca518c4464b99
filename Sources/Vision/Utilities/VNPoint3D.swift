import Foundation
import VisionImage

/// A position and an orientation in space, as a matrix of an affine transformation. Immutable.
open class VNPoint3D: NSObject, NSCopying, NSSecureCoding {
    /// The transformation; its last column is the position, in metres.
    public final let position: simd_float4x4

    /// Creates a point from its transformation.
    public init(position: simd_float4x4) {
        self.position = position
        super.init()
    }

    /// Points are equal if their transformations and classes are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNPoint3D, type(of: self) == type(of: other) else { return false }
        return position == other.position
    }

    open override var hash: Int { position.hashValue }

    open override var description: String {
        let place = position.columns.3
        return "[\(place.x); \(place.y); \(place.z)]"
    }

    /// Returns the point itself, which cannot change.
    public final func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - NSSecureCoding

    /// Points support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an archived point; nil if a number is missing.
    public required init?(coder: NSCoder) {
        guard let matrix = Self.matrix("position", of: coder) else { return nil }
        position = matrix
        super.init()
    }

    /// Writes the numbers for `init(coder:)`.
    open func encode(with coder: NSCoder) { Self.encode(position, "position", with: coder) }

    /// The key of an entry: columns first.
    private static func key(_ name: String, _ index: Int) -> String { "\(name).\(index / 4).\(index % 4)" }

    static func encode(_ matrix: simd_float4x4, _ name: String, with coder: NSCoder) {
        for index in 0..<16 { coder.encode(matrix[index / 4, index % 4], forKey: key(name, index)) }
    }

    /// Returns a matrix; nil if one of its entries is missing.
    static func matrix(_ name: String, of coder: NSCoder) -> simd_float4x4? {
        guard (0..<16).allSatisfy({ coder.containsValue(forKey: key(name, $0)) }) else { return nil }
        var matrix = simd_float4x4()
        for index in 0..<16 { matrix[index / 4, index % 4] = coder.decodeFloat(forKey: key(name, index)) }
        return matrix
    }
}

// Immutable, and subclasses of this module only add constants.
extension VNPoint3D: @unchecked Sendable {}

/// A point in space with a name. Immutable.
open class VNRecognizedPoint3D: VNPoint3D, @unchecked Sendable {
    /// The name of the point.
    public final let identifier: VNRecognizedPointKey

    init(position: simd_float4x4, identifier: VNRecognizedPointKey) {
        self.identifier = identifier
        super.init(position: position)
    }

    /// Points are equal if their names and transformations are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNRecognizedPoint3D else { return false }
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

/// A joint of a body in space: `position` is relative to the root of the body. Immutable.
open class VNHumanBodyRecognizedPoint3D: VNRecognizedPoint3D, @unchecked Sendable {
    /// The position relative to the parent joint.
    public let localPosition: simd_float4x4
    /// The joint that this one is connected to, towards the root; that of the root is the root.
    public let parentJoint: VNHumanBodyPose3DObservation.JointName

    init(
        position: simd_float4x4, localPosition: simd_float4x4, identifier: VNRecognizedPointKey,
        parentJoint: VNHumanBodyPose3DObservation.JointName
    ) {
        self.localPosition = localPosition
        self.parentJoint = parentJoint
        super.init(position: position, identifier: identifier)
    }

    /// Points are equal if all their values are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNHumanBodyRecognizedPoint3D else { return false }
        return super.isEqual(object) && localPosition == other.localPosition && parentJoint == other.parentJoint
    }

    /// Reads an archived point; nil if a value is missing.
    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "parentJoint"),
            let local = Self.matrix("localPosition", of: coder)
        else { return nil }
        localPosition = local
        parentJoint = VNHumanBodyPose3DObservation.JointName(
            rawValue: VNRecognizedPointKey(rawValue: text as String))
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        Self.encode(localPosition, "localPosition", with: coder)
        coder.encode(parentJoint.rawValue.rawValue as NSString, forKey: "parentJoint")
    }
}
