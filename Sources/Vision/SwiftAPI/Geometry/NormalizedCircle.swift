/// A circle in normalised coordinates.
public struct NormalizedCircle: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The centre.
    public let center: NormalizedPoint
    /// The distance of the circumference from the centre.
    public let radius: CGFloat

    /// The circle about the lower left corner with radius 0.
    public static var zero: NormalizedCircle { NormalizedCircle(center: .zero, radius: 0) }

    /// Creates a circle from its centre and radius.
    public init(center: NormalizedPoint, radius: CGFloat) { (self.center, self.radius) = (center, radius) }

    /// Returns whether a point lies in the circle or on its circumference.
    public func contains(_ point: NormalizedPoint) -> Bool { classic.contains(VNPoint(location: point.cgPoint)) }

    /// Returns whether a point lies in the ring of the given width about the circumference, half of it on either side.
    public func contains(_ point: NormalizedPoint, inCircumferentialRingOfWidth ringWidth: CGFloat) -> Bool {
        classic.contains(VNPoint(location: point.cgPoint), inCircumferentialRingOfWidth: Double(ringWidth))
    }

    /// Returns the smallest circle that holds all points; `zero` for none.
    public static func boundingCircle(for points: [NormalizedPoint]) -> NormalizedCircle {
        (try? VNGeometryUtils.boundingCircle(for: points.map { VNPoint(location: $0.cgPoint) }))
            .map { NormalizedCircle($0) } ?? .zero
    }

    init(_ circle: VNCircle) {
        self.init(center: NormalizedPoint(normalizedPoint: circle.center.location), radius: CGFloat(circle.radius))
    }

    private var classic: VNCircle {
        VNCircle(center: VNPoint(location: center.cgPoint), radius: Double(radius))
    }

    /// A text for logs.
    public var description: String { "center \(center), radius \(radius)" }
}
