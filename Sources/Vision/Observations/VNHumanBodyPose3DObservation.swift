import VisionImage
import VisionModels

/// The joints of a person's body in space.
///
/// Positions are in metres from the root, the middle of the hips: x to the right of the image, y up, z towards the
/// camera. Left and right are the person's. Matrices have no rotation.
open class VNHumanBodyPose3DObservation: VNRecognizedPoints3DObservation, @unchecked Sendable {
    /// How the height of a body was found.
    public enum HeightEstimation: Int, Sendable {
        /// The height of a person whose height is not known.
        case reference = 0
        /// The height was measured. Observations of this package never are, because it has no depth of cameras.
        case measured = 1
    }

    /// The name of a joint.
    public struct JointName: RawRepresentable, Hashable, Sendable {
        /// The name as a key of `recognizedPoint(forKey:)`.
        public let rawValue: VNRecognizedPointKey

        /// Creates a name from a key.
        public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

        private init(_ text: String) { rawValue = VNRecognizedPointKey(rawValue: text) }

        /// The middle of the hips.
        public static let root = JointName("human_root_3D")
        /// The right hip.
        public static let rightHip = JointName("human_right_hip_3D")
        /// The right knee.
        public static let rightKnee = JointName("human_right_knee_3D")
        /// The right ankle.
        public static let rightAnkle = JointName("human_right_ankle_3D")
        /// The left hip.
        public static let leftHip = JointName("human_left_hip_3D")
        /// The left knee.
        public static let leftKnee = JointName("human_left_knee_3D")
        /// The left ankle.
        public static let leftAnkle = JointName("human_left_ankle_3D")
        /// The middle of the trunk.
        public static let spine = JointName("human_spine_3D")
        /// The middle of the shoulders.
        public static let centerShoulder = JointName("human_center_shoulder_3D")
        /// The middle of the head, between the ears.
        public static let centerHead = JointName("human_center_head_3D")
        /// The top of the head.
        public static let topHead = JointName("human_top_head_3D")
        /// The left shoulder.
        public static let leftShoulder = JointName("human_left_shoulder_3D")
        /// The left elbow.
        public static let leftElbow = JointName("human_left_elbow_3D")
        /// The left wrist.
        public static let leftWrist = JointName("human_left_wrist_3D")
        /// The right shoulder.
        public static let rightShoulder = JointName("human_right_shoulder_3D")
        /// The right elbow.
        public static let rightElbow = JointName("human_right_elbow_3D")
        /// The right wrist.
        public static let rightWrist = JointName("human_right_wrist_3D")
    }

    /// The name of a group of joints.
    public struct JointsGroupName: RawRepresentable, Hashable, Sendable {
        /// The name as a key of `recognizedPoints(forGroupKey:)`.
        public let rawValue: VNRecognizedPointGroupKey

        /// Creates a name from a key.
        public init(rawValue: VNRecognizedPointGroupKey) { self.rawValue = rawValue }

        private init(_ text: String) { rawValue = VNRecognizedPointGroupKey(rawValue: text) }

        /// The middle and the top of the head.
        public static let head = JointsGroupName("VNBLK3DHEAD")
        /// The root, the spine, the shoulders and the hips.
        public static let torso = JointsGroupName("VNBLK3DTORSO")
        /// The left shoulder, elbow and wrist.
        public static let leftArm = JointsGroupName("VNBLK3DLARM")
        /// The right shoulder, elbow and wrist.
        public static let rightArm = JointsGroupName("VNBLK3DRARM")
        /// The left hip, knee and ankle.
        public static let leftLeg = JointsGroupName("VNBLK3DLLEG")
        /// The right hip, knee and ankle.
        public static let rightLeg = JointsGroupName("VNBLK3DRLEG")
        /// All joints.
        public static let all = JointsGroupName(rawValue: .all)
    }

    /// By the index of the engine's joint.
    static let joints: [JointName] = BodySkeleton.Joint.allCases.map { joint in
        switch joint {
        case .root: .root
        case .spine: .spine
        case .centreShoulder: .centerShoulder
        case .centreHead: .centerHead
        case .topHead: .topHead
        case .leftShoulder: .leftShoulder
        case .leftElbow: .leftElbow
        case .leftWrist: .leftWrist
        case .rightShoulder: .rightShoulder
        case .rightElbow: .rightElbow
        case .rightWrist: .rightWrist
        case .leftHip: .leftHip
        case .leftKnee: .leftKnee
        case .leftAnkle: .leftAnkle
        case .rightHip: .rightHip
        case .rightKnee: .rightKnee
        case .rightAnkle: .rightAnkle
        }
    }

    private static let groups: [(name: JointsGroupName, members: [JointName])] = [
        (.head, [.centerHead, .topHead]),
        (.torso, [.root, .spine, .centerShoulder, .leftShoulder, .rightShoulder, .leftHip, .rightHip]),
        (.leftArm, [.leftShoulder, .leftElbow, .leftWrist]), (.rightArm, [.rightShoulder, .rightElbow, .rightWrist]),
        (.leftLeg, [.leftHip, .leftKnee, .leftAnkle]), (.rightLeg, [.rightHip, .rightKnee, .rightAnkle]),
    ]

    static var groupNames: [JointsGroupName] { groups.map(\.name) + [.all] }

    static let bodyLayout = PointLayout(
        keys: joints.map(\.rawValue), groups: groups.map { ($0.name.rawValue, $0.members.map(\.rawValue)) },
        columns: [])

    override class var layout: PointLayout { bodyLayout }

    /// How the height was found.
    open private(set) var heightEstimation: HeightEstimation
    /// The height of the person in metres, to which the skeleton is scaled: 1.8 unless it was measured.
    open private(set) var bodyHeight: Float
    /// The position of the camera relative to the root.
    ///
    /// It is where a camera with an angle of view of 65° along the longer side of the image sees the joints where they
    /// are in the image.
    open private(set) var cameraOriginMatrix: simd_float4x4

    /// In metres from the root, by the index of the joint.
    private let positions: [SIMD3<Float>]
    /// Normalised to the region of interest, by the index of the joint.
    private let imagePoints: [CGPoint]

    init(
        positions: [SIMD3<Float>], imagePoints: [CGPoint], camera: SIMD3<Float>, bodyHeight: Float,
        confidence: VNConfidence, requestRevision: Int, timeRange: CMTimeRange
    ) {
        heightEstimation = .reference
        self.bodyHeight = bodyHeight
        cameraOriginMatrix = Self.translation(camera)
        self.positions = positions
        self.imagePoints = imagePoints
        super.init(confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    private static func translation(_ vector: SIMD3<Float>) -> simd_float4x4 {
        simd_float4x4([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], SIMD4(vector.x, vector.y, vector.z, 1))
    }

    private static func parent(_ joint: BodySkeleton.Joint) -> BodySkeleton.Joint { joint.parent ?? joint }

    private func point(_ joint: BodySkeleton.Joint) -> VNHumanBodyRecognizedPoint3D {
        let (parent, position) = (Self.parent(joint), positions[joint.rawValue])
        return VNHumanBodyRecognizedPoint3D(
            position: Self.translation(position),
            localPosition: Self.translation(position - positions[parent.rawValue]),
            identifier: Self.joints[joint.rawValue].rawValue, parentJoint: Self.joints[parent.rawValue])
    }

    override func points() -> [VNRecognizedPoint3D] { BodySkeleton.Joint.allCases.map { point($0) } }

    private func joint(_ name: JointName) throws -> BodySkeleton.Joint {
        guard let index = Self.joints.firstIndex(of: name), let joint = BodySkeleton.Joint(rawValue: index) else {
            throw visionError(
                .invalidArgument,
                "VNHumanBodyPose3DObservation has no joint “\(name.rawValue.rawValue)”. See availableJointNames.")
        }
        return joint
    }

    // MARK: - Joints

    /// The names of all joints.
    open var availableJointNames: [JointName] { Self.joints }

    /// The names of all groups of joints.
    open var availableJointsGroupNames: [JointsGroupName] { Self.groupNames }

    /// Returns a joint.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableJointNames`.
    open func recognizedPoint(_ jointName: JointName) throws -> VNHumanBodyRecognizedPoint3D {
        point(try joint(jointName))
    }

    /// Returns the joints of a group by name.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableJointsGroupNames`.
    open func recognizedPoints(
        _ jointsGroupName: JointsGroupName
    ) throws -> [JointName: VNHumanBodyRecognizedPoint3D] {
        let keys = try recognizedPoints(forGroupKey: jointsGroupName.rawValue).keys
        let names = keys.map { JointName(rawValue: $0) }
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try recognizedPoint($0)) })
    }

    /// Returns where a joint is in the image, normalised to the region of interest, origin at the lower left.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableJointNames`.
    open func pointInImage(_ jointName: JointName) throws -> VNPoint {
        VNPoint(location: imagePoints[try joint(jointName).rawValue])
    }

    /// Returns the joint that a joint is connected to, towards the root; nil for the root and for an unknown name.
    open func parentJointName(_ jointName: JointName) -> JointName? {
        (try? joint(jointName))?.parent.map { Self.joints[$0.rawValue] }
    }

    /// Returns the position of a joint relative to the camera, in metres: z is negative before the camera.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableJointNames`.
    open func cameraRelativePosition(_ jointName: JointName) throws -> simd_float4x4 {
        let camera = cameraOriginMatrix.columns.3
        let position = positions[try joint(jointName).rawValue]
        return Self.translation(position - SIMD3(camera.x, camera.y, camera.z))
    }

    // MARK: - Archives

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder) else { return nil }
        let count = Self.joints.count
        guard let numbers = archive.numbers("positions", count: 3 * count)?.map(Float.init),
            let points = archive.points("imagePoints", count: count),
            let camera = archive.numbers("camera", count: 3)?.map(Float.init),
            let height = archive.number("bodyHeight").map(Float.init),
            let estimation = archive.integer("heightEstimation").flatMap(HeightEstimation.init),
            (numbers + camera + [height]).allSatisfy(\.isFinite)
        else { return nil }
        positions = (0..<count).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
        imagePoints = points
        cameraOriginMatrix = Self.translation(SIMD3(camera[0], camera[1], camera[2]))
        bodyHeight = height
        heightEstimation = estimation
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("positions", positions.flatMap { [Double($0.x), Double($0.y), Double($0.z)] })
        archive.set("imagePoints", imagePoints)
        let camera = cameraOriginMatrix.columns.3
        archive.set("camera", [camera.x, camera.y, camera.z].map(Double.init))
        archive.set("bodyHeight", Double(bodyHeight))
        archive.set("heightEstimation", heightEstimation.rawValue)
    }
}
