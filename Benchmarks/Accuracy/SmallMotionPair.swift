import Foundation
import VisionImage

/// Two crops of 640 × 480 pixels of one photo, the corners of the second moved a little.
struct SmallMotionPair {
    let reference: [UInt8]
    let floating: [UInt8]
    /// From points of the reference to those of the photo: a shift; and from the floating crop's corners.
    private let origin: (x: Double, y: Double)
    private let corners: [(x: Double, y: Double)]

    private static let (width, height) = (640, 480)
    private static let square: [(x: Double, y: Double)] = [(0, 0), (640, 0), (640, 480), (0, 480)]

    /// - Precondition: the photo has at least 760 × 600 pixels, and `motion` is at most 60.
    init(_ photo: RGBImage, motion: Double, _ random: inout SplitMix64) {
        let range = (x: photo.width - Self.width - 120, y: photo.height - Self.height - 120)
        let origin = (
            x: Double(60 + Int.random(in: 0...range.x, using: &random)),
            y: Double(60 + Int.random(in: 0...range.y, using: &random))
        )
        let shift = (x: Double(random.symmetric()), y: Double(random.symmetric()))
        corners = Self.square.map { corner in
            let own = (x: Double(random.symmetric()), y: Double(random.symmetric()))
            return (
                corner.x + origin.x + motion / 2 * (shift.x + own.x),
                corner.y + origin.y + motion / 2 * (shift.y + own.y)
            )
        }
        self.origin = origin
        let grey = photo.grey
        reference = Self.view(grey, photo.width, photo.height) { (x: $0 + origin.x, y: $1 + origin.y) }
        let map = QuadMap(corners)
        floating = Self.view(grey, photo.width, photo.height) { map.apply($0 / 640, $1 / 480) }
    }

    /// The mean distance of the floating crop's corners from their true positions.
    func cornerError(of found: Homographies.Found) -> Double {
        let distances = zip(Self.square, corners).map { corner, moved in
            let taken = found.apply(x: corner.x, y: 480 - corner.y)
            return hypot(taken.x - (moved.x - origin.x), (480 - taken.y) - (moved.y - origin.y))
        }
        return distances.reduce(0, +) / 4
    }

    /// Samples the photo by Keys' cubic through 4 × 4 pixels.
    private static func view(
        _ grey: [UInt8], _ width: Int, _ height: Int, _ source: (Double, Double) -> (x: Double, y: Double)
    ) -> [UInt8] {
        func weights(_ t: Double) -> [Double] {
            [
                ((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t,
                (0.5 * t - 0.5) * t * t,
            ]
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(Self.width * Self.height)
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                let at = source(Double(column) + 0.5, Double(row) + 0.5)
                let (x, y) = (at.x - 0.5, at.y - 0.5)
                let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
                let (across, down) = (weights(x - Double(left)), weights(y - Double(top)))
                var sum = 0.5
                for j in 0..<4 {
                    let line = min(max(top + j - 1, 0), height - 1) * width
                    for i in 0..<4 {
                        sum += across[i] * down[j] * Double(grey[line + min(max(left + i - 1, 0), width - 1)])
                    }
                }
                pixels.append(UInt8(min(255, max(0, sum))))
            }
        }
        return pixels
    }
}

/// The projective map of the unit square on to four corners (Heckbert, 1989).
private struct QuadMap {
    private let a, b, c, d, e, f, g, h: Double

    init(_ p: [(x: Double, y: Double)]) {
        let (dx1, dx2, dx3) = (p[1].x - p[2].x, p[3].x - p[2].x, p[0].x - p[1].x + p[2].x - p[3].x)
        let (dy1, dy2, dy3) = (p[1].y - p[2].y, p[3].y - p[2].y, p[0].y - p[1].y + p[2].y - p[3].y)
        let area = dx1 * dy2 - dx2 * dy1
        g = (dx3 * dy2 - dx2 * dy3) / area
        h = (dx1 * dy3 - dx3 * dy1) / area
        (a, b, c) = (p[1].x - p[0].x + g * p[1].x, p[3].x - p[0].x + h * p[3].x, p[0].x)
        (d, e, f) = (p[1].y - p[0].y + g * p[1].y, p[3].y - p[0].y + h * p[3].y, p[0].y)
    }

    func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let w = g * x + h * y + 1
        return ((a * x + b * y + c) / w, (d * x + e * y + f) / w)
    }
}
