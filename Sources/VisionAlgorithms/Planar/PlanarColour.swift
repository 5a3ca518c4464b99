import VisionImage

/// Which colours belong to a planar object rather than to its surroundings: separates a plain book from a room of the
/// same brightness.
struct PlanarColour {
    /// Colours are binned by hue and saturation, and coarsely by brightness, which changes with the light.
    private static let hues = 24
    private static let greys = 6
    private static let bins = hues * hues * greys

    let table: ColourTable
    /// How well the colours separate the object from its surroundings: 0 not at all, 1 without an error.
    let separation: Double

    /// Learns from a frame in colour. Nil if the frame has no colour, or nothing of the object is in it.
    init?(_ frame: Raster, map: Homography) {
        guard frame.format != .grey8, let channels = ColourTable.channels(of: frame.format), let back = map.inverse
        else { return nil }
        var (own, other) = ([Float](repeating: 0, count: Self.bins), [Float](repeating: 0, count: Self.bins))
        var (ownCount, otherCount) = (Float(0), Float(0))
        // The surroundings are a margin as wide as the object.
        let quad = (map * .scale(x: 2.2, y: 2.2)).quad
        let xs = quad.corners.map(\.x), ys = quad.corners.map(\.y)
        guard quad.isFinite, let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
            return nil
        }
        func whole(_ value: Double, _ limit: Int) -> Int { Int(min(max(value, 0), Double(limit))) }
        let columns = (whole(left, frame.width), whole(right, frame.width))
        let rows = (whole(top, frame.height), whole(bottom, frame.height))
        // Some twenty thousand pixels are enough.
        let area = Double(columns.1 - columns.0) * Double(rows.1 - rows.0)
        let step = max(1, Int((area / 20000).squareRoot()))
        frame.withUnsafePixels { pixels in
            for y in stride(from: rows.0, to: rows.1, by: step) {
                for x in stride(from: columns.0, to: columns.1, by: step) {
                    let point = back.apply(Double(x) + 0.5, Double(y) + 0.5)
                    let distance = max(abs(point.x), abs(point.y))
                    // The rim belongs to neither.
                    guard distance < 0.93 || distance > 1.08 else { continue }
                    let pixel = pixels + y * frame.rowBytes + x * frame.format.bytesPerPixel
                    func part(_ channel: Int) -> UInt8 { pixel.load(fromByteOffset: channel, as: UInt8.self) }
                    let bin = Self.bin(
                        Float(part(channels.red)), Float(part(channels.green)), Float(part(channels.blue)))
                    if distance < 1 {
                        own[bin] += 1
                        ownCount += 1
                    } else {
                        other[bin] += 1
                        otherCount += 1
                    }
                }
            }
        }
        guard ownCount >= 16, otherCount >= 16 else { return nil }
        own = Self.smooth(own)
        other = Self.smooth(other)
        var separation = 0.0
        let shares = (0..<Self.bins).map { bin in
            let (a, b) = (own[bin] / ownCount, other[bin] / otherCount)
            separation += Double(abs(a - b)) / 2
            // Colours that were seen nowhere rather do not belong to the object.
            return a / (a + b + 2e-4)
        }
        self.separation = separation
        table = ColourTable(
            values: (0..<ColourTable.count).map { index in
                func level(_ shift: Int) -> Float { Float((index >> shift & 31) << 3 + 4) }
                return UInt8(255 * shares[Self.bin(level(10), level(5), level(0))])
            })
    }

    private static func bin(_ red: Float, _ green: Float, _ blue: Float) -> Int {
        let sum = red + green + blue + 24
        func index(_ difference: Float) -> Int {
            // Differences beyond a fifth of the sum are clamped: only the purest colours have them.
            let share = min(max(difference / sum * 1.6 + 0.5, 0), 0.999)
            return Int(share * Float(hues))
        }
        let grey = min(greys - 1, Int(sum / 792 * Float(greys)))
        return (grey * hues + index(red - green)) * hues + index(blue - green)
    }

    /// Spreads counts over neighbouring colours.
    private static func smooth(_ counts: [Float]) -> [Float] {
        var result = counts
        for step in [1, hues, hues * hues] {
            let source = result
            for bin in 0..<bins {
                let index = bin / step % (step == hues * hues ? greys : hues)
                let most = (step == hues * hues ? greys : hues) - 1
                let before = index > 0 ? source[bin - step] : source[bin]
                let behind = index < most ? source[bin + step] : source[bin]
                result[bin] = 0.25 * before + 0.5 * source[bin] + 0.25 * behind
            }
        }
        return result
    }
}
