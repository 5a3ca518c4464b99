public import Foundation

/// A person or a hand drawn by formula, so that tests have joints at known positions.
///
/// Everything is made of capsules: lines with round ends, whose width may change from one end to the other.
public struct DrawnBody {
    /// Red, green and blue, 0…255.
    public typealias Colour = SIMD3<Double>

    fileprivate struct Capsule {
        var from: CGPoint
        var to: CGPoint
        var startRadius: Double
        var endRadius: Double
        var colour: Colour
    }

    private var capsules: [Capsule] = []
    /// In pixels from the top left.
    public private(set) var joints: [String: CGPoint] = [:]

    private static let skin: Colour = [224, 176, 148]
    private static let shirt: Colour = [60, 90, 170]
    private static let trousers: Colour = [50, 55, 70]
    private static let hair: Colour = [60, 40, 25]

    private mutating func add(_ from: CGPoint, _ to: CGPoint, _ start: Double, _ end: Double, _ colour: Colour) {
        capsules.append(Capsule(from: from, to: to, startRadius: start, endRadius: end, colour: colour))
    }

    // MARK: - Bodies

    /// A person who stands before the camera: the person's left side is on the right.
    ///
    /// - Parameters:
    ///   - x: The middle of the body.
    ///   - top: The top of the head.
    ///   - height: In pixels.
    ///   - raised: Whether the arms are raised.
    public static func person(x: Double, top: Double, height: Double, raised: Bool = false) -> DrawnBody {
        var body = DrawnBody()
        func point(_ across: Double, _ down: Double) -> CGPoint {
            CGPoint(x: x + across * height, y: top + down * height)
        }
        let places: [(String, Double, Double)] =
            [
                ("leftShoulder", 0.1, 0.2), ("rightShoulder", -0.1, 0.2), ("leftHip", 0.055, 0.5),
                ("rightHip", -0.055, 0.5), ("leftKnee", 0.065, 0.72), ("rightKnee", -0.065, 0.72),
                ("leftAnkle", 0.07, 0.93), ("rightAnkle", -0.07, 0.93),
            ]
            + (raised
                ? [
                    ("leftElbow", 0.22, 0.15), ("leftWrist", 0.27, 0.02), ("rightElbow", -0.24, 0.2),
                    ("rightWrist", -0.36, 0.16),
                ]
                : [
                    ("leftElbow", 0.15, 0.34), ("leftWrist", 0.17, 0.47), ("rightElbow", -0.15, 0.34),
                    ("rightWrist", -0.17, 0.47),
                ])
        for (name, across, down) in places { body.joints[name] = point(across, down) }
        func joint(_ name: String) -> CGPoint { body.joints[name] ?? .zero }
        func limb(_ from: String, _ to: String, _ start: Double, _ end: Double, _ colour: Colour) {
            body.add(joint(from), joint(to), start * height, end * height, colour)
        }
        for (side, sign) in [("left", 1.0), ("right", -1)] {
            limb("\(side)Hip", "\(side)Knee", 0.052, 0.04, trousers)
            limb("\(side)Knee", "\(side)Ankle", 0.038, 0.026, trousers)
            let ankle = joint("\(side)Ankle")
            let toe = CGPoint(x: ankle.x + sign * 0.03 * height, y: ankle.y + 0.045 * height)
            body.add(ankle, toe, 0.026 * height, 0.02 * height, [30, 30, 30])
        }
        body.add(point(0, 0.21), point(0, 0.3), 0.075 * height, 0.075 * height, shirt)
        limb("leftShoulder", "leftHip", 0.045, 0.05, shirt)
        limb("rightShoulder", "rightHip", 0.045, 0.05, shirt)
        limb("leftShoulder", "rightShoulder", 0.04, 0.04, shirt)
        body.add(point(0, 0.3), point(0, 0.48), 0.075 * height, 0.075 * height, shirt)
        body.add(point(0, 0.17), point(0, 0.085), 0.03 * height, 0.03 * height, skin)
        for side in ["left", "right"] {
            limb("\(side)Shoulder", "\(side)Elbow", 0.035, 0.028, shirt)
            limb("\(side)Elbow", "\(side)Wrist", 0.026, 0.02, skin)
            let (wrist, elbow) = (joint("\(side)Wrist"), joint("\(side)Elbow"))
            let length = hypot(wrist.x - elbow.x, wrist.y - elbow.y)
            let hand = CGPoint(
                x: wrist.x + (wrist.x - elbow.x) / length * 0.04 * height,
                y: wrist.y + (wrist.y - elbow.y) / length * 0.04 * height)
            body.add(wrist, hand, 0.022 * height, 0.018 * height, skin)
        }
        body.addHead(point, height)
        return body
    }

    private mutating func addHead(_ point: (Double, Double) -> CGPoint, _ height: Double) {
        func dot(_ across: Double, _ down: Double, _ radius: Double, _ colour: Colour) {
            add(point(across, down), point(across, down), radius * height, radius * height, colour)
        }
        dot(0, 0.06, 0.058, Self.hair)
        add(point(0, 0.075), point(0, 0.105), 0.048 * height, 0.042 * height, Self.skin)
        for sign in [-1.0, 1] {
            dot(sign * 0.018, 0.077, 0.008, [250, 250, 250])
            dot(sign * 0.018, 0.077, 0.0045, [30, 20, 20])
            add(
                point(sign * 0.012, 0.064), point(sign * 0.025, 0.064), 0.003 * height, 0.003 * height, Self.hair)
            add(point(sign * 0.05, 0.085), point(sign * 0.05, 0.093), 0.01 * height, 0.008 * height, Self.skin)
        }
        add(point(0, 0.085), point(0, 0.099), 0.006 * height, 0.009 * height, [235, 180, 150])
        add(point(-0.014, 0.119), point(0.014, 0.119), 0.005 * height, 0.005 * height, [180, 80, 80])
        joints["nose"] = point(0, 0.094)
    }

    // MARK: - Hands

    /// A spread hand whose palm faces the camera, with the joints `wrist` and the tips of the five fingers.
    ///
    /// - Parameters:
    ///   - x: The wrist.
    ///   - y: The wrist.
    ///   - size: The length of the palm and a half, in pixels.
    ///   - angle: Radians, clockwise; 0 for fingers that point up.
    ///   - isLeft: A left palm has its thumb on the left.
    public static func hand(x: Double, y: Double, size: Double, angle: Double = 0, isLeft: Bool) -> DrawnBody {
        var body = DrawnBody()
        func point(_ across: Double, _ up: Double) -> CGPoint {
            let across = isLeft ? across : -across
            return CGPoint(
                x: x + size * (across * cos(angle) + up * sin(angle)),
                y: y + size * (across * sin(angle) - up * cos(angle)))
        }
        let fingers: [(name: String, base: (Double, Double), tip: (Double, Double))] = [
            ("thumbTip", (-0.30, 0.28), (-0.62, 0.62)), ("indexTip", (-0.20, 0.62), (-0.30, 1.12)),
            ("middleTip", (-0.02, 0.66), (-0.03, 1.22)), ("ringTip", (0.14, 0.62), (0.2, 1.13)),
            ("littleTip", (0.28, 0.54), (0.42, 0.92)),
        ]
        body.joints["wrist"] = point(0, 0)
        body.add(point(0, -0.9), point(0, 0), 0.2 * size, 0.2 * size, skin)
        for finger in fingers {
            body.add(point(0, 0), point(finger.base.0, finger.base.1), 0.2 * size, 0.13 * size, skin)
        }
        body.add(point(-0.05, 0.3), point(0.1, 0.3), 0.27 * size, 0.27 * size, skin)
        for finger in fingers {
            body.joints[finger.name] = point(finger.tip.0, finger.tip.1)
            body.add(
                point(finger.base.0, finger.base.1), point(finger.tip.0, finger.tip.1),
                (finger.name == "thumbTip" ? 0.12 : 0.1) * size, 0.075 * size, skin)
        }
        return body
    }
}

extension DrawnBody {
    /// Returns bodies before a wall as rows of blue, green, red and 255.
    public static func pixels(_ bodies: [DrawnBody], width: Int, height: Int) -> [UInt8] {
        var pixels = [Colour](repeating: .zero, count: width * height)
        for index in pixels.indices {
            let (x, y) = (Double(index % width) + 0.5, Double(index / width) + 0.5)
            pixels[index] = Colour(150 + 30 * sin(x / 60), 165 + 25 * sin(x / 45 + y / 70), 180 - 30 * y / 400)
        }
        for capsule in bodies.flatMap(\.capsules) { capsule.draw(on: &pixels, width: width, height: height) }
        var bytes = [UInt8](repeating: 255, count: 4 * width * height)
        for (index, colour) in pixels.enumerated() {
            for component in 0..<3 { bytes[4 * index + component] = UInt8(min(max(colour[2 - component], 0), 255)) }
        }
        return bytes
    }
}

extension DrawnBody.Capsule {
    /// Draws the capsule with a smooth edge, darker towards it.
    fileprivate func draw(on pixels: inout [DrawnBody.Colour], width: Int, height: Int) {
        let reach = max(startRadius, endRadius) + 1
        func span(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
            let first = min(max(Int((low - reach).rounded(.down)), 0), limit)
            return first..<min(max(Int((high + reach).rounded(.up)), first), limit)
        }
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let squared = dx * dx + dy * dy
        for row in span(min(from.y, to.y), max(from.y, to.y), height) {
            for column in span(min(from.x, to.x), max(from.x, to.x), width) {
                let (x, y) = (Double(column) + 0.5 - from.x, Double(row) + 0.5 - from.y)
                let share = squared > 0 ? min(max((x * dx + y * dy) / squared, 0), 1) : 0
                let distance = hypot(x - share * dx, y - share * dy)
                let radius = startRadius + (endRadius - startRadius) * share
                let cover = min(max(radius - distance + 0.5, 0), 1)
                guard cover > 0 else { continue }
                let shade = 1 - 0.45 * pow(min(distance / radius, 1), 2)
                let index = row * width + column
                pixels[index] = pixels[index] * (1 - cover) + colour * (shade * cover)
            }
        }
    }
}
