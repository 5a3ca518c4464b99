/// Finds the outlines of the regions of an image. See `VNDetectContoursRequest`.
public struct DetectContoursRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = ContoursObservation

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNDetectContourRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// How much the contrast is raised, 0…3. 2 by default.
    public var contrastAdjustment: Float = 2
    /// The brightness, 0…1, about which the contrast is raised; nil for that of the image. 0.5 by default.
    public var contrastPivot: Float? = 0.5
    /// Whether regions are dark on a light background. True by default.
    public var detectsDarkOnLight = true
    /// The longest side of the image in which contours are searched, in pixels, at least 64. 512 by default.
    public var maximumImageDimension = 512

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectContoursRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }
}

extension DetectContoursRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectContoursRequest().with(regionOfInterest, revision: revision.classic)
        request.contrastAdjustment = contrastAdjustment
        request.contrastPivot = contrastPivot.map { NSNumber(value: $0) }
        request.detectsDarkOnLight = detectsDarkOnLight
        request.maximumImageDimension = maximumImageDimension
        return request
    }

    func result(from observations: [VNObservation]) throws -> ContoursObservation {
        ContoursObservation(try observations.only(of: VNContoursObservation.self), descriptor: descriptor)
    }

    func visionResult(_ result: ContoursObservation) -> VisionResult { .detectContours(self, result) }
}
