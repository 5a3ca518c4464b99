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

/// A pose around one of the classic API, whose joints and groups have keys there.
protocol WrappedPose: WrappedObservation, PoseProviding
where
    Classic: VNRecognizedPointsObservation, PoseJointName: CaseIterable & PointKeyProviding,
    PoseJointsGroupName: PointGroupKeyProviding
{}

/// The name of a joint with its key in the classic API.
protocol PointKeyProviding {
    var key: VNRecognizedPointKey { get }
}

/// The name of a group of joints with its key in the classic API.
protocol PointGroupKeyProviding {
    var key: VNRecognizedPointGroupKey { get }
}

extension WrappedPose {
    /// The joints that the observation has.
    public var availableJointNames: [PoseJointName] {
        let available = Set(classic.availableKeys)
        return PoseJointName.allCases.filter { available.contains($0.key) }
    }

    /// The groups of joints that the observation has.
    public var availableJointsGroupNames: [PoseJointsGroupName] {
        let available = Set(classic.availableGroupKeys)
        return PoseJointsGroupName.allCases.filter { available.contains($0.key) }
    }

    /// Returns a joint; nil if the observation does not have it.
    public func joint(for jointName: PoseJointName) -> Joint? {
        (try? classic.recognizedPoint(forKey: jointName.key)).map { Joint($0, name: jointName.rawValue) }
    }

    /// Returns the joints of a group, or all if it is nil, by their names.
    public func allJoints(in groupName: PoseJointsGroupName?) -> [PoseJointName: Joint] {
        let points = (try? classic.recognizedPoints(forGroupKey: groupName?.key ?? .all)) ?? [:]
        return PoseJointName.allCases.reduce(into: [:]) { joints, name in
            joints[name] = points[name.key].map { Joint($0, name: name.rawValue) }
        }
    }
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
