public import Foundation

/// A list of numbers as a value of a filter: a point, a rectangle, or coefficients. Two vectors with the same numbers
/// are equal.
public final class CIVector: NSObject, NSCopying, Sendable {
    private let values: [CGFloat]

    /// Creates a vector of these numbers.
    public init(_ values: [CGFloat]) { self.values = values }

    /// Creates a vector of the first `count` numbers.
    ///
    /// - Parameter values: The address of at least `count` numbers.
    public convenience init(values: UnsafePointer<CGFloat>, count: Int) {
        self.init(Array(UnsafeBufferPointer(start: values, count: max(0, count))))
    }

    /// Creates a vector of one number.
    public convenience init(x: CGFloat) { self.init([x]) }
    /// Creates a vector of two numbers.
    public convenience init(x: CGFloat, y: CGFloat) { self.init([x, y]) }
    /// Creates a vector of three numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat) { self.init([x, y, z]) }
    /// Creates a vector of four numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) { self.init([x, y, z, w]) }
    /// Creates a vector of a point's coordinates.
    public convenience init(cgPoint point: CGPoint) { self.init([point.x, point.y]) }
    /// Creates a vector of a rectangle's origin, width and height.
    public convenience init(cgRect rect: CGRect) {
        self.init([rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
    }
    /// Creates a vector of a transform: a, b, c, d, tx, ty.
    public convenience init(cgAffineTransform transform: CGAffineTransform) {
        self.init([transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty])
    }

    /// Creates a vector from a text such as `[1 0 0.5]`. What is no number counts as 0.
    public convenience init(string: String) {
        let parts = string.split { "[] ,".contains($0) }
        self.init(parts.prefix(256).map { CGFloat(Double($0) ?? 0) })
    }

    /// The number of numbers.
    public var count: Int { values.count }
    /// Returns a number; 0 beyond the end.
    public func value(at index: Int) -> CGFloat { values.indices.contains(index) ? values[index] : 0 }
    /// The first number, or 0.
    public var x: CGFloat { value(at: 0) }
    /// The second number, or 0.
    public var y: CGFloat { value(at: 1) }
    /// The third number, or 0.
    public var z: CGFloat { value(at: 2) }
    /// The fourth number, or 0.
    public var w: CGFloat { value(at: 3) }
    /// The first two numbers as a point.
    public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }
    /// The first four numbers as a rectangle.
    public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }
    /// The first six numbers as a transform.
    public var cgAffineTransformValue: CGAffineTransform {
        CGAffineTransform(a: x, b: y, c: z, d: w, tx: value(at: 4), ty: value(at: 5))
    }
    /// The numbers as a text that `init(string:)` reads.
    public var stringRepresentation: String { "[" + values.map { "\(Double($0))" }.joined(separator: " ") + "]" }
    /// The numbers as text.
    public override var description: String { stringRepresentation }

    /// Returns the vector itself, which cannot change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
    /// Whether the other is a vector with the same numbers.
    public override func isEqual(_ object: Any?) -> Bool { (object as? CIVector)?.values == values }
    /// Equal vectors have equal hashes.
    public override var hash: Int { values.hashValue }
}
