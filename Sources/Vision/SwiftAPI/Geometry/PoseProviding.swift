/// An observation of joints that make up a pose.
public protocol PoseProviding {
    /// The names of the joints.
    associatedtype PoseJointName: Codable, Hashable, RawRepresentable where PoseJointName.RawValue == String
    /// The names of the groups of joints.
    associatedtype PoseJointsGroupName: CaseIterable, RawRepresentable where PoseJointsGroupName.RawValue == String

    /// The joints that the observation has.
    var availableJointNames: [PoseJointName] { get }
    /// The groups of joints that the observation has.
    var availableJointsGroupNames: [PoseJointsGroupName] { get }

    /// Returns a joint; nil if the observation does not have it.
    func joint(for jointName: PoseJointName) -> Joint?

    /// Returns the joints of a group, or all if it is nil, by their names.
    func allJoints(in groupName: PoseJointsGroupName?) -> [PoseJointName: Joint]
}

extension PoseProviding {
    /// Returns all joints by their names.
    public func allJoints() -> [PoseJointName: Joint] { allJoints(in: nil) }
}

/// A joint of a pose in the image.
public struct Joint: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The location, normalised to the region of interest of the request. It may lie outside of it.
    public let location: NormalizedPoint
    /// The confidence, 0…1, that the joint is there; low for joints that are hidden.
    public let confidence: Float
    /// The name of the joint.
    public let jointName: String

    init(_ point: VNRecognizedPoint, name: String) {
        location = NormalizedPoint(normalizedPoint: point.location)
        confidence = point.confidence
        jointName = name
    }

    /// Returns the distance to another joint in normalised coordinates.
    public func distance(to joint: Joint) -> CGFloat {
        hypot(location.x - joint.location.x, location.y - joint.location.y)
    }

    /// A text for logs.
    public var description: String { "\(jointName) \(location) \(confidence)" }
}
