import Foundation
import VisionAlgorithms
import VisionImage

/// A photograph with one to four rectangles rendered over it, as a camera would see them: tilted, lit, partly covered,
/// out of focus and noisy.
struct RectangleScene {
    enum Kind: String, CaseIterable {
        /// Lines of text on light paper.
        case page
        /// A plain or two-coloured card with rounded corners and a few marks.
        case card
        /// A photograph with a white rim.
        case print
        /// A photograph in a dark frame.
        case screen
        /// A plain sign with a bold inner border.
        case sign
    }

    struct Rectangle {
        var kind: Kind
        var quad: PlanarQuad
        /// Degrees between its normal and the axis of the camera.
        var tilt: Double
        /// The share of its area that is not covered.
        var seen: Double
        /// The one that is to be found; the others, which it may cover, are found rightly or not at all.
        var isWanted: Bool
    }

    static let width = 640
    static let height = 480
    /// Sides of the wanted rectangle are at least this part of the height, in the mean of opposite ones.
    static let leastSide = 0.15
    /// Colour steps across a side that can be seen before noise and blur, and the part of each side that has them.
    private static let (visibleStep, visibleShare) = (Float(12), 0.6)

    let image: RGBImage
    let rectangles: [Rectangle]

    /// The photograph alone, brought to the size of the scenes, sharpness and noise as they are.
    static func background(_ photo: RGBImage) -> FloatImage {
        let texture = PlanarTexture(photo)
        let scale = max(Double(width) / Double(photo.width), Double(height) / Double(photo.height))
        let (across, down) = (
            Double(width) / scale / Double(photo.width), Double(height) / scale / Double(photo.height)
        )
        let level = texture.level(forScale: scale)
        var planes = [[Float]](repeating: [Float](repeating: 0, count: width * height), count: 3)
        for y in 0..<height {
            let v = ((Double(y) + 0.5) / Double(height) * 2 - 1) * down
            for x in 0..<width {
                let u = ((Double(x) + 0.5) / Double(width) * 2 - 1) * across
                let colour = texture.sample(u, v, level: level)
                for channel in 0..<3 { planes[channel][y * width + x] = colour[channel] }
            }
        }
        return FloatImage(width: width, height: height, planes: planes)
    }

    /// - Parameters:
    ///   - photos: Where the background and the images of prints and screens come from.
    ///   - steps: Which photographs are taken: every `steps.by`th from `steps.from` on.
    init(number: Int, seed: UInt64, photos: PhotoFolder, steps: (from: Int, by: Int)) throws {
        var random = SplitMix64(seed: seed &+ UInt64(number) &* 104_729)
        func photo(_ index: Int) throws -> RGBImage { try photos.whole(number: steps.from + steps.by * index) }
        var canvas = Self.background(try photo(number))
        let distractors = Int(random.next() % 4)
        var placed: [Rectangle] = []
        var covered = [UInt8](repeating: 0, count: Self.width * Self.height)
        for index in 0...distractors {
            let isWanted = index == distractors
            let kind = Kind.allCases[Int(random.next() % UInt64(Kind.allCases.count))]
            // Some positions have no contrast: another one is tried.
            for _ in 0..<60 {
                let pose = Pose(leastSide: Self.leastSide * (isWanted ? 1 : 0.5), random: &random)
                let face = RectangleFace(
                    kind: kind, aspect: pose.aspect,
                    photo: try photo(number + 17 + Int(random.next() % 50)), random: &random)
                guard let quad = pose.quad else { continue }
                var trial = canvas
                face.draw(quad, on: &trial) { _ in }
                guard !isWanted || Self.isVisible(quad, in: trial) else { continue }
                canvas = trial
                if isWanted {
                    face.draw(quad, on: &trial) { covered[$0] = 1 }
                }
                placed.append(Rectangle(kind: kind, quad: quad, tilt: pose.tilt, seen: 1, isWanted: isWanted))
                break
            }
        }
        if let last = placed.indices.last, placed[last].isWanted, random.next() % 10 < 3 {
            Self.cover(placed[last].quad, on: &canvas, &covered, &random)
        }
        let (all, hidden) = (covered.count { $0 != 0 }, covered.count { $0 == 2 })
        for index in placed.indices where placed[index].isWanted {
            placed[index].seen = 1 - Double(hidden) / Double(max(all, 1))
        }
        Self.light(&canvas, &random)
        if random.next() % 2 == 0 { canvas.blur(sigma: 0.4 + 1.4 * Double(abs(random.symmetric()))) }
        canvas.addNoise(sigma: 1 + 7 * Double(abs(random.symmetric())), seed: random.next())
        image = RGBImage(canvas)
        rectangles = placed
    }

    /// Whether the greater part of every side is an edge of some colour.
    private static func isVisible(_ quad: PlanarQuad, in image: FloatImage) -> Bool {
        let corners = quad.corners, centre = quad.centre
        for side in 0..<4 {
            let (a, b) = (corners[side], corners[(side + 1) % 4])
            var (nx, ny) = (b.y - a.y, a.x - b.x)
            let length = max((nx * nx + ny * ny).squareRoot(), 1)
            (nx, ny) = (nx / length, ny / length)
            if (centre.x - a.x) * nx + (centre.y - a.y) * ny < 0 { (nx, ny) = (-nx, -ny) }
            let steps = 40
            let seen = (0..<steps).count { step in
                let part = 0.06 + 0.88 * (Double(step) + 0.5) / Double(steps)
                let (x, y) = (a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
                return (0..<3).contains { channel in
                    let inner = image.value(channel, x + 2.5 * nx, y + 2.5 * ny)
                    return abs(inner - image.value(channel, x - 2.5 * nx, y - 2.5 * ny)) >= visibleStep
                }
            }
            if Double(seen) < visibleShare * Double(steps) { return false }
        }
        return true
    }

    /// Fingers or a strip over a corner or a side.
    private static func cover(
        _ quad: PlanarQuad, on canvas: inout FloatImage, _ covered: inout [UInt8], _ random: inout SplitMix64
    ) {
        let centre = quad.centre
        let corners = quad.corners
        let first = Int(random.next() % 4)
        let share = random.next() % 2 == 0 ? 1 : 0.5 + 0.4 * Double(random.symmetric())
        let (a, b) = (corners[first], corners[(first + 1) % 4])
        let start = PlanarPoint(x: b.x + (a.x - b.x) * share, y: b.y + (a.y - b.y) * share)
        let reach = 0.25 + 0.2 * Double(abs(random.symmetric()))
        let size = abs(quad.area).squareRoot()
        let radius = size * (0.035 + 0.035 * Double(abs(random.symmetric())))
        let (ux, uy) = (centre.x - start.x, centre.y - start.y)
        let end = (start.x + ux * reach, start.y + uy * reach)
        let from = (start.x - ux, start.y - uy)
        let tone: [Float] = random.next() % 2 == 0 ? [214, 160, 130] : [120, 84, 66]
        let (ex, ey) = (end.0 - from.0, end.1 - from.1)
        for y in 0..<height {
            for x in 0..<width {
                let (px, py) = (Double(x) - from.0, Double(y) - from.1)
                let t = min(max((px * ex + py * ey) / (ex * ex + ey * ey), 0), 1)
                let distance = ((px - t * ex) * (px - t * ex) + (py - t * ey) * (py - t * ey)).squareRoot()
                guard distance < radius else { continue }
                let index = y * width + x
                let shade = Float(1 - 0.5 * (distance / radius) * (distance / radius))
                for channel in 0..<3 { canvas.planes[channel][index] = tone[channel] * shade }
                if covered[index] == 1 { covered[index] = 2 }
            }
        }
    }

    /// Exposure, a slope of light, now and then a bright spot and the edge of a shadow.
    private static func light(_ canvas: inout FloatImage, _ random: inout SplitMix64) {
        func number(_ middle: Float, _ swing: Float) -> Float { middle + swing * random.symmetric() }
        let gain = number(0.9, 0.35), across = number(0, 0.4), down = number(0, 0.4)
        let spot = random.next() % 10 < 3 ? number(60, 40) : 0
        let (spotX, spotY, spread) = (number(320, 250), number(240, 180), number(70, 40))
        let shadow = random.next() % 10 < 3 ? number(0.35, 0.2) : 0
        let direction = number(0, .pi), soft = number(12, 10)
        let (shadowX, shadowY) = (number(320, 200), number(240, 150))
        for y in 0..<height {
            for x in 0..<width {
                let (px, py) = (Float(x), Float(y))
                let slope = 1 + across * (px / Float(width) - 0.5) + down * (py / Float(height) - 0.5)
                let (dx, dy) = (px - spotX, py - spotY)
                let added = spot * exp(-(dx * dx + dy * dy) / (2 * spread * spread))
                let beyond = (px - shadowX) * cos(direction) + (py - shadowY) * sin(direction)
                let dark = 1 - shadow * min(max(0.5 + beyond / (2 * soft), 0), 1)
                for channel in 0..<3 {
                    let index = y * width + x
                    canvas.planes[channel][index] = min(
                        canvas.planes[channel][index] * gain * slope * dark + added, 255)
                }
            }
        }
    }
}

/// How a rectangle lies before the camera.
private struct Pose {
    let aspect: Double
    let tilt: Double
    /// Nil where it does not fit into the image.
    let quad: PlanarQuad?

    init(leastSide: Double, random: inout SplitMix64) {
        func number(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + (range.upperBound - range.lowerBound) * (Double(random.symmetric()) + 1) / 2
        }
        let (aspect, tilt) = (number(1...1.9), number(0...60))
        (self.aspect, self.tilt) = (aspect, tilt)
        let (width, height) = (Double(RectangleScene.width), Double(RectangleScene.height))
        let focal = number(0.9...1.5) * width
        let (axis, roll, angle) = (number(0 ... .pi), number(-Double.pi ... .pi), tilt / 180 * .pi)
        let size = pow(number(0...1), 1.5) * 0.75 + 0.2
        let depth = focal / (size * height)
        let x = number(-0.5...0.5) * width / focal * depth, y = number(-0.5...0.5) * height / focal * depth
        func corner(_ u: Double, _ v: Double) -> PlanarPoint {
            let (px, py) = (u / 2, v / 2 / aspect)
            let (qx, qy) = (px * cos(roll) - py * sin(roll), px * sin(roll) + py * cos(roll))
            // Rotated about an axis within the image's plane.
            let along = qx * cos(axis) + qy * sin(axis), across = -qx * sin(axis) + qy * cos(axis)
            let (flat, deep) = (across * cos(angle), across * sin(angle))
            let (rx, ry) = (along * cos(axis) - flat * sin(axis), along * sin(axis) + flat * cos(axis))
            let z = depth + deep
            return PlanarPoint(x: width / 2 + focal * (rx + x) / z, y: height / 2 + focal * (ry + y) / z)
        }
        let seen = PlanarQuad(
            topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1), bottomLeft: corner(-1, 1))
        let margin = 6.0
        let fits = seen.corners.allSatisfy {
            $0.x > margin && $0.y > margin && $0.x < width - margin && $0.y < height - margin
        }
        let sides = seen.sides
        // A request allows corners of at most 45 degrees from right angles in the image.
        let isAllowed = seen.corners.indices.allSatisfy { index in
            let (a, b, c) = (seen.corners[(index + 3) % 4], seen.corners[index], seen.corners[(index + 1) % 4])
            let (d, e) = (PlanarPoint(x: a.x - b.x, y: a.y - b.y), PlanarPoint(x: c.x - b.x, y: c.y - b.y))
            let lengths = (d.x * d.x + d.y * d.y).squareRoot() * (e.x * e.x + e.y * e.y).squareRoot()
            return abs(d.x * e.x + d.y * e.y) <= lengths * sin(44 / 180 * Double.pi)
        }
        let isLargeEnough = min(sides.width, sides.height) >= leastSide * height
        quad = fits && seen.isConvex && isAllowed && isLargeEnough ? seen : nil
    }
}

extension RGBImage {
    init(_ image: FloatImage) {
        var pixels = [UInt8](repeating: 0, count: image.width * image.height * 3)
        for index in 0..<(image.width * image.height) {
            for channel in 0..<3 { pixels[3 * index + channel] = byte(image.planes[channel][index]) }
        }
        self.init(width: image.width, height: image.height, pixels: pixels)
    }
}
