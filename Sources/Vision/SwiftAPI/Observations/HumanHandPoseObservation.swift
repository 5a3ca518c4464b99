import CoreML

/// The joints of a hand.
public struct HumanHandPoseObservation: WrappedPose {
    /// The names of joints.
    public typealias PoseJointName = JointName
    /// The names of groups of joints.
    public typealias PoseJointsGroupName = JointsGroupName

    /// The observation of the classic API with the same values.
    public let classic: VNHumanHandPoseObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The joints of a hand.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable, PointKeyProviding {
        /// A joint of the hand.
        case wrist, thumbCMC, thumbMP, thumbIP, thumbTip, indexMCP, indexPIP, indexDIP, indexTip, middleMCP, middlePIP
        /// A joint of the hand.
        case middleDIP, middleTip, ringMCP, ringPIP, ringDIP, ringTip, littleMCP, littlePIP, littleDIP, littleTip

        var key: VNRecognizedPointKey { classic.rawValue }

        /// The joint of the classic API.
        private var classic: VNHumanHandPoseObservation.JointName {
            switch self {
            case .wrist: .wrist
            case .thumbCMC: .thumbCMC
            case .thumbMP: .thumbMP
            case .thumbIP: .thumbIP
            case .thumbTip: .thumbTip
            case .indexMCP: .indexMCP
            case .indexPIP: .indexPIP
            case .indexDIP: .indexDIP
            case .indexTip: .indexTip
            case .middleMCP: .middleMCP
            case .middlePIP: .middlePIP
            case .middleDIP: .middleDIP
            case .middleTip: .middleTip
            case .ringMCP: .ringMCP
            case .ringPIP: .ringPIP
            case .ringDIP: .ringDIP
            case .ringTip: .ringTip
            case .littleMCP: .littleMCP
            case .littlePIP: .littlePIP
            case .littleDIP: .littleDIP
            case .littleTip: .littleTip
            }
        }
    }

    /// The groups of joints.
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable, PointGroupKeyProviding {
        /// A finger.
        case thumb, indexFinger, middleFinger, ringFinger, littleFinger

        var key: VNRecognizedPointGroupKey { classic.rawValue }

        /// The group of the classic API.
        private var classic: VNHumanHandPoseObservation.JointsGroupName {
            switch self {
            case .thumb: .thumb
            case .indexFinger: .indexFinger
            case .middleFinger: .middleFinger
            case .ringFinger: .ringFinger
            case .littleFinger: .littleFinger
            }
        }
    }

    /// Which hand it is.
    public enum Chirality: Codable, Hashable, Sendable {
        /// The person's left hand.
        case left
        /// The person's right hand.
        case right
    }

    /// Which hand it is; nil if it is not known.
    public var chirality: Chirality? {
        switch classic.chirality {
        case .left: .left
        case .right: .right
        default: nil
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
    public init(_ observation: VNHumanHandPoseObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNHumanHandPoseObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}
