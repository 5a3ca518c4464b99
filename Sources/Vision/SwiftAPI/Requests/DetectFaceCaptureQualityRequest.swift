/// Rates how good faces are for a portrait. See `VNDetectFaceCaptureQualityRequest`.
public struct DetectFaceCaptureQualityRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [FaceObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The same as revision 1 of the classic request.
        case revision3

        /// The revision of the classic request.
        var classic: Int { VNDetectFaceCaptureQualityRequestRevision3 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision3]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The faces to process; nil, the default, to search for faces first.
    public var inputFaceObservations: [FaceObservation]?

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectFaceCaptureQualityRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision3 }
}

extension DetectFaceCaptureQualityRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectFaceCaptureQualityRequest().with(regionOfInterest, revision: revision.classic)
        request.inputFaceObservations = inputFaceObservations?.map(\.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> [FaceObservation] {
        try observations.all(of: VNFaceObservation.self).map { FaceObservation($0, descriptor: descriptor) }
    }

    func visionResult(_ result: [FaceObservation]) -> VisionResult { .detectFaceCaptureQuality(self, result) }
}
