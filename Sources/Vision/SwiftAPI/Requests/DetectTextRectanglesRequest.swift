/// Finds lines of text without reading them. See `VNDetectTextRectanglesRequest`.
public struct DetectTextRectanglesRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [TextObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNDetectTextRectanglesRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// Whether the boxes of the characters are found as well. False by default.
    public var reportCharacterBoxes = false

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectTextRectanglesRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }
}

extension DetectTextRectanglesRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectTextRectanglesRequest().with(regionOfInterest, revision: revision.classic)
        request.reportCharacterBoxes = reportCharacterBoxes
        return request
    }

    func result(from observations: [VNObservation]) throws -> [TextObservation] {
        try observations.all(of: VNTextObservation.self).map { TextObservation($0, descriptor: descriptor) }
    }

    func visionResult(_ result: [TextObservation]) -> VisionResult { .detectTextRectangles(self, result) }
}
