/// The joints of a person's body in space, in metres from the root: x to the right of the image, y up, z towards the
/// camera. See `VNHumanBodyPose3DObservation`.
public struct HumanBodyPose3DObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNHumanBodyPose3DObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// How the height of a body was found.
    public enum EstimationTechnique: Codable, Hashable, Sendable {
        /// The height of a person whose height is not known.
        case reference
        /// The height was measured.
        case measured
    }

    /// The joints of a body in space. Left and right are the person's.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable {
        /// A joint of the body.
        case root, spine, centerShoulder, centerHead, topHead, leftShoulder, leftElbow, leftWrist, rightShoulder
        /// A joint of the body.
        case rightElbow, rightWrist, leftHip, leftKnee, leftAnkle, rightHip, rightKnee, rightAnkle

        /// The joint of the classic API.
        fileprivate var classic: VNHumanBodyPose3DObservation.JointName {
            switch self {
            case .root: .root
            case .spine: .spine
            case .centerShoulder: .centerShoulder
            case .centerHead: .centerHead
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

        fileprivate static func name(of joint: VNHumanBodyPose3DObservation.JointName) -> JointName? {
            allCases.first { $0.classic == joint }
        }
    }

    /// The groups of joints.
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable {
        /// A part of the body.
        case head, torso, leftArm, rightArm, leftLeg, rightLeg

        /// The group of the classic API.
        fileprivate var classic: VNHumanBodyPose3DObservation.JointsGroupName {
            switch self {
            case .head: .head
            case .torso: .torso
            case .leftArm: .leftArm
            case .rightArm: .rightArm
            case .leftLeg: .leftLeg
            case .rightLeg: .rightLeg
            }
        }
    }

    /// How the height was found.
    public var heightEstimationTechnique: EstimationTechnique {
        classic.heightEstimation == .measured ? .measured : .reference
    }

    /// The height of the person, to which the skeleton is scaled.
    public var bodyHeight: Measurement<UnitLength> {
        Measurement(value: Double(classic.bodyHeight), unit: .meters)
    }

    /// The position of the camera relative to the root.
    public var cameraOriginMatrix: simd_float4x4 { classic.cameraOriginMatrix }

    /// The joints that the observation has: all.
    public var availableJointNames: [JointName] { JointName.allCases }

    /// The groups of joints that the observation has: all.
    public var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.allCases }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNHumanBodyPose3DObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNHumanBodyPose3DObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns a joint.
    public func joint(for jointName: JointName) -> Joint3D? {
        (try? classic.recognizedPoint(jointName.classic)).map { joint($0, name: jointName) }
    }

    /// Returns the joints of a group, or all if it is nil, by their names.
    public func allJoints(in groupName: JointsGroupName? = nil) -> [JointName: Joint3D] {
        let points = (try? classic.recognizedPoints(groupName?.classic ?? .all)) ?? [:]
        return JointName.allCases.reduce(into: [:]) { joints, name in
            joints[name] = points[name.classic].map { joint($0, name: name) }
        }
    }

    /// Returns where a joint is in the image, normalised to the region of interest.
    public func pointInImage(for jointName: JointName) -> NormalizedPoint {
        (try? classic.pointInImage(jointName.classic)).map { NormalizedPoint(normalizedPoint: $0.location) } ?? .zero
    }

    /// Returns the joint that a joint is connected to, towards the root; the root for itself.
    public func parentJointName(for jointName: JointName) -> JointName {
        classic.parentJointName(jointName.classic).flatMap(JointName.name(of:)) ?? .root
    }

    /// Returns the position of a joint relative to the camera, in metres: z is negative before the camera.
    public func cameraRelativePosition(for jointName: JointName) -> simd_float4x4 {
        (try? classic.cameraRelativePosition(jointName.classic)) ?? simd_float4x4(diagonal: SIMD4(repeating: 1))
    }

    private func joint(_ point: VNHumanBodyRecognizedPoint3D, name: JointName) -> Joint3D {
        Joint3D(
            position: point.position, localPosition: point.localPosition, identifer: name.rawValue,
            parentJoint: parentJointName(for: name).rawValue)
    }
}

/// A joint of a pose in space. Matrices have no rotation.
public struct Joint3D: Codable, Hashable, Sendable {
    /// The name of the joint.
    public let identifier: String
    /// The name of the joint that it is connected to, towards the root.
    public let parentJoint: String
    /// The position in metres from the root.
    public let position: simd_float4x4
    /// The position in metres from the parent.
    public let localPosition: simd_float4x4

    /// Creates a joint. (The spelling is Apple's.)
    public init(position: simd_float4x4, localPosition: simd_float4x4, identifer: String, parentJoint: String) {
        (self.position, self.localPosition) = (position, localPosition)
        (identifier, self.parentJoint) = (identifer, parentJoint)
    }

    private enum Key: CodingKey {
        case identifier, parentJoint, position, localPosition
    }

    /// Encodes the joint; matrices by columns.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(identifier, forKey: .identifier)
        try container.encode(parentJoint, forKey: .parentJoint)
        try container.encode((0..<4).map { position[$0] }, forKey: .position)
        try container.encode((0..<4).map { localPosition[$0] }, forKey: .localPosition)
    }

    /// Decodes a joint.
    ///
    /// - Throws: `DecodingError` if a value is missing or invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func matrix(_ key: Key) throws -> simd_float4x4 {
            let columns = try container.decode([SIMD4<Float>].self, forKey: key)
            guard columns.count == 4 else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "A matrix has four columns.")
            }
            return simd_float4x4(columns)
        }
        identifier = try container.decode(String.self, forKey: .identifier)
        parentJoint = try container.decode(String.self, forKey: .parentJoint)
        position = try matrix(.position)
        localPosition = try matrix(.localPosition)
    }
}
