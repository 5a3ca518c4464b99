/// Finds for each pixel of the previous frame of a video where it is in this one; nil for the first frame. See
/// `VNTrackOpticalFlowRequest`.
public final class TrackOpticalFlowRequest: ImageProcessingRequest, StatefulRequest, TargetedRequest {
    /// What a perform returns.
    public typealias Result = OpticalFlowObservation?

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNTrackOpticalFlowRequestRevision1 }
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

    /// The trade-off between time and accuracy.
    public enum ComputationAccuracy: Codable, Hashable, Sendable {
        /// Refined at a quarter of the size.
        case low
        /// Refined at half the size.
        case medium
        /// Refined at full size.
        case high
        /// As `high`, with more steps.
        case veryHigh

        /// The level of the classic request.
        fileprivate var classic: VNTrackOpticalFlowRequest.ComputationAccuracy {
            switch self {
            case .low: .low
            case .medium: .medium
            case .high: .high
            case .veryHigh: .veryHigh
            }
        }
    }

    /// The trade-off between time and accuracy; medium by default.
    public var computationAccuracy: ComputationAccuracy {
        get { state[\.accuracy] }
        set { state[\.accuracy] = newValue }
    }

    /// The pixel format of the result, one of `supportedOutputPixelFormatTypes`; 32-bit floats by default.
    public var outputPixelFormatType: OSType {
        get { state[\.format] }
        set { state[\.format] = newValue }
    }

    /// The pixel formats of results: two components of 32-bit or of 16-bit floats.
    public var supportedOutputPixelFormatTypes: [OSType] {
        [kCVPixelFormatType_TwoComponent32Float, kCVPixelFormatType_TwoComponent16Half]
    }

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .trackOpticalFlowRequest(revision) }

    private struct Parameters: Sendable {
        var region = NormalizedRect.fullImage
        var accuracy = ComputationAccuracy.medium
        var format = kCVPixelFormatType_TwoComponent32Float
    }

    private let state: SequenceState<VNTrackOpticalFlowRequest, Parameters>

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - revision: A revision; the newest one if nil.
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed; every frame if nil.
    public init(_ revision: Revision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.revision = revision ?? .revision1
        state = SequenceState(
            VNTrackOpticalFlowRequest(frameAnalysisSpacing: frameAnalysisSpacing ?? .zero), Parameters())
    }
}

extension TrackOpticalFlowRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let parameters = state.current
        let request = state.next(VNTrackOpticalFlowRequest(frameAnalysisSpacing: frameAnalysisSpacing))
            .with(parameters.region, revision: revision.classic)
        request.computationAccuracy = parameters.accuracy.classic
        request.outputPixelFormat = parameters.format
        return request
    }

    func result(from observations: [VNObservation]) throws -> OpticalFlowObservation? {
        try observations.all(of: VNPixelBufferObservation.self).first.map {
            OpticalFlowObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: OpticalFlowObservation?) -> VisionResult { .trackOpticalFlow(self, result) }
}
