/// Detects objects that fly along parabolas in a video, such as balls. See `VNDetectTrajectoriesRequest`.
public final class DetectTrajectoriesRequest: ImageProcessingRequest, StatefulRequest {
    /// What a perform returns.
    public typealias Result = [TrajectoryObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNDetectTrajectoriesRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The number of points that make a trajectory, from 5 to 600.
    public let trajectoryLength: Int

    /// The least time between two frames that are analysed; zero to analyse every frame.
    public var frameAnalysisSpacing: CMTime { state.frameAnalysisSpacing }

    /// The number of frames that a new request needs until it can give a result, that one included.
    public var minimumLatencyFrameCount: Int { state.minimumLatencyFrameCount }

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect {
        get { state[\.region] }
        set { state[\.region] = newValue }
    }

    /// The least radius of an object, relative to the longer side of the region of interest, 0…1; 0 by default.
    public var objectMinimumNormalizedRadius: Float {
        get { state[\.leastRadius] }
        set { state[\.leastRadius] = newValue }
    }

    /// The greatest radius of an object, relative to the longer side of the region of interest, 0…1; 1 by default.
    public var objectMaximumNormalizedRadius: Float {
        get { state[\.greatestRadius] }
        set { state[\.greatestRadius] = newValue }
    }

    /// The time in which a frame should be processed; indefinite by default. Has no effect.
    public var targetFrameTime: CMTime {
        get { state[\.frameTime] }
        set { state[\.frameTime] = newValue }
    }

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectTrajectoriesRequest(revision) }

    private struct Parameters: Sendable {
        var region = NormalizedRect.fullImage
        var leastRadius: Float = 0
        var greatestRadius: Float = 1
        var frameTime = CMTime.indefinite
    }

    private let state: SequenceState<VNDetectTrajectoriesRequest, Parameters>

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - trajectoryLength: The number of points that make a trajectory, from 5 to 600.
    ///   - revision: A revision; the newest one if nil.
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed; every frame if nil.
    public init(trajectoryLength: Int, _ revision: Revision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.revision = revision ?? .revision1
        self.trajectoryLength = trajectoryLength
        state = SequenceState(
            VNDetectTrajectoriesRequest(
                frameAnalysisSpacing: frameAnalysisSpacing ?? .zero, trajectoryLength: trajectoryLength), Parameters())
    }
}

extension DetectTrajectoriesRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let parameters = state.current
        let request = state.next(
            VNDetectTrajectoriesRequest(frameAnalysisSpacing: frameAnalysisSpacing, trajectoryLength: trajectoryLength)
        )
        .with(parameters.region, revision: revision.classic)
        request.objectMinimumNormalizedRadius = parameters.leastRadius
        request.objectMaximumNormalizedRadius = parameters.greatestRadius
        request.targetFrameTime = parameters.frameTime
        return request
    }

    func result(from observations: [VNObservation]) throws -> [TrajectoryObservation] {
        try observations.all(of: VNTrajectoryObservation.self).map {
            TrajectoryObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: [TrajectoryObservation]) -> VisionResult { .detectTrajectories(self, result) }
}
