/// Finds faces with their angles. See `VNDetectFaceRectanglesRequest`.
public struct DetectFaceRectanglesRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [FaceObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// With roll, yaw and pitch.
        case revision3

        /// The revision of the classic request.
        var classic: Int { VNDetectFaceRectanglesRequestRevision3 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision3]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectFaceRectanglesRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision3 }
}

extension DetectFaceRectanglesRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectFaceRectanglesRequest().with(regionOfInterest, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> [FaceObservation] {
        try observations.all(of: VNFaceObservation.self).map { FaceObservation($0, descriptor: descriptor) }
    }

    func visionResult(_ result: [FaceObservation]) -> VisionResult { .detectFaceRectangles(self, result) }
}
