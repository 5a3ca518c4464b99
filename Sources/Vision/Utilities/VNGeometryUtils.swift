public import Foundation
import VisionAlgorithms
public import VisionImage

/// Circles around contours, and their areas and lengths.
///
/// Contours are measured with the same unit along both axes, which is the height of the image: horizontal normalised
/// coordinates are multiplied by the contour's `aspectRatio`.
open class VNGeometryUtils: NSObject {
    /// Returns the smallest circle around a contour, in units of the height of the image.
    open class func boundingCircle(for contour: VNContour) throws -> VNCircle {
        try boundingCircle(around: contour.squarePoints)
    }

    /// Returns the smallest circle around points, which have the same unit along both axes.
    ///
    /// - Throws: `invalidArgument` without points, or if one is not finite.
    open class func boundingCircle(for points: [VNPoint]) throws -> VNCircle {
        try boundingCircle(around: points.map { SIMD2($0.x, $0.y) })
    }

    /// Returns the smallest circle around points, which have the same unit along both axes.
    ///
    /// - Parameters:
    ///   - points: At least `pointCount` points.
    ///   - pointCount: The number of points.
    /// - Throws: `invalidArgument` without points, or if one is not finite.
    open class func boundingCircle(
        forSIMDPoints points: UnsafePointer<simd_float2>, pointCount: Int
    ) throws -> VNCircle {
        try boundingCircle(around: (0..<max(0, pointCount)).map { SIMD2(Double(points[$0].x), Double(points[$0].y)) })
    }

    private class func boundingCircle(around points: [SIMD2<Double>]) throws -> VNCircle {
        guard !points.isEmpty else {
            throw visionError(.invalidArgument, "There are no points to find a circle around.")
        }
        guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
            throw visionError(.invalidArgument, "A point to find a circle around has a coordinate that is not finite.")
        }
        let circle = Polygons.boundingCircle(points)
        return VNCircle(center: VNPoint(x: circle.center.x, y: circle.center.y), radius: circle.radius)
    }

    /// Computes the area within a contour, in squares of the height of the image. Of a contour that crosses itself it
    /// means little.
    ///
    /// - Parameters:
    ///   - area: Gets the area.
    ///   - contour: The contour.
    ///   - orientedArea: Whether the area is negative if the points run clockwise; otherwise it is never negative.
    open class func calculateArea(
        _ area: UnsafeMutablePointer<Double>, for contour: VNContour, orientedArea: Bool
    ) throws {
        let oriented = Polygons.doubledArea(contour.squarePoints) / 2
        area.pointee = orientedArea ? oriented : abs(oriented)
    }

    /// Computes the length of a contour, from its last point back to the first included, in heights of the image.
    ///
    /// - Parameters:
    ///   - perimeter: Gets the length.
    ///   - contour: The contour.
    open class func calculatePerimeter(
        _ perimeter: UnsafeMutablePointer<Double>, for contour: VNContour
    ) throws {
        perimeter.pointee = Polygons.perimeter(contour.squarePoints)
    }
}
