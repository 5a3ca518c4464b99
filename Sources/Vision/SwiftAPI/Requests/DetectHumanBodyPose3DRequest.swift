import VisionThreads

/// Finds the joints in space of the most prominent person. See `VNDetectHumanBodyPose3DRequest`.
///
/// Performed on the frames of a video, one after the other, it follows the person from frame to frame.
public final class DetectHumanBodyPose3DRequest: ImageProcessingRequest, StatefulRequest {
    /// What a perform returns.
    public typealias Result = [HumanBodyPose3DObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNDetectHumanBodyPose3DRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The least time between two frames that are analysed; zero to analyse every frame.
    public var frameAnalysisSpacing: CMTime { state.spacing }

    /// 1: the first frame has a result.
    public var minimumLatencyFrameCount: Int { 1 }

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect {
        get { region.current }
        set { region.withLock { $0 = newValue } }
    }

    /// The joints that are searched for.
    public var supportedJointNames: [HumanBodyPose3DObservation.JointName] {
        HumanBodyPose3DObservation.JointName.allCases
    }

    /// The groups of joints.
    public var supportedJointsGroupNames: [HumanBodyPose3DObservation.JointsGroupName] {
        HumanBodyPose3DObservation.JointsGroupName.allCases
    }

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectHumanBodyPose3DRequest(revision) }

    private let region = Locked(NormalizedRect.fullImage)
    /// Follows the people.
    private let state: TrackingState

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - revision: A revision; the newest one if nil.
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed; every frame if nil.
    public init(_ revision: Revision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.revision = revision ?? .revision1
        state = TrackingState(spacing: frameAnalysisSpacing)
    }
}

extension DetectHumanBodyPose3DRequest: PerformableRequest {
    var tracking: TrackingState? { state }

    func makeClassicRequest() throws -> VNRequest {
        VNDetectHumanBodyPose3DRequest().with(regionOfInterest, revision: revision.classic)
    }

    func result(from observations: [VNObservation]) throws -> [HumanBodyPose3DObservation] {
        try observations.all(of: VNHumanBodyPose3DObservation.self).map {
            HumanBodyPose3DObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: [HumanBodyPose3DObservation]) -> VisionResult { .detectHumanBodyPose3D(self, result) }
}
