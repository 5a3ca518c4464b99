/// Finds the angle of the horizon; nil if there is none. See `VNDetectHorizonRequest`.
public struct DetectHorizonRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = HorizonObservation?

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNDetectHorizonRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectHorizonRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }
}

extension DetectHorizonRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectHorizonRequest().with(regionOfInterest, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> HorizonObservation? {
        try observations.all(of: VNHorizonObservation.self).first.map { HorizonObservation($0, descriptor: descriptor) }
    }

    func visionResult(_ result: HorizonObservation?) -> VisionResult { .detectHorizon(self, result) }
}
