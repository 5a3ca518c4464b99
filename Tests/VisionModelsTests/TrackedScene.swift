import VisionAlgorithms
import VisionImage

/// A made-up video: a drawn thing with a texture of its own over a ground with another one, in colour.
struct TrackedScene {
    var width = 320
    var height = 240
    /// Of the thing, before it is scaled.
    var thingWidth = 44.0
    var thingHeight = 36.0

    struct Pose {
        var x: Double
        var y: Double
        var scale = 1.0
        /// Width over height, against that of the first frame.
        var stretch = 1.0
        /// The thing is behind something.
        var isHidden = false
    }

    func box(_ pose: Pose) -> PixelRegion {
        let w = thingWidth * pose.scale * pose.stretch.squareRoot()
        let h = thingHeight * pose.scale / pose.stretch.squareRoot()
        return PixelRegion(x: pose.x - w / 2, y: pose.y - h / 2, width: w, height: h)
    }

    func frame(_ pose: Pose) throws -> Raster {
        let box = box(pose)
        return try Raster(width: width, height: height, format: .rgb8) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    let u = (Double(x) + 0.5 - box.x) / box.width, v = (Double(y) + 0.5 - box.y) / box.height
                    let isThing = u >= 0 && u < 1 && v >= 0 && v < 1
                    let isCover = pose.isHidden && abs(u - 0.5) < 1.1 && abs(v - 0.5) < 1.1
                    let colour =
                        isCover ? (70, 92, 70) : isThing ? Self.thing(u, v) : Self.ground(Double(x), Double(y))
                    let pixel = pixels.advanced(by: y * rowBytes + 3 * x)
                    pixel.storeBytes(of: UInt8(clamping: colour.0), as: UInt8.self)
                    pixel.storeBytes(of: UInt8(clamping: colour.1), toByteOffset: 1, as: UInt8.self)
                    pixel.storeBytes(of: UInt8(clamping: colour.2), toByteOffset: 2, as: UInt8.self)
                }
            }
        }
    }

    /// A face of sorts: a yellow ground, two dark eyes, a red mouth, a blue brim.
    private static func thing(_ u: Double, _ v: Double) -> (Int, Int, Int) {
        func isWithin(_ x: Double, _ y: Double, _ r: Double) -> Bool {
            (u - x) * (u - x) + (v - y) * (v - y) < r * r
        }
        if v < 0.22 { return (40, 60, 190) }
        if isWithin(0.3, 0.45, 0.1) || isWithin(0.7, 0.45, 0.1) { return (20, 15, 15) }
        if abs(u - 0.5) < 0.22, abs(v - 0.76) < 0.06 { return (200, 30, 40) }
        return (235, 205 - Int(40 * v), 90 + Int(60 * u))
    }

    /// Grass of sorts: patches of greens and greys without edges.
    private static func ground(_ x: Double, _ y: Double) -> (Int, Int, Int) {
        func wave(_ a: Double, _ b: Double) -> Int {
            let t = a * x + b * y
            let fraction = t - t.rounded(.down)
            return Int(abs(fraction - 0.5) * 60)
        }
        let shade = wave(0.031, 0.013) + wave(-0.017, 0.037)
        return (70 + shade, 110 + shade + wave(0.11, 0.07) / 3, 72 + shade)
    }
}

extension PixelRegion {
    /// The share of the common area in the area of both.
    func overlap(_ other: PixelRegion) -> Double {
        let w = min(x + width, other.x + other.width) - max(x, other.x)
        let h = min(y + height, other.y + other.height) - max(y, other.y)
        guard w > 0, h > 0 else { return 0 }
        return w * h / (width * height + other.width * other.height - w * h)
    }
}
