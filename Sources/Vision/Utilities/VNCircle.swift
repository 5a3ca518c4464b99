import Foundation
import VisionImage

/// A circle, usually in normalised coordinates with the origin at the lower left. Immutable.
open class VNCircle: NSObject, NSCopying, NSSecureCoding {
    /// The centre.
    public let center: VNPoint
    /// The distance of the circumference from the centre.
    public let radius: Double

    /// The circle about (0, 0) with radius 0.
    open class var zero: VNCircle { VNCircle(center: .zero, radius: 0) }

    /// Twice the radius.
    open var diameter: Double { radius * 2 }

    /// Creates a circle from its centre and radius.
    public init(center: VNPoint, radius: Double) {
        (self.center, self.radius) = (center, radius)
        super.init()
    }

    /// Creates a circle from its centre and diameter.
    public convenience init(center: VNPoint, diameter: Double) { self.init(center: center, radius: diameter / 2) }

    /// Returns whether a point lies in the circle or on its circumference.
    open func contains(_ point: VNPoint) -> Bool { center.distance(point) <= radius }

    /// Returns whether a point lies in the ring of the given width about the circumference, half of it on either side.
    open func contains(_ point: VNPoint, inCircumferentialRingOfWidth ringWidth: Double) -> Bool {
        abs(center.distance(point) - radius) <= ringWidth / 2
    }

    // MARK: - NSObject

    /// Circles are equal if their centres and radii are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNCircle else { return false }
        return center.isEqual(other.center) && radius == other.radius
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(center)
        hasher.combine(radius)
        return hasher.finalize()
    }

    open override var description: String { "center \(center), radius \(radius)" }

    /// Returns the circle itself, which cannot change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - NSSecureCoding

    /// Secure coding is supported.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived circle; nil if a value is missing.
    public required init?(coder: NSCoder) {
        guard let center = VNPoint(coder: coder), coder.containsValue(forKey: "radius") else { return nil }
        self.center = center
        radius = coder.decodeDouble(forKey: "radius")
        super.init()
    }

    /// Encodes the values for `init(coder:)`.
    open func encode(with coder: NSCoder) {
        center.encode(with: coder)
        coder.encode(radius, forKey: "radius")
    }
}

// Immutable.
extension VNCircle: @unchecked Sendable {}
