/// Finds people. See `VNDetectHumanRectanglesRequest`.
public struct DetectHumanRectanglesRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [HumanObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// Upper or whole bodies.
        case revision2

        /// The revision of the classic request.
        var classic: Int { VNDetectHumanRectanglesRequestRevision2 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision2]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// Whether the boxes are those of the upper bodies (head and torso), not of the whole bodies. True by default.
    public var upperBodyOnly = true

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectHumanRectanglesRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }
}

extension DetectHumanRectanglesRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectHumanRectanglesRequest().with(regionOfInterest, revision: revision.classic)
        request.upperBodyOnly = upperBodyOnly
        return request
    }

    func result(from observations: [VNObservation]) throws -> [HumanObservation] {
        try observations.all(of: VNHumanObservation.self).map { HumanObservation($0, descriptor: descriptor) }
    }

    func visionResult(_ result: [HumanObservation]) -> VisionResult { .detectHumanRectangles(self, result) }
}
