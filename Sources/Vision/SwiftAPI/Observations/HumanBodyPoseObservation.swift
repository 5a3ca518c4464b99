import CoreML

/// The joints of a person.
public struct HumanBodyPoseObservation: WrappedPose {
    /// The names of joints.
    public typealias PoseJointName = JointName
    /// The names of groups of joints.
    public typealias PoseJointsGroupName = JointsGroupName

    /// The observation of the classic API with the same values.
    public let classic: VNHumanBodyPoseObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The joints of a body. Left and right are the person's.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable, PointKeyProviding {
        /// A joint of the body.
        case nose, leftEye, rightEye, leftEar, rightEar, neck, leftShoulder, rightShoulder, leftElbow, rightElbow
        /// A joint of the body.
        case leftWrist, rightWrist, root, leftHip, rightHip, leftKnee, rightKnee, leftAnkle, rightAnkle

        var key: VNRecognizedPointKey { classic.rawValue }

        /// The joint of the classic API.
        private var classic: VNHumanBodyPoseObservation.JointName {
            switch self {
            case .nose: .nose
            case .leftEye: .leftEye
            case .rightEye: .rightEye
            case .leftEar: .leftEar
            case .rightEar: .rightEar
            case .neck: .neck
            case .leftShoulder: .leftShoulder
            case .rightShoulder: .rightShoulder
            case .leftElbow: .leftElbow
            case .rightElbow: .rightElbow
            case .leftWrist: .leftWrist
            case .rightWrist: .rightWrist
            case .root: .root
            case .leftHip: .leftHip
            case .rightHip: .rightHip
            case .leftKnee: .leftKnee
            case .rightKnee: .rightKnee
            case .leftAnkle: .leftAnkle
            case .rightAnkle: .rightAnkle
            }
        }
    }

    /// The groups of joints.
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable, PointGroupKeyProviding {
        /// A part of the body.
        case face, torso, leftArm, rightArm, leftLeg, rightLeg

        var key: VNRecognizedPointGroupKey { classic.rawValue }

        /// The group of the classic API.
        private var classic: VNHumanBodyPoseObservation.JointsGroupName {
            switch self {
            case .face: .face
            case .torso: .torso
            case .leftArm: .leftArm
            case .rightArm: .rightArm
            case .leftLeg: .leftLeg
            case .rightLeg: .rightLeg
            }
        }
    }

    /// The joints as an array: for each its normalised coordinates and its confidence. See
    /// `VNRecognizedPointsObservation.keypointsMultiArray()`.
    public var keypoints: MLMultiArray {
        get throws {
            do {
                return try classic.keypointsMultiArray()
            } catch {
                throw VisionError(error)
            }
        }
    }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNHumanBodyPoseObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNHumanBodyPoseObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}
