import Foundation
import VisionImage

@testable import VisionAlgorithms

/// A synthetic scene for tests: a textured plane over a textured background in perspective.
struct PlanarScene {
    var width = 320
    var height = 240
    /// The contrast of the plane's inside: 0 is a plain page.
    var contrast = 1.0
    /// The illumination of each frame: the result is grey · gain + offset.
    var gain = 1.0
    var offset = 0.0
    /// The part of the frame that is occluded by a uniform grey.
    var cover: PixelRegion?
    var seed = 1.0

    /// The plane at rest: 120 × 90 pixels in the middle.
    static let start = PlanarQuad(
        topLeft: PlanarPoint(x: 100, y: 75), topRight: PlanarPoint(x: 220, y: 75),
        bottomRight: PlanarPoint(x: 220, y: 165), bottomLeft: PlanarPoint(x: 100, y: 165))

    /// The plane after `step` frames of a motion: shifted, rotated, tilted.
    static func quad(_ step: Double) -> PlanarQuad {
        let angle = 0.02 * step, shift = PlanarPoint(x: 160 + 2.1 * step, y: 120 - 1.3 * step)
        func corner(_ u: Double, _ v: Double) -> PlanarPoint {
            let depth = 1 + 0.006 * step * u - 0.004 * step * v
            let (x, y) = (60 * u / depth, 45 * v / depth)
            return PlanarPoint(
                x: shift.x + x * cos(angle) - y * sin(angle), y: shift.y + x * sin(angle) + y * cos(angle))
        }
        return PlanarQuad(
            topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1), bottomLeft: corner(-1, 1))
    }

    private func texture(_ x: Double, _ y: Double, _ seed: Double) -> Double {
        let a = sin(11 * x + seed) * cos(7 * y + 2 * seed), b = sin(19 * x - 13 * y + 3 * seed)
        let c = sin(29 * y + 5 * x * y + seed), d = cos(41 * x + 3 * y)
        return a + 0.7 * b + 0.6 * c + 0.4 * d
    }

    /// Renders a frame with the plane at `quad`, or without it for nil.
    func frame(_ quad: PlanarQuad?) throws -> Raster {
        let back = quad.flatMap { Homography(squareTo: $0) }?.inverse
        return try Raster(width: width, height: height, format: .grey8) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    var sum = 0.0
                    for part in 0..<4 {
                        let u = Double(x) + 0.25 + 0.5 * Double(part % 2)
                        let v = Double(y) + 0.25 + 0.5 * Double(part / 2)
                        var value = 105 + 14 * texture(u / 90, v / 90, 40)
                        if let point = back?.apply(u, v), abs(point.x) <= 1, abs(point.y) <= 1 {
                            value = 165 + 32 * contrast * texture(point.x, point.y, seed)
                        }
                        sum += value / 4
                    }
                    if let cover, Double(x) >= cover.x, Double(x) < cover.x + cover.width, Double(y) >= cover.y,
                        Double(y) < cover.y + cover.height
                    {
                        sum = 150
                    }
                    let value = UInt8(min(255, max(0, (sum * gain + offset).rounded())))
                    pixels.storeBytes(of: value, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }
}
