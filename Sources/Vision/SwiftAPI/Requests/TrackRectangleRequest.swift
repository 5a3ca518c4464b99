import VisionThreads

/// Tracks a planar rectangle and its corners through a video. Perform it on one frame after the other: the first one
/// must be the frame in which the rectangle was found. See `VNTrackRectangleRequest`.
///
/// The result has the confidence that the rectangle is there; it is nil only for a frame that is not analysed.
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

    /// The least time between two frames that are analysed; zero to analyse every frame.
    public var frameAnalysisSpacing: CMTime { state.spacing }

    /// 1: the first frame has a result.
    public var minimumLatencyFrameCount: Int { 1 }

    /// The region of the upright image that is searched: all of it by default.
    public var regionOfInterest: NormalizedRect {
        get { parameters.withLock { $0.region } }
        set { parameters.withLock { $0.region = newValue } }
    }

    /// Whether accuracy or speed counts, from the first perform on. Accurate by default.
    public var trackingLevel: TrackingLevel {
        get { parameters.withLock { $0.level } == .fast ? .fast : .accurate }
        set { parameters.withLock { $0.level = newValue == .fast ? .fast : .accurate } }
    }

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .trackRectangleRequest(revision) }

    private let state: TrackingState
    private let parameters = Locked(TrackingParameters())
    /// Where the target is in the first frame.
    private let start: VNRectangleObservation

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - detectedRectangle: The rectangle, normalised to the region of interest.
    ///   - revision: A revision; the newest one if nil.
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed; every frame if nil.
    public init(
        detectedRectangle: any QuadrilateralProviding & VisionObservation, _ revision: Revision? = nil,
        frameAnalysisSpacing: CMTime? = nil
    ) {
        self.revision = revision ?? .revision1
        inputObservation = detectedRectangle
        start = VNRectangleObservation(
            uuid: detectedRectangle.uuid, requestRevision: self.revision.classic,
            corners: (
                topLeft: detectedRectangle.topLeft.cgPoint, topRight: detectedRectangle.topRight.cgPoint,
                bottomRight: detectedRectangle.bottomRight.cgPoint, bottomLeft: detectedRectangle.bottomLeft.cgPoint
            ))
        state = TrackingState(spacing: frameAnalysisSpacing, target: start)
    }
}

extension TrackRectangleRequest: PerformableRequest {
    var tracking: TrackingState? { state }

    func makeClassicRequest() throws -> VNRequest {
        let request = VNTrackRectangleRequest(rectangleObservation: start)
            .with(regionOfInterest, revision: revision.classic)
        request.trackingLevel = parameters.current.level
        return request
    }

    func result(from observations: [VNObservation]) throws -> RectangleObservation? {
        try observations.all(of: VNRectangleObservation.self).first.map {
            RectangleObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: RectangleObservation?) -> VisionResult { .trackRectangle(self, result) }
}
