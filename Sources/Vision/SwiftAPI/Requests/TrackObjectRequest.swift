import VisionThreads

/// Tracks an object through a video. Perform it on one frame after the other: the first one must be the frame in which
/// the object was found. See `VNTrackObjectRequest`.
///
/// The result has the confidence that the object is there; it is nil only for a frame that is not analysed. Its uuid is
/// that of the observation that the request was created with.
public final class TrackObjectRequest: ImageProcessingRequest, StatefulRequest {
    /// What a perform returns.
    public typealias Result = DetectedObjectObservation?

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The learned tracker.
        case revision2

        /// The revision of the classic request.
        var classic: Int { VNTrackObjectRequestRevision2 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision2]

    /// The revision of the request.
    public let revision: Revision

    /// The object to track.
    public let inputObservation: any BoundingBoxProviding & VisionObservation

    /// The least time between two frames that are analysed; zero to analyse every frame.
    public var frameAnalysisSpacing: CMTime { state.spacing }

    /// 1: the first frame has a result.
    public var minimumLatencyFrameCount: Int { 1 }

    /// The region of the upright image that is searched: all of it by default.
    public var regionOfInterest: NormalizedRect {
        get { parameters.withLock { $0.region } }
        set { parameters.withLock { $0.region = newValue } }
    }

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .trackObjectRequest(revision) }

    private let state: TrackingState
    private let parameters = Locked(TrackingParameters())
    /// Where the target is in the first frame.
    private let start: VNDetectedObjectObservation

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - detectedObject: The object, normalised to the region of interest.
    ///   - revision: A revision; the newest one if nil.
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed; every frame if nil.
    public init(
        detectedObject: any BoundingBoxProviding & VisionObservation, _ revision: Revision? = nil,
        frameAnalysisSpacing: CMTime? = nil
    ) {
        self.revision = revision ?? .revision2
        inputObservation = detectedObject
        start = VNDetectedObjectObservation(
            uuid: detectedObject.uuid, requestRevision: self.revision.classic,
            boundingBox: detectedObject.boundingBox.cgRect)
        state = TrackingState(spacing: frameAnalysisSpacing, target: start)
    }
}

extension TrackObjectRequest: PerformableRequest {
    var tracking: TrackingState? { state }

    func makeClassicRequest() throws -> VNRequest {
        VNTrackObjectRequest(detectedObjectObservation: start)
            .with(regionOfInterest, revision: revision.classic)
    }

    func result(from observations: [VNObservation]) throws -> DetectedObjectObservation? {
        try observations.all(of: VNDetectedObjectObservation.self).first.map {
            DetectedObjectObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: DetectedObjectObservation?) -> VisionResult { .trackObject(self, result) }
}
