import Foundation
import VisionAlgorithms
import VisionImage

/// What is on a rectangle of a scene, and how it is drawn in perspective.
struct RectangleFace {
    private let texture: PlanarTexture
    /// Radius of the corners, in units of half the width.
    private let radius: Double
    private let aspect: Double
    private let gain: Float

    init(kind: RectangleScene.Kind, aspect: Double, photo: RGBImage, random: inout SplitMix64) {
        let size = (width: 400, height: Int((400 / aspect).rounded()))
        self.aspect = aspect
        var face: RGBImage
        var radius = 0.0
        switch kind {
        case .page: face = .textPage(width: size.width, height: size.height, seed: random.next())
        case .card:
            face = .card(width: size.width, height: size.height, random: &random)
            radius = 0.07
        case .print: face = photo.covering(size.width, size.height).rimmed(by: size.width / 24, value: 238)
        case .screen: face = photo.covering(size.width, size.height).rimmed(by: size.width / 20, value: 25)
        case .sign: face = .sign(width: size.width, height: size.height, random: &random)
        }
        // A page may be read upright as well.
        if kind == .page, random.next() % 2 == 0 {
            face = .textPage(width: size.width, height: size.height, seed: random.next())
        }
        texture = PlanarTexture(face)
        self.radius = radius
        gain = 0.85 + 0.2 * random.symmetric()
    }

    /// Draws with nine samples a pixel; `each` is called with the index of every pixel that is wholly within.
    func draw(_ quad: PlanarQuad, on canvas: inout FloatImage, each: (Int) -> Void) {
        guard let map = Homography(squareTo: quad)?.inverse else { return }
        let corners = quad.corners
        let level = texture.level(forScale: (abs(quad.area) / Double(texture.width * texture.height)).squareRoot())
        func span(_ coordinates: [Double], _ limit: Int) -> Range<Int> {
            let low = Int(max((coordinates.min() ?? 0) - 1, 0)),
                high = Int(min((coordinates.max() ?? 0) + 2, Double(limit)))
            return low..<max(low, high)
        }
        let columns = span(corners.map(\.x), canvas.width), rows = span(corners.map(\.y), canvas.height)
        for y in rows {
            for x in columns {
                var sum = SIMD3<Float>(), count: Float = 0
                for part in 0..<9 {
                    let u = Double(x) + (Double(part % 3) + 0.5) / 3, v = Double(y) + (Double(part / 3) + 0.5) / 3
                    guard map.row2.x * u + map.row2.y * v + map.row2.z > 0 else { continue }
                    let point = map.apply(u, v)
                    guard abs(point.x) <= 1, abs(point.y) <= 1, isWithin(point) else { continue }
                    sum += texture.sample(point.x, point.y, level: level)
                    count += 1
                }
                guard count > 0 else { continue }
                let index = y * canvas.width + x
                for channel in 0..<3 {
                    canvas.planes[channel][index] =
                        (canvas.planes[channel][index] * (9 - count) + gain * sum[channel]) / 9
                }
                if count == 9 { each(index) }
            }
        }
    }

    /// Whether a point of the square lies within the rounded corners.
    private func isWithin(_ point: PlanarPoint) -> Bool {
        guard radius > 0 else { return true }
        let (x, y) = (abs(point.x), abs(point.y) / aspect)
        let (dx, dy) = (x - (1 - radius), y - (1 / aspect - radius))
        return dx <= 0 || dy <= 0 || dx * dx + dy * dy <= radius * radius
    }
}

extension RGBImage {
    /// The middle of the image at another size, enlarged or not.
    fileprivate func covering(_ width: Int, _ height: Int) -> RGBImage {
        let texture = PlanarTexture(self)
        let scale = max(Double(width) / Double(self.width), Double(height) / Double(self.height))
        let (across, down) = (Double(width) / scale / Double(self.width), Double(height) / scale / Double(self.height))
        let level = texture.level(forScale: scale)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = ((Double(x) + 0.5) / Double(width) * 2 - 1, (Double(y) + 0.5) / Double(height) * 2 - 1)
                let colour = texture.sample(u * across, v * down, level: level)
                for channel in 0..<3 { pixels.append(byte(colour[channel])) }
            }
        }
        return RGBImage(width: width, height: height, pixels: pixels)
    }

    fileprivate func rimmed(by border: Int, value: UInt8) -> RGBImage {
        var rimmed = self
        for y in 0..<height {
            for x in 0..<width where x < border || y < border || x >= width - border || y >= height - border {
                for channel in 0..<3 { rimmed.pixels[(y * width + x) * 3 + channel] = value }
            }
        }
        return rimmed
    }

    private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ colour: [UInt8]) {
        for y in rows.clamped(to: 0..<height) {
            for x in columns.clamped(to: 0..<width) {
                for channel in 0..<3 { pixels[(y * width + x) * 3 + channel] = colour[channel] }
            }
        }
    }

    /// A colour with a stripe, a chip and lines of signs.
    fileprivate static func card(width: Int, height: Int, random: inout SplitMix64) -> RGBImage {
        func colour() -> [UInt8] { (0..<3).map { _ in UInt8(40 + random.next() % 200) } }
        let ground = colour(), ink = colour()
        var card = RGBImage(
            width: width, height: height, pixels: (0..<(width * height)).flatMap { _ in ground })
        if random.next() % 2 == 0 { card.fill(0..<width, (height / 8)..<(height / 3), colour()) }
        card.fill((width / 10)..<(width / 4), (height * 2 / 5)..<(height * 3 / 5), colour())
        var x = width / 10
        while x < width * 4 / 5 {
            let step = 4 + Int(random.next() % 10)
            card.fill(x..<(x + step - 2), (height * 3 / 4)..<(height * 5 / 6), ink)
            x += step
        }
        return card
    }

    /// A plain colour with a line near its rim and a bar or an arrow of signs.
    fileprivate static func sign(width: Int, height: Int, random: inout SplitMix64) -> RGBImage {
        let grounds: [[UInt8]] = [[240, 240, 240], [20, 90, 170], [250, 200, 20], [30, 120, 70], [200, 30, 40]]
        let ground = grounds[Int(random.next() % UInt64(grounds.count))]
        let ink: [UInt8] = ground[0] > 150 && ground[1] > 150 ? [20, 20, 20] : [245, 245, 245]
        var sign = RGBImage(width: width, height: height, pixels: (0..<(width * height)).flatMap { _ in ground })
        let (near, thick) = (width / 25, width / 60 + 1)
        sign.fill(near..<(width - near), near..<(height - near), ink)
        sign.fill((near + thick)..<(width - near - thick), (near + thick)..<(height - near - thick), ground)
        var x = width / 6
        while x < width * 5 / 6 {
            let step = 12 + Int(random.next() % 30)
            sign.fill(x..<(x + step - 8), (height * 2 / 5)..<(height * 3 / 5), ink)
            x += step
        }
        return sign
    }
}
