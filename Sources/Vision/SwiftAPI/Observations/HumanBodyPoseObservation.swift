import CoreML

/// The joints of a person.
public struct HumanBodyPoseObservation: WrappedObservation, PoseProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNHumanBodyPoseObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The joints of a body. Left and right are the person's.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable {
        /// A joint of the body.
        case nose, leftEye, rightEye, leftEar, rightEar, neck, leftShoulder, rightShoulder, leftElbow, rightElbow
        /// A joint of the body.
        case leftWrist, rightWrist, root, leftHip, rightHip, leftKnee, rightKnee, leftAnkle, rightAnkle

        /// The joint of the classic API.
        fileprivate var classic: VNHumanBodyPoseObservation.JointName {
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
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable {
        /// A part of the body.
        case face, torso, leftArm, rightArm, leftLeg, rightLeg

        /// The group of the classic API.
        fileprivate var classic: VNHumanBodyPoseObservation.JointsGroupName {
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

    /// The joints that the observation has.
    public var availableJointNames: [JointName] {
        let available = Set(classic.availableJointNames)
        return JointName.allCases.filter { available.contains($0.classic) }
    }

    /// The groups of joints that the observation has.
    public var availableJointsGroupNames: [JointsGroupName] {
        let available = Set(classic.availableJointsGroupNames)
        return JointsGroupName.allCases.filter { available.contains($0.classic) }
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

    /// Returns a joint; nil if the observation does not have it.
    public func joint(for jointName: JointName) -> Joint? {
        (try? classic.recognizedPoint(jointName.classic)).map { Joint($0, name: jointName.rawValue) }
    }

    /// Returns the joints of a group, or all if it is nil, by their names.
    public func allJoints(in groupName: JointsGroupName?) -> [JointName: Joint] {
        let points = (try? classic.recognizedPoints(groupName?.classic ?? .all)) ?? [:]
        return JointName.allCases.reduce(into: [:]) { joints, name in
            joints[name] = points[name.classic].map { Joint($0, name: name.rawValue) }
        }
    }
}
