import Foundation
import VisionAlgorithms
import VisionImage

/// A synthetic video: a photograph, page or screen as a plane that moves in space before a
/// camera, over another photograph, with changing light, blur, noise and hands.
struct PlanarVideo {
    /// What is hard about a video.
    enum Kind: String, CaseIterable {
        /// A photograph that rotates and tilts.
        case photo
        /// The same with gain, offset, a slope of light and a bright spot that all change.
        case light
        /// The same with motion blur and defocus.
        case blur
        /// The same with fingers over one corner and then another.
        case hands
        /// It leaves the frame and comes back.
        case leaves
        /// A page with lines of text.
        case page
        /// A dark frame around an image that changes to another one now and then.
        case screen
        /// Larger moves from frame to frame.
        case fast
    }

    /// Where the plane is in a frame, and how much of it can be seen.
    struct Truth {
        var quad: PlanarQuad
        /// The share of the plane that is within the frame.
        var within: Double
        /// The share that is within the frame and not covered.
        var seen: Double
    }

    static let width = 640
    static let height = 480
    static let count = 60

    private let kind: Kind
    private let faces: [PlanarTexture]
    private let background: PlanarTexture
    private let path: PlanarPath
    private let seed: UInt64

    /// - Parameters:
    ///   - speed: How many times faster than usual everything moves.
    ///   - tilt: How many times larger than usual the tilts are.
    init(
        kind: Kind, photos: PhotoFolder, number: Int, seed: UInt64, speed: Double = 1, tilt: Double = 1
    ) throws {
        self.kind = kind
        self.seed = seed &+ UInt64(number) &* 7919
        var random = SplitMix64(seed: self.seed)
        let aspect = 1.25 + 0.25 * Double(random.symmetric())
        let size = (width: 320, height: Int(320 / aspect))
        func photo(_ index: Int) throws -> RGBImage {
            try photos.image(size.width, size.height, number: 3 * number + index)
        }
        switch kind {
        case .page: faces = [PlanarTexture(.textPage(width: size.width, height: size.height, seed: self.seed))]
        case .screen: faces = try (0..<3).map { PlanarTexture(try photo(100 + $0 * 31).framed()) }
        default: faces = [PlanarTexture(try photo(0))]
        }
        background = PlanarTexture(try photos.image(960, 720, number: 3 * number + 1))
        path = PlanarPath(
            aspect: Double(size.width) / Double(size.height), speed: speed * (kind == .fast ? 2.5 : 1), tilt: tilt,
            leaves: kind == .leaves, random: &random)
    }

    /// One frame and its truth. Frames can be made in any order.
    func frame(_ index: Int) -> (image: RGBImage, truth: Truth) {
        let (width, height) = (Self.width, Self.height)
        var random = SplitMix64(seed: seed &+ 77 &* UInt64(index + 1))
        let time = Double(index)
        let face = faces[kind == .screen ? index / 20 % faces.count : 0]
        var sum = [Float](repeating: 0, count: width * height * 3)
        let exposures = kind == .blur ? (0..<5).map { time + (Double($0) - 2) * 0.12 } : [time]
        for moment in exposures {
            add(face, at: moment, weight: 1 / Float(exposures.count), to: &sum)
        }
        let quad = path.quad(at: time)
        var covered = [Bool](repeating: false, count: width * height)
        if kind == .hands { cover(&sum, &covered, quad, index) }
        if kind == .blur, index % 20 >= 12 { Self.defocus(&sum) }
        light(&sum, index)
        let pixels = sum.map { value in
            // Three uniform numbers make a good enough normal one: σ = 2 grey levels.
            byte(value + 2 * (random.symmetric() + random.symmetric() + random.symmetric()))
        }
        return (
            RGBImage(width: width, height: height, pixels: pixels), truth(quad, covered: covered)
        )
    }

    private func truth(_ quad: PlanarQuad, covered: [Bool]) -> Truth {
        guard let map = Homography(squareTo: quad) else { return Truth(quad: quad, within: 0, seen: 0) }
        let steps = 24
        var (within, seen) = (0, 0)
        for y in 0..<steps {
            for x in 0..<steps {
                let point = map.apply(
                    2 * (Double(x) + 0.5) / Double(steps) - 1, 2 * (Double(y) + 0.5) / Double(steps) - 1)
                guard point.x >= 0, point.y >= 0, point.x < Double(Self.width), point.y < Double(Self.height) else {
                    continue
                }
                within += 1
                seen += covered[Int(point.y) * Self.width + Int(point.x)] ? 0 : 1
            }
        }
        let all = Double(steps * steps)
        return Truth(quad: quad, within: Double(within) / all, seen: Double(seen) / all)
    }

    /// Renders background and plane with four samples a pixel.
    private func add(_ face: PlanarTexture, at time: Double, weight: Float, to sum: inout [Float]) {
        let (width, height) = (Self.width, Self.height)
        let ground = path.background(at: time)
        let quad = path.quad(at: time)
        let map = Homography(squareTo: quad)?.inverse
        let scale = (abs(quad.area) / Double(face.width * face.height)).squareRoot()
        let level = face.level(forScale: scale)
        let (right, bottom) = (quad.corners.map(\.x).max() ?? 0, quad.corners.map(\.y).max() ?? 0)
        let (left, top) = (quad.corners.map(\.x).min() ?? 0, quad.corners.map(\.y).min() ?? 0)
        for y in 0..<height {
            for x in 0..<width {
                let near =
                    Double(x) > left - 2 && Double(x) < right + 2 && Double(y) > top - 2 && Double(y) < bottom + 2
                var colour = SIMD3<Float>()
                for part in 0..<(near ? 4 : 1) {
                    let u = Double(x) + (near ? 0.25 + 0.5 * Double(part % 2) : 0.5)
                    let v = Double(y) + (near ? 0.25 + 0.5 * Double(part / 2) : 0.5)
                    var sample: SIMD3<Float>?
                    if near, let map {
                        let point = map.apply(u, v)
                        if abs(point.x) <= 1, abs(point.y) <= 1, map.row2.x * u + map.row2.y * v + map.row2.z > 0 {
                            sample = face.sample(point.x, point.y, level: level)
                        }
                    }
                    if sample == nil {
                        let point = ground.apply(2 * u / Double(width) - 1, 2 * v / Double(height) - 1)
                        sample = background.sample(point.x, point.y, level: 0)
                    }
                    colour += (sample ?? .zero) * (near ? 0.25 : 1)
                }
                let offset = (y * width + x) * 3
                for channel in 0..<3 { sum[offset + channel] += weight * colour[channel] }
            }
        }
    }

    /// Fingers from the side over a corner in frames 10 … 26, over the opposite one in frames 34 … 50.
    private func cover(_ sum: inout [Float], _ covered: inout [Bool], _ quad: PlanarQuad, _ index: Int) {
        let phase = index >= 10 && index < 27 ? index - 10 : index >= 34 && index < 51 ? index - 34 : -1
        guard phase >= 0 else { return }
        let corner = index < 30 ? quad.topRight : quad.bottomLeft
        let centre = quad.centre
        // In and out again.
        let depth = 0.75 * sin(Double.pi * (Double(phase) + 0.5) / 17)
        let length = (quad.sides.width + quad.sides.height) / 2
        let (dx, dy) = (centre.x - corner.x, centre.y - corner.y)
        let norm = (dx * dx + dy * dy).squareRoot()
        let (ux, uy) = (dx / norm, dy / norm)
        for finger in 0..<4 {
            let aside = (Double(finger) - 1.5) * 0.11 * length
            let reach = length * (depth * 0.55 - 0.04 * abs(Double(finger) - 1.2))
            let radius = 0.05 * length
            let start = (corner.x - ux * length * 0.5 - uy * aside, corner.y - uy * length * 0.5 + ux * aside)
            let end = (corner.x + ux * reach - uy * aside, corner.y + uy * reach + ux * aside)
            for y in Self.span(start.1, end.1, radius, Self.height) {
                for x in Self.span(start.0, end.0, radius, Self.width) {
                    let (px, py) = (Double(x) - start.0, Double(y) - start.1)
                    let (ex, ey) = (end.0 - start.0, end.1 - start.1)
                    let t = min(max((px * ex + py * ey) / (ex * ex + ey * ey), 0), 1)
                    let distance = ((px - t * ex) * (px - t * ex) + (py - t * ey) * (py - t * ey)).squareRoot()
                    guard distance < radius else { continue }
                    let shade = Float(1 - 0.5 * (distance / radius) * (distance / radius))
                    let index = y * Self.width + x
                    covered[index] = true
                    for (channel, value) in [Float(214), 160, 130].enumerated() {
                        sum[index * 3 + channel] = value * shade
                    }
                }
            }
        }
    }

    /// The pixels between two coordinates and `margin` around them, of `limit`.
    private static func span(_ a: Double, _ b: Double, _ margin: Double, _ limit: Int) -> Range<Int> {
        func pixel(_ coordinate: Double) -> Int { Int(min(max(coordinate, 0), Double(limit))) }
        return pixel(min(a, b) - margin)..<pixel(max(a, b) + margin)
    }

    private static func defocus(_ sum: inout [Float]) {
        let source = sum
        for y in 1..<(height - 1) {
            for x in 1..<(width - 1) {
                for channel in 0..<3 {
                    var value: Float = 0
                    for dy in -1...1 {
                        for dx in -1...1 { value += source[((y + dy) * width + x + dx) * 3 + channel] }
                    }
                    sum[(y * width + x) * 3 + channel] = value / 9
                }
            }
        }
    }

    private func light(_ sum: inout [Float], _ index: Int) {
        guard kind == .light else { return }
        let time = Double(index)
        let gain = Float(1 + 0.3 * sin(time / 7)), offset = Float(15 * sin(time / 11))
        let slope = Float(0.5 * sin(time / 13))
        let (spotX, spotY) = (320 + 150 * sin(time / 17), 240 + 100 * cos(time / 19))
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let (dx, dy) = (Double(x) - spotX, Double(y) - spotY)
                let spot = Float(110 * exp(-(dx * dx + dy * dy) / (2 * 45 * 45)))
                let factor = gain * (1 + slope * (Float(x) / Float(Self.width) - 0.5))
                for channel in 0..<3 {
                    let index = (y * Self.width + x) * 3 + channel
                    sum[index] = sum[index] * factor + offset + spot
                }
            }
        }
    }
}
