import Foundation
import VisionImage

/// Images of a camera that is rotated by a known angle: rays are cast into a sea, hills or a street.
struct HorizonScene {
    enum Kind: String, CaseIterable {
        /// Waves to a straight horizon, and clouds.
        case sea
        /// Hills along the horizon, which reach up to a degree above it.
        case hills
        /// Boxes with windows along a street, seen from any side, up or down.
        case street
    }

    private struct House {
        var left, right, near, far, height: Double
        var brightness: Double
        var window: (width: Double, height: Double)
    }

    private let kind: Kind
    /// In radians; the roll is above 0 where the horizon's right end is the lower one.
    private let roll, pitch, yaw: Double
    private let focalLength: Double
    private let cameraHeight: Double
    private let contrast: Double
    private let noise: Float
    private let phases: [Double]
    private var houses: [House] = []
    private let seed: UInt64

    init(_ kind: Kind, roll: Double, _ random: inout SplitMix64) {
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        self.kind = kind
        self.roll = roll
        pitch = number(kind == .street ? -0.1...0.3 : -0.15...0.1)
        yaw = number(-1...1)
        focalLength = number(0.8...1.5)
        cameraHeight = number(1.5...6)
        contrast = number(0.4...1)
        noise = Float(number(0...8))
        phases = (0..<6).map { _ in number(0...2 * .pi) }
        seed = random.next()
        guard kind == .street else { return }
        for side in [-1.0, 1] {
            var near = number(4...10)
            while near < 120 {
                let depth = number(8...25)
                let edge = number(5...12)
                houses.append(
                    House(
                        left: side < 0 ? -edge - 20 : edge, right: side < 0 ? -edge : edge + 20, near: near,
                        far: near + depth, height: number(5...25), brightness: number(60...190),
                        window: (number(1.5...3.5), number(2.5...3.5))))
                near += depth + number(0...8)
            }
        }
    }

    /// The image, in grey.
    func grey(width: Int, height: Int, _ random: inout SplitMix64) -> [UInt8] {
        let scale = 1 / (focalLength * Double(max(width, height)))
        return (0..<width * height).map { index in
            var sum = 0.0
            for sample in 0..<4 {
                let x = Double(index % width) + 0.25 + 0.5 * Double(sample % 2) - Double(width) / 2
                let y = Double(index / width) + 0.25 + 0.5 * Double(sample / 2) - Double(height) / 2
                sum += brightness(x * scale, y * scale)
            }
            // The sum of two uniform numbers has a triangular distribution, close enough to a sensor's noise.
            let error = Double(noise * (random.symmetric() + random.symmetric()))
            return UInt8(min(255, max(0, sum / 4 + error)))
        }
    }

    private func brightness(_ x: Double, _ y: Double) -> Double {
        let (across, down) = (x * cos(roll) + y * sin(roll), y * cos(roll) - x * sin(roll))
        let (fall, forward) = (down * cos(pitch) - sin(pitch), down * sin(pitch) + cos(pitch))
        let ray = SIMD3(across * cos(yaw) + forward * sin(yaw), fall, forward * cos(yaw) - across * sin(yaw))
        let sky = 205 + 60 * fall + contrast * 25 * texture(ray.x / (abs(fall) + 0.15), ray.z / (abs(fall) + 0.15))
        switch kind {
        case .sea:
            guard fall > 0 else { return sky }
            let distance = cameraHeight / fall
            let waves =
                texture(ray.x * distance, ray.z * distance) + texture(ray.x * distance / 9, ray.z * distance / 9)
            return 205 - 100 * contrast + contrast * 35 * waves / (1 + distance / 200)
        case .hills:
            let azimuth = atan2(ray.x, ray.z)
            let rise = zip(phases, [3.0, 5, 9, 14, 23, 37]).reduce(0.0) { $0 + sin($1.1 * azimuth + $1.0) / $1.1 }
            guard -fall < 0.017 * (0.6 + rise) else { return sky }
            let distance = cameraHeight / max(fall, 0.004)
            return 210 - 110 * contrast + 22 * texture(ray.x * distance, ray.z * distance)
        case .street:
            return street(ray) ?? (fall > 0 ? ground(ray) : sky)
        }
    }

    private func ground(_ ray: SIMD3<Double>) -> Double {
        let distance = cameraHeight / ray.y
        return 110 + 18 * texture(ray.x * distance, ray.z * distance)
    }

    /// The nearest wall that a ray meets.
    private func street(_ ray: SIMD3<Double>) -> Double? {
        var nearest = Double.infinity
        var found: Double?
        for house in houses {
            for (isFront, plane) in [(true, house.near), (true, house.far), (false, house.left), (false, house.right)] {
                let distance = plane / (isFront ? ray.z : ray.x)
                guard distance > 0.1, distance < nearest else { continue }
                let (along, height) = ((isFront ? ray.x : ray.z) * distance, cameraHeight - ray.y * distance)
                let range = isFront ? house.left...house.right : house.near...house.far
                guard range.contains(along), (0...house.height).contains(height) else { continue }
                nearest = distance
                let (u, v) = (along / house.window.width, height / house.window.height)
                let isWindow =
                    (0.25...0.75).contains(u - u.rounded(.down)) && (0.3...0.8).contains(v - v.rounded(.down))
                found =
                    house.brightness * (isFront ? 1 : 0.8) * (isWindow ? 1 - 0.6 * contrast : 1)
                    + 8 * texture(along * 3, height * 3)
            }
        }
        return found
    }

    /// Smooth noise between -1 and 1, about a wave in 1.
    private func texture(_ x: Double, _ y: Double) -> Double {
        guard abs(x) < 1e6, abs(y) < 1e6 else { return 0 }
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        func value(_ dx: Double, _ dy: Double) -> Double {
            var hash = SplitMix64(
                seed: seed ^ UInt64(bitPattern: Int64(left + dx)) &* 0x9E37_79B9 ^ UInt64(bitPattern: Int64(top + dy))
                    << 32)
            return Double(hash.symmetric())
        }
        let (u, v) = (x - left, y - top)
        let (p, q) = (u * u * (3 - 2 * u), v * v * (3 - 2 * v))
        return (value(0, 0) * (1 - p) + value(1, 0) * p) * (1 - q) + (value(0, 1) * (1 - p) + value(1, 1) * p) * q
    }
}
