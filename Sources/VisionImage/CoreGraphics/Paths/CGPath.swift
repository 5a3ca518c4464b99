public import Foundation

/// The kinds of elements of a path.
public enum CGPathElementType: Int32, Sendable {
    /// Begins a subpath at a point.
    case moveToPoint = 0
    /// A straight line to a point.
    case addLineToPoint = 1
    /// A quadratic Bézier curve: its control point and its end.
    case addQuadCurveToPoint = 2
    /// A cubic Bézier curve: two control points and its end.
    case addCurveToPoint = 3
    /// A straight line to the start of the subpath.
    case closeSubpath = 4

    /// The number of points of such an element.
    package var pointCount: Int {
        switch self {
        case .moveToPoint, .addLineToPoint: 1
        case .addQuadCurveToPoint: 2
        case .addCurveToPoint: 3
        case .closeSubpath: 0
        }
    }
}

/// An element of a path: its kind and its points, which are valid during the call that gets the element.
public struct CGPathElement {
    /// The kind of element.
    public var type: CGPathElementType
    /// The points: one for a move or a line, two and three for curves (control points first), none for a closed
    /// subpath.
    public var points: UnsafeMutablePointer<CGPoint>

    /// Creates an element.
    public init(type: CGPathElementType, points: UnsafeMutablePointer<CGPoint>) {
        self.type = type
        self.points = points
    }
}

/// Called for each element of a path.
public typealias CGPathApplierFunction = (UnsafeMutableRawPointer?, UnsafePointer<CGPathElement>) -> Void

/// Called for each element of a path.
public typealias CGPathApplyBlock = (UnsafePointer<CGPathElement>) -> Void

/// How the inside of a path that crosses itself is defined.
public enum CGPathFillRule: Int, Sendable {
    /// Inside are points that the path winds around a number of times other than zero.
    case winding = 0
    /// Inside are points from which a ray crosses the path an odd number of times.
    case evenOdd = 1
}

/// Lines and curves: subpaths that each begin with a move. Immutable; `CGMutablePath` is built step by step.
public class CGPath {
    /// The elements in order. Every path begins with a move.
    package var outline: PathOutline

    package init(_ outline: PathOutline) { self.outline = outline }

    /// Creates an empty path.
    public init() { outline = PathOutline() }

    /// Creates the outline of a rectangle, counter-clockwise where y points up.
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        var outline = PathOutline()
        outline.addRect(rect, transform?.pointee ?? .identity)
        self.init(outline)
    }

    /// Creates the ellipse that touches the sides of a rectangle.
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        var outline = PathOutline()
        outline.addEllipse(in: rect, transform?.pointee ?? .identity)
        self.init(outline)
    }

    /// Creates a rectangle with rounded corners.
    ///
    /// - Parameters:
    ///   - cornerWidth: The horizontal radius of the corners, at most half of the width.
    ///   - cornerHeight: The vertical radius, at most half of the height.
    public convenience init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {
        var outline = PathOutline()
        outline.addRoundedRect(
            rect, cornerWidth: cornerWidth, cornerHeight: cornerHeight, transform?.pointee ?? .identity)
        self.init(outline)
    }

    // MARK: - Properties

    /// Whether the path has no elements.
    public var isEmpty: Bool { outline.types.isEmpty }

    /// The end of the last element; (0, 0) for an empty path.
    public var currentPoint: CGPoint { outline.current ?? .zero }

    /// The smallest rectangle around all points, the control points of curves included; `CGRect.null` if empty.
    public var boundingBox: CGRect { PathOutline.box(of: outline.points) }

    /// The smallest rectangle around the lines and curves themselves; `CGRect.null` if empty.
    public var boundingBoxOfPath: CGRect { PathOutline.box(of: outline.extremes()) }

    /// Returns whether the path is a rectangle with sides along the axes.
    ///
    /// - Parameter rect: Gets the rectangle, if there is one.
    public func isRect(_ rect: UnsafeMutablePointer<CGRect>?) -> Bool {
        guard let found = outline.rectangle() else { return false }
        rect?.pointee = found
        return true
    }

    /// Returns whether a point lies inside of the path. Open subpaths count as closed.
    ///
    /// - Parameters:
    ///   - point: The point.
    ///   - rule: What is inside where the path crosses itself.
    ///   - transform: Applied to the point before the test.
    public func contains(
        _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
    ) -> Bool {
        let winding = outline.winding(around: point.applying(transform))
        return rule == .winding ? winding.turns != 0 : winding.crossings % 2 != 0
    }

    // MARK: - Copies

    /// Returns an immutable copy.
    public func copy() -> CGPath? { CGPath(outline) }

    /// Returns an immutable copy with all points transformed.
    public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        CGPath(outline.applying(transform?.pointee ?? .identity))
    }

    /// Returns a copy that can be extended.
    public func mutableCopy() -> CGMutablePath? { CGMutablePath(outline) }

    /// Returns a copy that can be extended, with all points transformed.
    public func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
        CGMutablePath(outline.applying(transform?.pointee ?? .identity))
    }

    // MARK: - Elements

    /// Calls a function for each element, in order.
    public func apply(info: UnsafeMutableRawPointer?, function: CGPathApplierFunction) {
        applyWithBlock { function(info, $0) }
    }

    /// Calls a closure for each element, in order.
    public func applyWithBlock(_ block: CGPathApplyBlock) {
        withUnsafeTemporaryAllocation(of: CGPoint.self, capacity: 3) { points in
            points.initialize(repeating: .zero)
            guard let address = points.baseAddress else { return }
            outline.forEach { type, values in
                for (index, value) in values.enumerated() { points[index] = value }
                withUnsafePointer(to: CGPathElement(type: type, points: address), block)
            }
        }
    }
}

extension CGPath: Hashable {
    /// Whether both have the same elements with the same points.
    public static func == (left: CGPath, right: CGPath) -> Bool { left.outline == right.outline }

    /// Feeds the elements to the hasher.
    public func hash(into hasher: inout Hasher) { outline.hash(into: &hasher) }
}
