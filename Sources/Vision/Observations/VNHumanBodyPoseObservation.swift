import VisionImage
import VisionModels

/// The joints of a person's body, as points of the image.
///
/// Left and right are the person's. Every joint has a location, also one that is hidden or outside the image: there the
/// network guesses, and the confidence is low.
open class VNHumanBodyPoseObservation: VNRecognizedPointsObservation, @unchecked Sendable {
    /// The name of a joint.
    public struct JointName: RawRepresentable, Hashable, Sendable {
        /// The name as a key of `recognizedPoint(forKey:)`.
        public let rawValue: VNRecognizedPointKey

        /// Creates a name from a key.
        public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

        private init(_ text: String) { rawValue = VNRecognizedPointKey(rawValue: text) }

        /// The tip of the nose.
        public static let nose = JointName("head_joint")
        /// The left eye.
        public static let leftEye = JointName("left_eye_joint")
        /// The right eye.
        public static let rightEye = JointName("right_eye_joint")
        /// The left ear.
        public static let leftEar = JointName("left_ear_joint")
        /// The right ear.
        public static let rightEar = JointName("right_ear_joint")
        /// The left shoulder.
        public static let leftShoulder = JointName("left_shoulder_1_joint")
        /// The right shoulder.
        public static let rightShoulder = JointName("right_shoulder_1_joint")
        /// The middle of the shoulders.
        public static let neck = JointName("neck_1_joint")
        /// The left elbow.
        public static let leftElbow = JointName("left_forearm_joint")
        /// The right elbow.
        public static let rightElbow = JointName("right_forearm_joint")
        /// The left wrist.
        public static let leftWrist = JointName("left_hand_joint")
        /// The right wrist.
        public static let rightWrist = JointName("right_hand_joint")
        /// The left hip.
        public static let leftHip = JointName("left_upLeg_joint")
        /// The right hip.
        public static let rightHip = JointName("right_upLeg_joint")
        /// The middle of the hips.
        public static let root = JointName("root")
        /// The left knee.
        public static let leftKnee = JointName("left_leg_joint")
        /// The right knee.
        public static let rightKnee = JointName("right_leg_joint")
        /// The left ankle.
        public static let leftAnkle = JointName("left_foot_joint")
        /// The right ankle.
        public static let rightAnkle = JointName("right_foot_joint")
    }

    /// The name of a group of joints.
    public struct JointsGroupName: RawRepresentable, Hashable, Sendable {
        /// The name as a key of `recognizedPoints(forGroupKey:)`.
        public let rawValue: VNRecognizedPointGroupKey

        /// Creates a name from a key.
        public init(rawValue: VNRecognizedPointGroupKey) { self.rawValue = rawValue }

        private init(_ text: String) { rawValue = VNRecognizedPointGroupKey(rawValue: text) }

        /// The nose, the eyes and the ears.
        public static let face = JointsGroupName("VNBLKFACE")
        /// The neck, the shoulders, the hips and the root.
        public static let torso = JointsGroupName("VNBLKTORSO")
        /// The left shoulder, elbow and wrist.
        public static let leftArm = JointsGroupName("VNBLKLARM")
        /// The right shoulder, elbow and wrist.
        public static let rightArm = JointsGroupName("VNBLKRARM")
        /// The left hip, knee and ankle.
        public static let leftLeg = JointsGroupName("VNBLKLLEG")
        /// The right hip, knee and ankle.
        public static let rightLeg = JointsGroupName("VNBLKRLEG")
        /// All joints.
        public static let all = JointsGroupName(rawValue: .all)
    }

    /// The joints with the engine's joint that each is made of, in the order in which they are stored.
    static let joints: [(name: JointName, joint: BodyJoint)] = [
        (.nose, .nose), (.leftEye, .leftEye), (.rightEye, .rightEye), (.leftEar, .leftEar), (.rightEar, .rightEar),
        (.leftShoulder, .leftShoulder), (.rightShoulder, .rightShoulder), (.neck, .neck), (.leftElbow, .leftElbow),
        (.rightElbow, .rightElbow), (.leftWrist, .leftWrist), (.rightWrist, .rightWrist), (.leftHip, .leftHip),
        (.rightHip, .rightHip), (.root, .root), (.leftKnee, .leftKnee), (.rightKnee, .rightKnee),
        (.leftAnkle, .leftAnkle), (.rightAnkle, .rightAnkle),
    ]

    private static let groups: [(name: JointsGroupName, members: [JointName])] = [
        (.face, [.nose, .leftEye, .rightEye, .leftEar, .rightEar]),
        (.torso, [.neck, .leftShoulder, .rightShoulder, .root, .leftHip, .rightHip]),
        (.leftArm, [.leftShoulder, .leftElbow, .leftWrist]), (.rightArm, [.rightShoulder, .rightElbow, .rightWrist]),
        (.leftLeg, [.leftHip, .leftKnee, .leftAnkle]), (.rightLeg, [.rightHip, .rightKnee, .rightAnkle]),
    ]

    static var groupNames: [JointsGroupName] { groups.map(\.name) + [.all] }

    static let bodyLayout = PointLayout(
        keys: joints.map(\.name.rawValue),
        groups: groups.map { ($0.name.rawValue, $0.members.map(\.rawValue)) },
        columns: [
            JointName.nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist,
            .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye, .rightEar,
            .leftEar,
        ].map(\.rawValue))

    override class var layout: PointLayout { bodyLayout }

    /// The names of all joints.
    open var availableJointNames: [JointName] { availableKeys.map(JointName.init) }

    /// The names of all groups of joints.
    open var availableJointsGroupNames: [JointsGroupName] { availableGroupKeys.map(JointsGroupName.init) }

    /// Returns a joint.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableJointNames`.
    open func recognizedPoint(_ jointName: JointName) throws -> VNRecognizedPoint {
        try recognizedPoint(forKey: jointName.rawValue)
    }

    /// Returns the joints of a group by name.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableJointsGroupNames`.
    open func recognizedPoints(_ jointsGroupName: JointsGroupName) throws -> [JointName: VNRecognizedPoint] {
        let points = try recognizedPoints(forGroupKey: jointsGroupName.rawValue)
        return Dictionary(points.map { (JointName(rawValue: $0), $1) }, uniquingKeysWith: { first, _ in first })
    }
}
