/// A point of an image in pixels: the origin is the outer corner of the top left pixel, x to the right, y down; the
/// first pixel's centre is at (0.5, 0.5).
package struct PlanarPoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package var isFinite: Bool { x.isFinite && y.isFinite }

    package func distance(to other: PlanarPoint) -> Double {
        let (dx, dy) = (x - other.x, y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }

    static func + (a: PlanarPoint, b: PlanarPoint) -> PlanarPoint { PlanarPoint(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: PlanarPoint, b: PlanarPoint) -> PlanarPoint { PlanarPoint(x: a.x - b.x, y: a.y - b.y) }

    /// Twice the area of the triangle between the origin, this point and another.
    func cross(_ other: PlanarPoint) -> Double { x * other.y - y * other.x }
}

/// The four corners of a planar object in an image, in order around it. The names refer to the object: its top left
/// corner may be anywhere in the image.
package struct PlanarQuad: Hashable, Sendable {
    package var topLeft: PlanarPoint
    package var topRight: PlanarPoint
    package var bottomRight: PlanarPoint
    package var bottomLeft: PlanarPoint

    package init(topLeft: PlanarPoint, topRight: PlanarPoint, bottomRight: PlanarPoint, bottomLeft: PlanarPoint) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    package var corners: [PlanarPoint] { [topLeft, topRight, bottomRight, bottomLeft] }

    package var isFinite: Bool { corners.allSatisfy(\.isFinite) }

    /// The area, negative when the corners go around anticlockwise as seen in the image.
    package var area: Double { (bottomRight - topLeft).cross(bottomLeft - topRight) / 2 }

    package var centre: PlanarPoint {
        PlanarPoint(
            x: (topLeft.x + topRight.x + bottomRight.x + bottomLeft.x) / 4,
            y: (topLeft.y + topRight.y + bottomRight.y + bottomLeft.y) / 4)
    }

    /// Whether the quad is strictly convex: no crossing sides, no reflex corner, no corner on the line between its
    /// neighbours.
    package var isConvex: Bool {
        let corners = corners
        let crossProducts = (0..<4).map { (index: Int) -> Double in
            let (corner, next) = (corners[(index + 1) % 4], corners[(index + 2) % 4])
            return (corner - corners[index]).cross(next - corner)
        }
        let size = abs(area)
        // A corner that is almost on the line between its neighbours does not determine a perspective.
        return size > 0
            && (crossProducts.allSatisfy { $0 > size * 0.02 } || crossProducts.allSatisfy { $0 < -size * 0.02 })
    }

    /// The mean lengths of the sides along the object's width and along its height.
    package var sides: (width: Double, height: Double) {
        (
            (topLeft.distance(to: topRight) + bottomLeft.distance(to: bottomRight)) / 2,
            (topLeft.distance(to: bottomLeft) + topRight.distance(to: bottomRight)) / 2
        )
    }

    /// Returns the greatest distance of a corner from its counterpart.
    package func largestDistance(to other: PlanarQuad) -> Double {
        zip(corners, other.corners).map { $0.distance(to: $1) }.max() ?? 0
    }
}
