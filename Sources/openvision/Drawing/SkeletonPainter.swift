import Vision

/// A line between two joints and its colour.
struct Limb<Joint: Hashable & Sendable>: Sendable {
    let from: Joint
    let to: Joint
    let colour: Colour
}

/// Draws joints and the limbs between them, with smooth edges.
struct SkeletonPainter<Joint: Hashable & Sendable> {
    /// In the order in which they are drawn.
    let limbs: [Limb<Joint>]
    /// Joints with a lower confidence are not drawn.
    var leastConfidence: Float = 0.2

    /// Draws one skeleton.
    ///
    /// - Parameter joints: In pixels of the canvas, y down.
    func draw(_ joints: [Joint: (point: CGPoint, confidence: Float)], on canvas: Canvas) {
        let drawn = joints.filter {
            $0.value.confidence >= leastConfidence && $0.value.point.x.isFinite && $0.value.point.y.isFinite
                && abs($0.value.point.x) < 1e6 && abs($0.value.point.y) < 1e6
        }
        let (xs, ys) = (drawn.values.map(\.point.x), drawn.values.map(\.point.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return }
        let size = max(right - left, bottom - top)
        let radius = min(max(size / 110, 1), CGFloat(max(canvas.width, canvas.height)) / 120)
        for limb in limbs {
            guard let from = drawn[limb.from], let to = drawn[limb.to] else { continue }
            let opacity = 0.35 + 0.6 * Double(min(from.confidence, to.confidence))
            canvas.line(from: from.point, to: to.point, radius: radius + 0.8, .black, opacity: 0.5 * opacity)
            canvas.line(from: from.point, to: to.point, radius: radius, limb.colour, opacity: opacity)
        }
        var colours: [Joint: Colour] = [:]
        for limb in limbs { colours[limb.to] = limb.colour }
        for limb in limbs where colours[limb.from] == nil { colours[limb.from] = limb.colour }
        for (joint, colour) in colours {
            guard let found = drawn[joint] else { continue }
            let dot = radius * 1.45
            canvas.line(from: found.point, to: found.point, radius: dot + 0.8, .black, opacity: 0.5)
            canvas.line(from: found.point, to: found.point, radius: dot, .white, opacity: 1)
            canvas.line(from: found.point, to: found.point, radius: dot * 0.68, colour, opacity: 1)
        }
    }
}

extension SkeletonPainter where Joint == VNHumanBodyPoseObservation.JointName {
    private static let left = Colour(red: 40, green: 170, blue: 255)
    private static let right = Colour(red: 255, green: 130, blue: 30)
    private static let middle = Colour(red: 90, green: 220, blue: 90)

    /// The limbs of a body: the person's left side blue, the right side orange.
    static let body = SkeletonPainter(limbs: [
        Limb(from: .neck, to: .root, colour: middle),
        Limb(from: .neck, to: .leftShoulder, colour: left), Limb(from: .neck, to: .rightShoulder, colour: right),
        Limb(from: .root, to: .leftHip, colour: left), Limb(from: .root, to: .rightHip, colour: right),
        Limb(from: .leftHip, to: .leftKnee, colour: left), Limb(from: .leftKnee, to: .leftAnkle, colour: left),
        Limb(from: .rightHip, to: .rightKnee, colour: right), Limb(from: .rightKnee, to: .rightAnkle, colour: right),
        Limb(from: .leftShoulder, to: .leftElbow, colour: left), Limb(from: .leftElbow, to: .leftWrist, colour: left),
        Limb(from: .rightShoulder, to: .rightElbow, colour: right),
        Limb(from: .rightElbow, to: .rightWrist, colour: right),
        Limb(from: .neck, to: .nose, colour: middle), Limb(from: .nose, to: .leftEye, colour: left),
        Limb(from: .leftEye, to: .leftEar, colour: left), Limb(from: .nose, to: .rightEye, colour: right),
        Limb(from: .rightEye, to: .rightEar, colour: right),
    ])
}

extension SkeletonPainter where Joint == VNHumanHandPoseObservation.JointName {
    /// The fingers of a hand, a colour each.
    static let hand = SkeletonPainter(
        limbs: [
            finger([.wrist, .thumbCMC, .thumbMP, .thumbIP, .thumbTip], Colour(red: 255, green: 90, blue: 90)),
            finger([.wrist, .indexMCP, .indexPIP, .indexDIP, .indexTip], Colour(red: 255, green: 190, blue: 40)),
            finger([.wrist, .middleMCP, .middlePIP, .middleDIP, .middleTip], Colour(red: 90, green: 220, blue: 90)),
            finger([.wrist, .ringMCP, .ringPIP, .ringDIP, .ringTip], Colour(red: 40, green: 170, blue: 255)),
            finger([.wrist, .littleMCP, .littlePIP, .littleDIP, .littleTip], Colour(red: 200, green: 110, blue: 255)),
        ].flatMap { $0 })

    private static func finger(
        _ joints: [VNHumanHandPoseObservation.JointName], _ colour: Colour
    ) -> [Limb<VNHumanHandPoseObservation.JointName>] {
        zip(joints, joints.dropFirst()).map { Limb(from: $0, to: $1, colour: colour) }
    }
}
