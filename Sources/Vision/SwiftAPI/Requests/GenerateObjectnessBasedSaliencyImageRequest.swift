/// Makes a map of the objects that stand out. See
/// `VNGenerateObjectnessBasedSaliencyImageRequest`.
public struct GenerateObjectnessBasedSaliencyImageRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = SaliencyImageObservation

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The same as revision 1 of the classic request.
        case revision2

        /// The revision of the classic request.
        var classic: Int { VNGenerateObjectnessBasedSaliencyImageRequestRevision2 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision2]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .generateObjectnessBasedSaliencyImageRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }
}

extension GenerateObjectnessBasedSaliencyImageRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNGenerateObjectnessBasedSaliencyImageRequest().with(regionOfInterest, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> SaliencyImageObservation {
        SaliencyImageObservation(try observations.only(of: VNSaliencyImageObservation.self), descriptor: descriptor)
    }

    func visionResult(_ result: SaliencyImageObservation) -> VisionResult {
        .generateObjectnessBasedSaliencyImage(self, result)
    }
}
