import Foundation
import VisionImage

/// A vector in the plane. Immutable.
open class VNVector: NSObject, NSCopying, NSSecureCoding {
    /// The horizontal component.
    public let x: Double
    /// The vertical component.
    public let y: Double

    /// The vector (0, 0).
    open class var zero: VNVector { VNVector(xComponent: 0, yComponent: 0) }

    /// The length; the same as `length`.
    open var r: Double { length }
    /// The angle from the horizontal axis, counter-clockwise, in radians.
    open var theta: Double { atan2(y, x) }
    /// The Euclidean length.
    open var length: Double { hypot(x, y) }
    /// The square of the length.
    open var squaredLength: Double { x * x + y * y }

    /// Creates a vector from its components.
    public init(xComponent x: Double, yComponent y: Double) {
        (self.x, self.y) = (x, y)
        super.init()
    }

    /// Creates a vector from its length and its angle in radians.
    public convenience init(r: Double, theta: Double) {
        self.init(xComponent: r * cos(theta), yComponent: r * sin(theta))
    }

    /// Creates the vector that leads from `tail` to `head`.
    public convenience init(vectorHead head: VNPoint, tail: VNPoint) {
        self.init(xComponent: head.x - tail.x, yComponent: head.y - tail.y)
    }

    /// Creates the sum of two vectors.
    public convenience init(byAdding v1: VNVector, to v2: VNVector) {
        self.init(xComponent: v1.x + v2.x, yComponent: v1.y + v2.y)
    }

    /// Creates the difference `v2 - v1`.
    public convenience init(bySubtracting v1: VNVector, from v2: VNVector) {
        self.init(xComponent: v2.x - v1.x, yComponent: v2.y - v1.y)
    }

    /// Creates a vector scaled by a factor.
    public convenience init(byMultiplying vector: VNVector, byScalar scalar: Double) {
        self.init(xComponent: vector.x * scalar, yComponent: vector.y * scalar)
    }

    /// Returns the vector of length 1 with the same direction; the zero vector stays as it is.
    open class func unitVector(for vector: VNVector) -> VNVector {
        let length = vector.length
        return length > 0 ? VNVector(byMultiplying: vector, byScalar: 1 / length) : .zero
    }

    /// Returns the dot product of two vectors.
    open class func dotProduct(of v1: VNVector, vector v2: VNVector) -> Double { v1.x * v2.x + v1.y * v2.y }

    // MARK: - NSObject

    /// Vectors are equal if their components are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNVector else { return false }
        return x == other.x && y == other.y
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(x)
        hasher.combine(y)
        return hasher.finalize()
    }

    open override var description: String { "[\(x); \(y)]" }

    /// Returns the vector itself, which cannot change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - NSSecureCoding

    /// Secure coding is supported.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived vector; nil if a component is missing.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "x"), coder.containsValue(forKey: "y") else { return nil }
        x = coder.decodeDouble(forKey: "x")
        y = coder.decodeDouble(forKey: "y")
        super.init()
    }

    /// Encodes the values for `init(coder:)`.
    open func encode(with coder: NSCoder) {
        coder.encode(x, forKey: "x")
        coder.encode(y, forKey: "y")
    }
}

// Immutable.
extension VNVector: @unchecked Sendable {}
