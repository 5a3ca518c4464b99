/// Makes a map of where people look first. See
/// `VNGenerateAttentionBasedSaliencyImageRequest`.
public struct GenerateAttentionBasedSaliencyImageRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = SaliencyImageObservation

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The same as revision 1 of the classic request.
        case revision2

        /// The revision of the classic request.
        var classic: Int { VNGenerateAttentionBasedSaliencyImageRequestRevision2 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision2]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .generateAttentionBasedSaliencyImageRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }
}

extension GenerateAttentionBasedSaliencyImageRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNGenerateAttentionBasedSaliencyImageRequest().with(regionOfInterest, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> SaliencyImageObservation {
        SaliencyImageObservation(try observations.only(of: VNSaliencyImageObservation.self), descriptor: descriptor)
    }

    func visionResult(_ result: SaliencyImageObservation) -> VisionResult {
        .generateAttentionBasedSaliencyImage(self, result)
    }
}
