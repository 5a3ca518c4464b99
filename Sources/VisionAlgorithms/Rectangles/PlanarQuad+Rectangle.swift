import Foundation

extension PlanarQuad {
    /// The corners clockwise as seen in the image, starting with the one from which the quad extends most to the right.
    package var ordered: PlanarQuad {
        let corners = area < 0 ? [topLeft, bottomLeft, bottomRight, topRight] : self.corners
        func level(_ index: Int) -> Double {
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            let (c, d) = (corners[(index + 2) % 4], corners[(index + 3) % 4])
            // The mean direction of the side and its opposite.
            let (dx, dy) = (b.x - a.x + c.x - d.x, b.y - a.y + c.y - d.y)
            return dx / max((dx * dx + dy * dy).squareRoot(), 1e-9)
        }
        var (first, most) = (0, -2.0)
        for index in 0..<4 where level(index) > most + 1e-9 { (first, most) = (index, level(index)) }
        return PlanarQuad(
            topLeft: corners[first], topRight: corners[(first + 1) % 4], bottomRight: corners[(first + 2) % 4],
            bottomLeft: corners[(first + 3) % 4])
    }

    package func scaled(_ x: Double, _ y: Double) -> PlanarQuad {
        func scaled(_ point: PlanarPoint) -> PlanarPoint { PlanarPoint(x: point.x * x, y: point.y * y) }
        return PlanarQuad(
            topLeft: scaled(topLeft), topRight: scaled(topRight), bottomRight: scaled(bottomRight),
            bottomLeft: scaled(bottomLeft))
    }

    /// The largest deviation of a corner from a right angle in the image, in degrees.
    var largestDeviation: Double {
        let corners = corners
        return (0..<4).map { (index: Int) -> Double in
            let (d, e) = (corners[(index + 1) % 4] - corners[index], corners[(index + 3) % 4] - corners[index])
            let lengths = (d.x * d.x + d.y * d.y).squareRoot() * (e.x * e.x + e.y * e.y).squareRoot()
            let cosine = (d.x * e.x + d.y * e.y) / max(lengths, 1e-12)
            return abs(90 - acos(min(max(cosine, -1), 1)) / .pi * 180)
        }.max() ?? 90
    }

    /// Returns the aspect ratio (shorter to longer side) of the rectangle whose image this is.
    func aspectRatio(width: Double, height: Double) -> Double {
        let ratio = widthToHeight(width: width, height: height)
        return min(ratio, 1 / ratio)
    }

    /// Returns the ratio of the top and bottom sides to the left and right ones of the rectangle whose image this is.
    ///
    /// The optical axis is taken to pass through the image centre, and the field of view to be about 45 degrees across
    /// the longer side: between that of phones and that of longer lenses. If the sides do not converge, it is the ratio
    /// in the image. (Zhang and He, "Whiteboard scanning and image enhancement", 2007, with a given focal length.)
    func widthToHeight(width: Double, height: Double) -> Double {
        let focal = 1.2 * max(width, height)
        func ratio(_ a: Double, _ b: Double) -> Double { max(a, 1e-12) / max(b, 1e-12) }
        let sides = sides
        guard let map = Homography(squareTo: self) else { return ratio(sides.width, sides.height) }
        func length(_ x: Double, _ y: Double, _ w: Double) -> Double {
            let (u, v) = ((x - w * width / 2) / focal, (y - w * height / 2) / focal)
            return (u * u + v * v + w * w).squareRoot()
        }
        let result = ratio(
            length(map.row0.x, map.row1.x, map.row2.x), length(map.row0.y, map.row1.y, map.row2.y))
        return result.isFinite ? result : ratio(sides.width, sides.height)
    }

    /// Returns the area of the intersection with another quad, which must be convex (Sutherland and Hodgman, "Reentrant
    /// polygon clipping", 1974).
    package func commonArea(with other: PlanarQuad) -> Double {
        var polygon = corners
        let clip = other.area > 0 ? other.corners : other.corners.reversed()
        for index in 0..<4 {
            let (a, b) = (clip[index], clip[(index + 1) % 4])
            func side(_ point: PlanarPoint) -> Double { (b - a).cross(point - a) }
            var cut: [PlanarPoint] = []
            for vertex in polygon.indices {
                let (p, q) = (polygon[vertex], polygon[(vertex + 1) % polygon.count])
                let (s, t) = (side(p), side(q))
                if s >= 0 { cut.append(p) }
                if (s > 0 && t < 0) || (s < 0 && t > 0) {
                    let part = s / (s - t)
                    cut.append(PlanarPoint(x: p.x + (q.x - p.x) * part, y: p.y + (q.y - p.y) * part))
                }
            }
            polygon = cut
            if polygon.isEmpty { return 0 }
        }
        var area = 0.0
        for vertex in polygon.indices { area += polygon[vertex].cross(polygon[(vertex + 1) % polygon.count]) }
        return abs(area) / 2
    }
}
