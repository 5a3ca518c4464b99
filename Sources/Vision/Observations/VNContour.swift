public import Foundation
import VisionAlgorithms
public import VisionImage

/// A closed contour in an image: the border of a region or of a hole in it. Immutable.
///
/// Its points are the centres of the region's pixels along the border, each next to the one before, and the last one
/// next to the first. A polygon approximation has only some of them. Coordinates are normalised to the region of
/// interest, rounded to whole pixels, origin at the lower left.
open class VNContour: NSObject, NSCopying, VNRequestRevisionProviding, @unchecked Sendable {
    // Unchecked because NSObject's subclasses cannot be checked: every stored property is a `let` of a Sendable type.
    private let tree: ContourTree
    /// The number of the contour in the tree.
    private let index: Int
    /// The indices of the points that a polygon approximation has; nil for all.
    private let corners: [Int]?

    /// The revision of the request that found the contour.
    open private(set) var requestRevision: Int

    init(_ tree: ContourTree, index: Int, requestRevision: Int, corners: [Int]? = nil) {
        (self.tree, self.index, self.requestRevision, self.corners) = (tree, index, requestRevision, corners)
        super.init()
    }

    /// The position of the contour in the tree of contours: the number of the top-level contour, that of its child, and
    /// so on.
    open var indexPath: IndexPath { IndexPath(indexes: tree.path(to: index)) }

    // MARK: - Children

    /// The number of contours directly within this one: the holes of a region, or the regions in a hole.
    open var childContourCount: Int { tree.childCount(of: index) }

    /// The contours directly within this one.
    open var childContours: [VNContour] {
        (0..<childContourCount).map {
            VNContour(tree, index: tree.child($0, of: index), requestRevision: requestRevision)
        }
    }

    /// Returns one of the contours directly within this one.
    ///
    /// - Throws: `invalidArgument` if there is no child of that number.
    open func childContour(at childContourIndex: Int) throws -> VNContour {
        guard (0..<childContourCount).contains(childContourIndex) else {
            throw visionError(
                .invalidArgument, "There is no child contour \(childContourIndex): there are \(childContourCount).")
        }
        return VNContour(tree, index: tree.child(childContourIndex, of: index), requestRevision: requestRevision)
    }

    // MARK: - Points

    /// The number of points.
    open var pointCount: Int { corners?.count ?? tree.pointCount(of: index) }

    /// The points in order, normalised. Each call makes the array anew.
    ///
    /// The border of a region runs counter-clockwise, that of a hole clockwise.
    open var normalizedPoints: [simd_float2] {
        let (width, height) = (Float(tree.width), Float(tree.height))
        let points = tree.points(of: index).map { x, y in
            simd_float2((Float(x) + 0.5) / width, 1 - (Float(y) + 0.5) / height)
        }
        return corners.map { $0.map { points[$0] } } ?? points
    }

    /// The contour as a closed path, normalised.
    open var normalizedPath: CGPath {
        var outline = PathOutline()
        outline.reserve(elements: pointCount + 1)
        append(to: &outline)
        return CGPath(outline)
    }

    /// Adds the contour to an outline. Whoever adds many reserves memory for all of them.
    func append(to outline: inout PathOutline) {
        for (number, point) in normalizedPoints.enumerated() {
            let point = CGPoint(x: CGFloat(point.x), y: CGFloat(point.y))
            if number == 0 { outline.move(to: point) } else { outline.addLine(to: point) }
        }
        outline.close()
    }

    /// The width of the image, or of the region of interest, divided by its height.
    open var aspectRatio: Float { Float(tree.aspectRatio) }

    /// Returns the contour with fewer points, as a polygon (Ramer, Douglas and Peucker). Its children are those of the
    /// contour.
    ///
    /// - Parameter epsilon: How far points may be from the polygon, in normalised coordinates; 0 or more. Only points
    ///   that are farther than this from it are kept.
    /// - Throws: `invalidArgument` if `epsilon` is negative or not a number.
    open func polygonApproximation(epsilon: Float) throws -> VNContour {
        guard epsilon >= 0 else {
            throw visionError(.invalidArgument, "epsilon is \(epsilon); it must be 0 or more.")
        }
        let kept = Polygons.simplified(normalizedPoints, epsilon: epsilon)
        return VNContour(
            tree, index: index, requestRevision: requestRevision,
            corners: corners.map { old in kept.map { old[$0] } } ?? kept)
    }

    /// The points with the same unit along both axes, the height of the image.
    var squarePoints: [SIMD2<Double>] {
        let scale = tree.aspectRatio
        return normalizedPoints.map { SIMD2(Double($0.x) * scale, Double($0.y)) }
    }

    // MARK: - NSObject

    /// Returns the contour itself, which cannot change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is a contour with the same position in its tree and the same points.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNContour else { return false }
        if tree === other.tree, index == other.index, corners == other.corners { return true }
        return requestRevision == other.requestRevision && indexPath == other.indexPath
            && normalizedPoints == other.normalizedPoints
    }

    open override var hash: Int { indexPath.hashValue ^ pointCount }

    /// The index path, and the number of points and children.
    open override var description: String {
        "<VNContour> \(indexPath.map(String.init).joined(separator: ".")) points=\(pointCount) "
            + "children=\(childContourCount)"
    }
}
