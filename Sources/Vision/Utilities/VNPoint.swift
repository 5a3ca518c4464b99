import Foundation
import VisionImage

/// A point, usually in normalised coordinates with the origin at the lower left. Immutable.
open class VNPoint: NSObject, NSCopying, NSSecureCoding {
    /// The horizontal coordinate.
    public final let x: Double
    /// The vertical coordinate, upwards.
    public final let y: Double

    /// The point (0, 0).
    open class var zero: VNPoint { VNPoint(x: 0, y: 0) }

    /// The position as a Core Graphics point.
    public final var location: CGPoint { CGPoint(x: x, y: y) }

    /// Creates a point from its coordinates.
    public init(x: Double, y: Double) {
        (self.x, self.y) = (x, y)
        super.init()
    }

    /// Creates a point from its position.
    public convenience init(location: CGPoint) { self.init(x: Double(location.x), y: Double(location.y)) }

    /// Returns the point that is a vector away from another one.
    open class func apply(_ vector: VNVector, to point: VNPoint) -> VNPoint {
        VNPoint(x: point.x + vector.x, y: point.y + vector.y)
    }

    /// Returns the Euclidean distance of two points.
    open class func distance(_ point1: VNPoint, _ point2: VNPoint) -> Double { point1.distance(point2) }

    /// Returns the Euclidean distance to another point.
    public final func distance(_ point: VNPoint) -> Double { hypot(point.x - x, point.y - y) }

    // MARK: - NSObject

    /// Points are equal if their coordinates and class are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNPoint, type(of: self) == type(of: other) else { return false }
        return x == other.x && y == other.y
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(x)
        hasher.combine(y)
        return hasher.finalize()
    }

    open override var description: String { "[\(x); \(y)]" }

    /// Returns the point itself, which cannot change.
    public final func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - NSSecureCoding

    /// Points support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an archived point; nil if a coordinate is missing.
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

// Immutable, and subclasses of this module only add constants.
extension VNPoint: @unchecked Sendable {}
