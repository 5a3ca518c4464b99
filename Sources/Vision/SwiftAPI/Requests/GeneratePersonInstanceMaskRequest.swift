/// Separates up to four people from the background and from each other; nil without any. See
/// `VNGeneratePersonInstanceMaskRequest`.
public struct GeneratePersonInstanceMaskRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = InstanceMaskObservation?

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNGeneratePersonInstanceMaskRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .generatePersonInstanceMaskRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }
}

extension GeneratePersonInstanceMaskRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNGeneratePersonInstanceMaskRequest().with(regionOfInterest, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> InstanceMaskObservation? {
        try observations.all(of: VNInstanceMaskObservation.self).first.map {
            InstanceMaskObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: InstanceMaskObservation?) -> VisionResult { .generatePersonInstanceMask(self, result) }
}
