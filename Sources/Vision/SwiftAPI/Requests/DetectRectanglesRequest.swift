/// Finds the outlines of rectangles. See `VNDetectRectanglesRequest`.
public struct DetectRectanglesRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [RectangleObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNDetectRectanglesRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The smallest ratio of the shorter side to the longer one, 0…1.
    public var minimumAspectRatio: Float = 0.5
    /// The largest ratio of the shorter side to the longer one, 0…1.
    public var maximumAspectRatio: Float = 1
    /// The largest deviation of a corner from a right angle, in degrees, 0…45.
    public var quadratureToleranceDegrees: Float = 30
    /// The smallest length of the shorter side, relative to the shorter side of the image, 0…1.
    public var minimumSize: Float = 0.2
    /// The lowest confidence of a result, 0…1.
    public var minimumConfidence: Float = 0
    /// The largest number of results; 0 for any number.
    public var maximumObservations = 1

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectRectanglesRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }
}

extension DetectRectanglesRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectRectanglesRequest().with(regionOfInterest, revision: revision.classic)
        request.minimumAspectRatio = minimumAspectRatio
        request.maximumAspectRatio = maximumAspectRatio
        request.quadratureTolerance = quadratureToleranceDegrees
        request.minimumSize = minimumSize
        request.minimumConfidence = minimumConfidence
        request.maximumObservations = maximumObservations
        return request
    }

    func result(from observations: [VNObservation]) throws -> [RectangleObservation] {
        try observations.all(of: VNRectangleObservation.self).map { RectangleObservation($0, descriptor: descriptor) }
    }

    func visionResult(_ result: [RectangleObservation]) -> VisionResult { .detectRectangles(self, result) }
}
