import Foundation
import VisionImage

/// The region of an object's colour as an ellipse: its centre, extent and direction by second moments. Detects
/// rotations and jumps that are too large for an alignment.
struct PlanarBlob {
    private var centre: PlanarPoint
    /// The direction of the longer axis.
    private var angle: Double
    /// Standard deviations along the longer axis and across it.
    private var along: Double
    private var across: Double

    /// - Parameters:
    ///   - pyramid: The probability of each pixel to belong to the object.
    ///   - start: Where the search begins.
    init?(_ pyramid: PlanarPyramid, around start: Homography) {
        let quad = start.quad
        guard quad.isFinite else { return nil }
        // Some hundreds of pixels of the object are enough.
        let size = max(4, abs(quad.area).squareRoot())
        let level = min(pyramid.level(forStep: size / 32), pyramid.levels.count - 1)
        let raster = pyramid.levels[level], pixel = Double(1 << level)
        var found: PlanarBlob?
        var (middle, reach) = (quad.centre, 1.1 * size)
        // Mean shift: the window moves to the centre of the colour within it.
        for _ in 0..<5 {
            guard let next = Self.moments(raster, pixel, middle, reach) else { return nil }
            let moved = next.centre.distance(to: middle)
            (middle, reach) = (next.centre, min(max(2.6 * next.along, 0.5 * size), 1.8 * size))
            found = next
            if moved < 0.5 * pixel { break }
        }
        guard let found, found.across > 0.5 else { return nil }
        self = found
    }

    private init(centre: PlanarPoint, angle: Double, along: Double, across: Double) {
        self.centre = centre
        self.angle = angle
        self.along = along
        self.across = across
    }

    /// Computes the moments within a window.
    private static func moments(
        _ raster: Raster, _ pixel: Double, _ middle: PlanarPoint, _ reach: Double
    ) -> PlanarBlob? {
        func whole(_ value: Double, _ limit: Int) -> Int { Int(min(max(value / pixel, 0), Double(limit))) }
        let columns = whole(middle.x - reach, raster.width)..<whole(middle.x + reach, raster.width)
        let rows = whole(middle.y - reach, raster.height)..<whole(middle.y + reach, raster.height)
        var (sum, x, y, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        raster.withUnsafePixels { pixels in
            for row in rows {
                let v = (Double(row) + 0.5) * pixel - middle.y
                for column in columns {
                    let value = pixels.load(fromByteOffset: row * raster.rowBytes + column, as: UInt8.self)
                    guard value > 128 else { continue }
                    let u = (Double(column) + 0.5) * pixel - middle.x
                    guard u * u + v * v < reach * reach else { continue }
                    let weight = Double(value - 128)
                    sum += weight
                    x += weight * u
                    y += weight * v
                    xx += weight * u * u
                    xy += weight * u * v
                    yy += weight * v * v
                }
            }
        }
        guard sum > 128 * 12 else { return nil }
        (x, y) = (x / sum, y / sum)
        let (a, b, c) = (xx / sum - x * x, xy / sum - x * y, yy / sum - y * y)
        let middleOf = (a + c) / 2, spread = ((a - c) * (a - c) / 4 + b * b).squareRoot()
        return PlanarBlob(
            centre: PlanarPoint(x: middle.x + x, y: middle.y + y), angle: 0.5 * atan2(2 * b, a - c),
            along: max(0, middleOf + spread).squareRoot(), across: max(0, middleOf - spread).squareRoot())
    }

    /// Returns the map of the unit circle to the ellipse, rotated by quarter turns.
    private func axes(quarters: Int) -> Homography {
        let rotation = angle + Double(quarters) * Double.pi / 2
        let (first, second) = quarters % 2 == 0 ? (along, across) : (across, along)
        return Homography(
            [cos(rotation) * first, -sin(rotation) * second, centre.x],
            [sin(rotation) * first, cos(rotation) * second, centre.y],
            [0, 0, 1])
    }

    /// Returns the possible maps of an object that was at `map` when its blob was this one, now that the blob is
    /// `other`. The one whose direction is nearest to `last` comes first.
    func candidates(of map: Homography, in other: PlanarBlob, last: Homography) -> [Homography] {
        guard let back = axes(quarters: 0).inverse else { return [] }
        func direction(_ map: Homography) -> PlanarPoint {
            let (from, to) = (map.apply(-0.5, 0), map.apply(0.5, 0))
            let length = max(from.distance(to: to), 1e-9)
            return PlanarPoint(x: (to.x - from.x) / length, y: (to.y - from.y) / length)
        }
        let before = direction(last)
        return (0..<4).map { other.axes(quarters: $0) * back * map }.filter(\.isProper)
            .map { map in
                let now = direction(map)
                return (map: map, cosine: now.x * before.x + now.y * before.y)
            }
            .sorted { $0.cosine > $1.cosine }.map(\.map)
    }
}
