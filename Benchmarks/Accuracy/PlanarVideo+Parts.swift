import Foundation
import VisionAlgorithms
import VisionImage

/// An image and its halves, sampled between pixels. (-1, -1) is its top left corner, (1, 1) its bottom right one.
struct PlanarTexture {
    private let levels: [(width: Int, height: Int, pixels: [SIMD3<Float>])]

    var width: Int { levels[0].width }
    var height: Int { levels[0].height }

    init(_ image: RGBImage) {
        let pixels = (0..<(image.width * image.height)).map { index in
            SIMD3(
                Float(image.pixels[3 * index]), Float(image.pixels[3 * index + 1]),
                Float(image.pixels[3 * index + 2]))
        }
        var levels = [(width: image.width, height: image.height, pixels: pixels)]
        while let last = levels.last, last.width >= 8, last.height >= 8 {
            let (width, height) = (last.width / 2, last.height / 2)
            var half: [SIMD3<Float>] = []
            half.reserveCapacity(width * height)
            for y in 0..<height {
                for x in 0..<width {
                    let index = 2 * y * last.width + 2 * x
                    let upper = last.pixels[index] + last.pixels[index + 1]
                    half.append((upper + last.pixels[index + last.width] + last.pixels[index + last.width + 1]) * 0.25)
                }
            }
            levels.append((width, height, half))
        }
        self.levels = levels
    }

    /// The level to take when a pixel of the texture is `scale` pixels of the image that is drawn.
    func level(forScale scale: Double) -> Int {
        var level = 0
        while level < levels.count - 1, scale * Double(1 << level) < 0.7 { level += 1 }
        return level
    }

    func sample(_ x: Double, _ y: Double, level: Int) -> SIMD3<Float> {
        let (width, height, pixels) = levels[level]
        let u = min(max((x + 1) / 2 * Double(width) - 0.5, 0), Double(width) - 1.001)
        let v = min(max((y + 1) / 2 * Double(height) - 0.5, 0), Double(height) - 1.001)
        let (column, row) = (Int(u), Int(v))
        let (across, down) = (Float(u - Double(column)), Float(v - Double(row)))
        let index = row * width + column
        let upper = pixels[index] + (pixels[index + 1] - pixels[index]) * across
        let lower = pixels[index + width] + (pixels[index + width + 1] - pixels[index + width]) * across
        return upper + (lower - upper) * down
    }
}

/// A smooth random flight of a plane before a camera, and of what lies behind it.
struct PlanarPath {
    private struct Wave {
        var middle: Double
        var swing: Double
        var period: Double
        var phase: Double

        func value(_ time: Double) -> Double { middle + swing * sin(2 * Double.pi * (time / period + phase)) }
    }

    private let aspect: Double
    private let leaves: Bool
    private let x, y, depth, roll, pitch, yaw, groundX, groundY: Wave

    /// - Parameter tilt: How many times larger than usual the tilts are.
    init(aspect: Double, speed: Double, tilt: Double, leaves: Bool, random: inout SplitMix64) {
        self.aspect = aspect
        self.leaves = leaves
        func wave(_ middle: Double, _ swing: Double, _ random: inout SplitMix64) -> Wave {
            Wave(
                middle: middle, swing: swing * (0.75 + 0.25 * Double(random.symmetric())),
                period: (55 + 20 * Double(random.symmetric())) / speed, phase: Double(random.symmetric()))
        }
        x = wave(0, 0.28, &random)
        y = wave(0, 0.2, &random)
        depth = wave(2.3, 0.5, &random)
        roll = wave(0, 0.5, &random)
        pitch = wave(0, 0.55 * tilt, &random)
        yaw = wave(0, 0.55 * tilt, &random)
        groundX = wave(0, 0.12, &random)
        groundY = wave(0, 0.12, &random)
    }

    /// The corners in pixels of the video.
    func quad(at time: Double) -> PlanarQuad {
        let (a, b, c) = (roll.value(time), pitch.value(time), yaw.value(time))
        // Away to the right and back within frames 20 … 44.
        let away = leaves && time > 20 && time < 44 ? 2.2 * pow(sin(Double.pi * (time - 20) / 24), 2) : 0
        let focal = 1.1 * Double(PlanarVideo.width)
        func corner(_ u: Double, _ v: Double) -> PlanarPoint {
            // The longer side is 1 long.
            let (px, py) = (u / 2, v / 2 / aspect)
            let (qx, qy) = (px * cos(a) - py * sin(a), px * sin(a) + py * cos(a))
            let (ry, rz) = (qy * cos(b), qy * sin(b))
            let (sx, sz) = (qx * cos(c) + rz * sin(c), -qx * sin(c) + rz * cos(c))
            let z = depth.value(time) + sz
            return PlanarPoint(
                x: Double(PlanarVideo.width) / 2 + focal * (sx + x.value(time) + away) / z,
                y: Double(PlanarVideo.height) / 2 + focal * (ry + y.value(time)) / z)
        }
        return PlanarQuad(
            topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1), bottomLeft: corner(-1, 1))
    }

    /// From the square of the video to that of the background.
    func background(at time: Double) -> Homography {
        .translation(x: groundX.value(time), y: groundY.value(time)) * .scale(x: 0.8, y: 0.8)
    }
}

extension RGBImage {
    /// A light page with lines of dark strokes.
    static func textPage(width: Int, height: Int, seed: UInt64) -> RGBImage {
        var random = SplitMix64(seed: seed)
        var pixels = [UInt8](repeating: 235, count: width * height * 3)
        var y = height / 12
        while y < height - height / 12 {
            var x = width / 12
            let end = width - width / 12 - Int(abs(random.symmetric()) * Float(width) / 4)
            while x < end {
                let stroke = 1 + Int(random.next() % 3), gap = 1 + Int(random.next() % 4)
                let tall = 4 + Int(random.next() % 4)
                for row in y..<min(height, y + tall) {
                    for column in x..<min(width, x + stroke) {
                        for channel in 0..<3 { pixels[(row * width + column) * 3 + channel] = 45 }
                    }
                }
                x += stroke + gap + (random.next() % 6 == 0 ? 6 : 0)
            }
            y += 14
        }
        return RGBImage(width: width, height: height, pixels: pixels)
    }

    /// The image within a dark frame of a twentieth of its width.
    func framed() -> RGBImage {
        var framed = self
        let border = width / 20
        for y in 0..<height {
            for x in 0..<width where x < border || y < border || x >= width - border || y >= height - border {
                for channel in 0..<3 { framed.pixels[(y * width + x) * 3 + channel] = 25 }
            }
        }
        return framed
    }
}
