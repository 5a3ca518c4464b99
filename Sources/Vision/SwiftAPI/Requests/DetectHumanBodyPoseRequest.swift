/// Finds the joints of people. See `VNDetectHumanBodyPoseRequest`.
public struct DetectHumanBodyPoseRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [HumanBodyPoseObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision of the classic request.
        case revision2

        /// The revision of the classic request.
        var classic: Int { VNDetectHumanBodyPoseRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision2]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectHumanBodyPoseRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }

    /// The joints that are searched for.
    public var supportedJointNames: [HumanBodyPoseObservation.JointName] { HumanBodyPoseObservation.JointName.allCases }

    /// The groups of joints.
    public var supportedJointsGroupNames: [HumanBodyPoseObservation.JointsGroupName] {
        HumanBodyPoseObservation.JointsGroupName.allCases
    }
}

extension DetectHumanBodyPoseRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectHumanBodyPoseRequest().with(regionOfInterest, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> [HumanBodyPoseObservation] {
        try observations.all(of: VNHumanBodyPoseObservation.self).map {
            HumanBodyPoseObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: [HumanBodyPoseObservation]) -> VisionResult { .detectHumanBodyPose(self, result) }
}
