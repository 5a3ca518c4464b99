import Vision
import VisionPhotos
import VisionRecords

extension VNHumanBodyPoseObservation.JointName {
    /// The joints with their names for people and programs, from the head to the feet.
    static let names: [(joint: Self, name: String)] = [
        (.nose, "nose"), (.leftEye, "leftEye"), (.rightEye, "rightEye"), (.leftEar, "leftEar"),
        (.rightEar, "rightEar"), (.neck, "neck"), (.leftShoulder, "leftShoulder"), (.rightShoulder, "rightShoulder"),
        (.leftElbow, "leftElbow"), (.rightElbow, "rightElbow"), (.leftWrist, "leftWrist"),
        (.rightWrist, "rightWrist"), (.root, "root"), (.leftHip, "leftHip"), (.rightHip, "rightHip"),
        (.leftKnee, "leftKnee"), (.rightKnee, "rightKnee"), (.leftAnkle, "leftAnkle"), (.rightAnkle, "rightAnkle"),
    ]
}

extension VNHumanHandPoseObservation.JointName {
    /// The joints with their names for people and programs, from the wrist to the little finger.
    static let names: [(joint: Self, name: String)] = [
        (.wrist, "wrist"), (.thumbCMC, "thumbCMC"), (.thumbMP, "thumbMP"), (.thumbIP, "thumbIP"),
        (.thumbTip, "thumbTip"), (.indexMCP, "indexMCP"), (.indexPIP, "indexPIP"), (.indexDIP, "indexDIP"),
        (.indexTip, "indexTip"), (.middleMCP, "middleMCP"), (.middlePIP, "middlePIP"), (.middleDIP, "middleDIP"),
        (.middleTip, "middleTip"), (.ringMCP, "ringMCP"), (.ringPIP, "ringPIP"), (.ringDIP, "ringDIP"),
        (.ringTip, "ringTip"), (.littleMCP, "littleMCP"), (.littlePIP, "littlePIP"), (.littleDIP, "littleDIP"),
        (.littleTip, "littleTip"),
    ]
}

extension VNHumanBodyPose3DObservation.JointName {
    /// The joints with their names for people and programs, from the head to the feet.
    static let names: [(joint: Self, name: String)] = [
        (.topHead, "topHead"), (.centerHead, "centerHead"), (.centerShoulder, "centerShoulder"),
        (.leftShoulder, "leftShoulder"), (.rightShoulder, "rightShoulder"), (.leftElbow, "leftElbow"),
        (.rightElbow, "rightElbow"), (.leftWrist, "leftWrist"), (.rightWrist, "rightWrist"), (.spine, "spine"),
        (.root, "root"), (.leftHip, "leftHip"), (.rightHip, "rightHip"), (.leftKnee, "leftKnee"),
        (.rightKnee, "rightKnee"), (.leftAnkle, "leftAnkle"), (.rightAnkle, "rightAnkle"),
    ]
}

/// The joints of a body or of a hand in pixels from the top left.
struct PixelJoints<Joint: Hashable & Sendable>: Sendable {
    struct Value: Sendable {
        let point: CGPoint
        let confidence: Float
    }

    let confidence: Float
    let values: [Joint: Value]

    /// - Parameters:
    ///   - width: The columns of the image that the points are normalised to.
    ///   - height: Its rows.
    init(_ points: [Joint: VNRecognizedPoint], confidence: Float, width: Int, height: Int) {
        self.confidence = confidence
        values = points.mapValues { point in
            Value(
                point: CGPoint(x: point.x * Double(width), y: (1 - point.y) * Double(height)),
                confidence: point.confidence)
        }
    }

    /// Returns the joints for a record.
    func records(_ names: [(joint: Joint, name: String)]) -> [String: JointRecord] {
        Dictionary(
            uniqueKeysWithValues: names.compactMap { joint, name in
                values[joint].map { value in
                    let point = PixelPoint(x: Double(value.point.x), y: Double(value.point.y))
                    return (
                        name, JointRecord(point: point, confidence: Decimals.rounded(Double(value.confidence), 4))
                    )
                }
            })
    }

    /// Returns a line of text for each joint.
    func lines(_ names: [(joint: Joint, name: String)]) -> [String] {
        names.compactMap { joint, name in
            values[joint].map { value in
                let numbers = [
                    Decimals.text(Double(value.point.x), 1), Decimals.text(Double(value.point.y), 1),
                    Decimals.text(Double(value.confidence), 2),
                ]
                let padding = String(repeating: " ", count: max(0, 14 - name.count))
                return "    \(name)\(padding)  \(numbers.joined(separator: "  "))"
            }
        }
    }

    /// The joints as they are drawn.
    var drawn: SkeletonPainter<Joint>.Joints { values.mapValues { ($0.point, $0.confidence) } }
}
