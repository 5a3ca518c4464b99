/// Finds the page of a document; nil if there is none. See `VNDetectDocumentSegmentationRequest`.
public struct DetectDocumentSegmentationRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = DetectedDocumentObservation?

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNDetectDocumentSegmentationRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectDocumentSegmentationRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }
}

extension DetectDocumentSegmentationRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectDocumentSegmentationRequest().with(regionOfInterest, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> DetectedDocumentObservation? {
        try observations.all(of: VNRectangleObservation.self).first.map {
            DetectedDocumentObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: DetectedDocumentObservation?) -> VisionResult {
        .detectDocumentSegmentation(self, result)
    }
}
