import Vision

/// A line between two joints and its colour.
struct Limb<Joint: Hashable & Sendable>: Sendable {
    let from: Joint
    let to: Joint
    let colour: Colour
}

/// Draws joints and the limbs between them.
struct SkeletonPainter<Joint: Hashable & Sendable> {
    /// In the order in which they are drawn.
    let limbs: [Limb<Joint>]
    /// What the colours mean.
    let legend: [(name: String, colour: Colour)]
    /// Joints with a lower confidence are not drawn.
    var leastConfidence: Float = 0.2

    typealias Joints = [Joint: (point: CGPoint, confidence: Float)]

    /// Draws skeletons, the first one above the others, and the legend.
    ///
    /// - Parameters:
    ///   - skeletons: In pixels of the canvas, y down.
    ///   - place: Of the legend in a video.
    func draw(_ skeletons: [Joints], on canvas: Canvas, legendAt place: LegendPlace? = nil) {
        let shown = skeletons.map(visible)
        for joints in shown.reversed() { draw(joints, on: canvas) }
        let spot = CGFloat(max(canvas.width, canvas.height)) / 20
        let spots = shown.flatMap { joints in
            joints.values.map { CGRect(x: $0.point.x - spot, y: $0.point.y - spot, width: 2 * spot, height: 2 * spot) }
        }
        if !spots.isEmpty { Legend(entries: legend).draw(avoiding: spots, on: canvas, at: place) }
    }

    private func visible(_ joints: Joints) -> Joints {
        joints.filter {
            $0.value.confidence >= leastConfidence && $0.value.point.x.isFinite && $0.value.point.y.isFinite
                && abs($0.value.point.x) < 1e6 && abs($0.value.point.y) < 1e6
        }
    }

    private static func bounds(_ joints: Joints) -> CGRect? {
        let (xs, ys) = (joints.values.map(\.point.x), joints.values.map(\.point.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return nil }
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    private func draw(_ joints: Joints, on canvas: Canvas) {
        guard let box = Self.bounds(joints) else { return }
        let size = Double(max(box.width, box.height))
        let radius = min(max(size / 110, 1), Double(max(canvas.width, canvas.height)) / 120)
        for limb in limbs {
            guard let from = joints[limb.from], let to = joints[limb.to] else { continue }
            let opacity = 0.35 + 0.6 * Double(min(from.confidence, to.confidence))
            canvas.stroke(
                [from.point, to.point], width: 2 * radius, limb.colour, opacity: opacity, halo: max(1, radius / 3))
        }
        var colours: [Joint: Colour] = [:]
        for limb in limbs { colours[limb.to] = limb.colour }
        for limb in limbs where colours[limb.from] == nil { colours[limb.from] = limb.colour }
        for (joint, colour) in colours {
            guard let found = joints[joint] else { continue }
            canvas.dot(found.point, radius: radius * 1.45 + max(1, radius / 3), .black, opacity: 0.5)
            canvas.dot(found.point, radius: radius * 1.45, .white)
            canvas.dot(found.point, radius: radius, colour)
        }
    }
}

/// The colours of a body: the person's left side, right side and middle.
private let left = Colour(red: 40, green: 170, blue: 255)
private let right = Colour(red: 255, green: 130, blue: 30)
private let middle = Colour(red: 90, green: 220, blue: 90)

extension SkeletonPainter where Joint == VNHumanBodyPoseObservation.JointName {
    /// The limbs of a body: the person's left side blue, the right side orange.
    static let body = SkeletonPainter(
        limbs: [
            Limb(from: .neck, to: .root, colour: middle),
            Limb(from: .neck, to: .leftShoulder, colour: left), Limb(from: .neck, to: .rightShoulder, colour: right),
            Limb(from: .root, to: .leftHip, colour: left), Limb(from: .root, to: .rightHip, colour: right),
            Limb(from: .leftHip, to: .leftKnee, colour: left), Limb(from: .leftKnee, to: .leftAnkle, colour: left),
            Limb(from: .rightHip, to: .rightKnee, colour: right),
            Limb(from: .rightKnee, to: .rightAnkle, colour: right),
            Limb(from: .leftShoulder, to: .leftElbow, colour: left),
            Limb(from: .leftElbow, to: .leftWrist, colour: left),
            Limb(from: .rightShoulder, to: .rightElbow, colour: right),
            Limb(from: .rightElbow, to: .rightWrist, colour: right),
            Limb(from: .neck, to: .nose, colour: middle), Limb(from: .nose, to: .leftEye, colour: left),
            Limb(from: .leftEye, to: .leftEar, colour: left), Limb(from: .nose, to: .rightEye, colour: right),
            Limb(from: .rightEye, to: .rightEar, colour: right),
        ], legend: [("person's left", left), ("person's right", right)])
}

extension SkeletonPainter where Joint == VNHumanHandPoseObservation.JointName {
    private static let fingers: [(name: String, joints: [VNHumanHandPoseObservation.JointName], colour: Colour)] = [
        ("thumb", [.wrist, .thumbCMC, .thumbMP, .thumbIP, .thumbTip], Colour(red: 255, green: 90, blue: 90)),
        ("index finger", [.wrist, .indexMCP, .indexPIP, .indexDIP, .indexTip], Colour(red: 255, green: 190, blue: 40)),
        (
            "middle finger", [.wrist, .middleMCP, .middlePIP, .middleDIP, .middleTip],
            Colour(red: 90, green: 220, blue: 90)
        ),
        ("ring finger", [.wrist, .ringMCP, .ringPIP, .ringDIP, .ringTip], Colour(red: 40, green: 170, blue: 255)),
        (
            "little finger", [.wrist, .littleMCP, .littlePIP, .littleDIP, .littleTip],
            Colour(red: 200, green: 110, blue: 255)
        ),
    ]

    /// The fingers of a hand, a colour each.
    static let hand = SkeletonPainter(
        limbs: fingers.flatMap { finger in
            zip(finger.joints, finger.joints.dropFirst()).map { Limb(from: $0, to: $1, colour: finger.colour) }
        }, legend: fingers.map { ($0.name, $0.colour) })
}

extension SkeletonPainter where Joint == Int {
    /// The limbs between the 17 points of COCO's people: odd numbers are the person's left side.
    static let cocoBody = SkeletonPainter(
        limbs: [(5, 6), (11, 12)].map { Limb(from: $0, to: $1, colour: middle) }
            + [(5, 11), (5, 7), (7, 9), (11, 13), (13, 15), (0, 1), (1, 3)].flatMap { from, to in
                [
                    Limb(from: from, to: to, colour: left),
                    Limb(from: from == 0 ? 0 : from + 1, to: to + 1, colour: right),
                ]
            }, legend: [("person's left", left), ("person's right", right)])
}
