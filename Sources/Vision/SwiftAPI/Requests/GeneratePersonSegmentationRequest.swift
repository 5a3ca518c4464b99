/// Computes a mask of the people in an image. See `VNGeneratePersonSegmentationRequest`.
///
/// For a frame that `frameAnalysisSpacing` leaves out, the result is the mask of the last analysed one.
public final class GeneratePersonSegmentationRequest: ImageProcessingRequest, StatefulRequest {
    /// What a perform returns.
    public typealias Result = PixelBufferObservation

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNGeneratePersonSegmentationRequestRevision1 }
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

    /// How exact a mask is.
    public enum QualityLevel: Codable, Hashable, Sendable {
        /// For photographs.
        case accurate
        /// Between the others.
        case balanced
        /// For videos.
        case fast

        /// The level of the classic request.
        fileprivate var classic: VNGeneratePersonSegmentationRequest.QualityLevel {
            switch self {
            case .accurate: .accurate
            case .balanced: .balanced
            case .fast: .fast
            }
        }
    }

    /// How exact the mask is; `accurate` by default.
    public var qualityLevel: QualityLevel {
        get { state[\.level] }
        set { state[\.level] = newValue }
    }

    /// The pixel format of the mask, one of `supportedOutputPixelFormats`; bytes by default.
    public var outputPixelFormatType: OSType {
        get { state[\.format] }
        set { state[\.format] = newValue }
    }

    /// The pixel formats of masks: bytes, 16-bit or 32-bit floats.
    public var supportedOutputPixelFormats: [OSType] {
        (try? VNGeneratePersonSegmentationRequest().supportedOutputPixelFormats()) ?? []
    }

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .generatePersonSegmentationRequest(revision) }

    private struct Parameters: Sendable {
        var region = NormalizedRect.fullImage
        var level = QualityLevel.accurate
        var format = kCVPixelFormatType_OneComponent8
        /// The mask of the last analysed frame.
        var last: PixelBufferObservation?
    }

    private let state: SequenceState<VNGeneratePersonSegmentationRequest, Parameters>

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - revision: A revision; the newest one if nil.
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed; every frame if nil.
    public init(_ revision: Revision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.revision = revision ?? .revision1
        state = SequenceState(
            VNGeneratePersonSegmentationRequest(frameAnalysisSpacing: frameAnalysisSpacing ?? .zero), Parameters())
    }
}

extension GeneratePersonSegmentationRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let parameters = state.current
        let request = state.next(VNGeneratePersonSegmentationRequest(frameAnalysisSpacing: frameAnalysisSpacing))
            .with(parameters.region, revision: revision.classic)
        request.qualityLevel = parameters.level.classic
        request.outputPixelFormat = parameters.format
        return request
    }

    func result(from observations: [VNObservation]) throws -> PixelBufferObservation {
        if observations.isEmpty, let last = state.current.last { return last }
        let mask = PixelBufferObservation(
            try observations.only(of: VNPixelBufferObservation.self), descriptor: descriptor)
        if frameAnalysisSpacing > .zero { state[\.last] = mask }
        return mask
    }

    func visionResult(_ result: PixelBufferObservation) -> VisionResult { .generatePersonSegmentation(self, result) }
}
