/// Finds the joints of hands. See `VNDetectHumanHandPoseRequest`.
public struct DetectHumanHandPoseRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [HumanHandPoseObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNDetectHumanHandPoseRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The largest number of hands. 2 by default.
    public var maximumHandCount = 2

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectHumanHandPoseRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }

    /// The joints that are searched for.
    public var supportedJointNames: [HumanHandPoseObservation.JointName] { HumanHandPoseObservation.JointName.allCases }

    /// The groups of joints.
    public var supportedJointsGroupNames: [HumanHandPoseObservation.JointsGroupName] {
        get throws { HumanHandPoseObservation.JointsGroupName.allCases }
    }
}

extension DetectHumanHandPoseRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectHumanHandPoseRequest().with(regionOfInterest, revision: revision.classic)
        request.maximumHandCount = maximumHandCount
        return request
    }

    func result(from observations: [VNObservation]) throws -> [HumanHandPoseObservation] {
        try observations.all(of: VNHumanHandPoseObservation.self).map {
            HumanHandPoseObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: [HumanHandPoseObservation]) -> VisionResult { .detectHumanHandPose(self, result) }
}
