/// Finds the homography that warps each frame of a video onto the frame before. See
/// `VNTrackHomographicImageRegistrationRequest`.
///
/// The first frame has no frame before it: its perform fails with
/// `dataUnavailable`.
public final class TrackHomographicImageRegistrationRequest: ImageProcessingRequest, StatefulRequest, TargetedRequest {
    /// What a perform returns.
    public typealias Result = ImageHomographicAlignmentObservation

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNTrackHomographicImageRegistrationRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The least time between two frames that are analysed; zero to analyse every frame.
    public var frameAnalysisSpacing: CMTime { state.frameAnalysisSpacing }

    /// The number of frames that a new request needs until it can give a result, that one included.
    public var minimumLatencyFrameCount: Int { state.minimumLatencyFrameCount }

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect {
        get { state[\.region] }
        set { state[\.region] = newValue }
    }

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .trackHomographicImageRegistrationRequest(revision) }

    private struct Parameters: Sendable {
        var region = NormalizedRect.fullImage
    }

    private let state: SequenceState<VNTrackHomographicImageRegistrationRequest, Parameters>

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - revision: A revision; the newest one if nil.
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed; every frame if nil.
    public init(_ revision: Revision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.revision = revision ?? .revision1
        state = SequenceState(
            VNTrackHomographicImageRegistrationRequest(frameAnalysisSpacing: frameAnalysisSpacing ?? .zero),
            Parameters())
    }
}

extension TrackHomographicImageRegistrationRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let parameters = state.current
        let request = state.next(VNTrackHomographicImageRegistrationRequest(frameAnalysisSpacing: frameAnalysisSpacing))
            .with(parameters.region, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> ImageHomographicAlignmentObservation {
        ImageHomographicAlignmentObservation(
            try observations.only(of: VNImageHomographicAlignmentObservation.self), descriptor: descriptor)
    }

    func visionResult(_ result: ImageHomographicAlignmentObservation) -> VisionResult {
        .trackHomographicImageRegistration(self, result)
    }
}
