/// Tracks a planar rectangle and its corners through a video. Perform it on one frame after the other: the first one
/// must be the frame in which the rectangle was found. See `VNTrackRectangleRequest`.
///
/// The result has the confidence that the rectangle is there; it is never nil.
public final class TrackRectangleRequest: ImageProcessingRequest, StatefulRequest {
    /// What a perform returns.
    public typealias Result = RectangleObservation?

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// Alignment of texture and sides.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNTrackRectangleRequestRevision1 }
    }

    /// Whether accuracy or speed counts.
    public enum TrackingLevel: Codable, Hashable, Sendable {
        /// Compares four times as many samples.
        case accurate
        /// The faster level.
        case fast
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The rectangle to track.
    public let inputObservation: any QuadrilateralProviding & VisionObservation

    /// The time between two analysed frames. Every frame that the request is performed on is analysed.
    public let frameAnalysisSpacing: CMTime

    /// 1: the first frame has a result.
    public var minimumLatencyFrameCount: Int { 1 }

    /// The region of the upright image that is searched: all of it by default.
    public var regionOfInterest: NormalizedRect {
        get { state.region }
        set { state.region = newValue }
    }

    /// Whether accuracy or speed counts, from the first perform on. Accurate by default.
    public var trackingLevel: TrackingLevel {
        get { state.level == .fast ? .fast : .accurate }
        set { state.level = newValue == .fast ? .fast : .accurate }
    }

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .trackRectangleRequest(revision) }

    private let state: TrackingState

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - detectedRectangle: The rectangle, normalised to the region of interest.
    ///   - revision: A revision; the newest one if nil.
    ///   - frameAnalysisSpacing: The time between two analysed frames; every frame if nil.
    public init(
        detectedRectangle: any QuadrilateralProviding & VisionObservation, _ revision: Revision? = nil,
        frameAnalysisSpacing: CMTime? = nil
    ) {
        self.revision = revision ?? .revision1
        self.frameAnalysisSpacing = frameAnalysisSpacing ?? .zero
        inputObservation = detectedRectangle
        state = TrackingState(
            input: VNRectangleObservation(
                uuid: detectedRectangle.uuid, requestRevision: self.revision.classic,
                corners: (
                    topLeft: detectedRectangle.topLeft.cgPoint, topRight: detectedRectangle.topRight.cgPoint,
                    bottomRight: detectedRectangle.bottomRight.cgPoint,
                    bottomLeft: detectedRectangle.bottomLeft.cgPoint
                )))
    }
}

extension TrackRectangleRequest: PerformableRequest {
    var core: HandlerCore? { state.core }

    func makeClassicRequest() throws -> VNRequest {
        guard let input = state.input as? VNRectangleObservation else {
            throw VisionError.internalError("The tracker has lost its rectangle.")
        }
        let request = VNTrackRectangleRequest(rectangleObservation: input)
            .with(regionOfInterest, revision: revision.classic)
        request.trackingLevel = state.level
        return request
    }

    func result(from observations: [VNObservation]) throws -> RectangleObservation? {
        let found = try observations.only(of: VNRectangleObservation.self)
        state.input = found
        return RectangleObservation(found, descriptor: descriptor)
    }

    func visionResult(_ result: RectangleObservation?) -> VisionResult { .trackRectangle(self, result) }
}
