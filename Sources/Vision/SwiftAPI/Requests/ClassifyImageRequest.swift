/// Classifies the content of an image: an observation for every class, the most confident first. See
/// `VNClassifyImageRequest`.
public struct ClassifyImageRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [ClassificationObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// EfficientNet-Lite2.
        case revision2

        /// The revision of the classic request.
        var classic: Int { VNClassifyImageRequestRevision2 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision2]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// How the region of interest is fitted to the network's square input: stretched by default.
    public var cropAndScaleAction: ImageCropAndScaleAction = .scaleToFill

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .classifyImageRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }

    /// The identifiers of all classes, in alphabetical order.
    public var supportedIdentifiers: [String] { (try? VNClassifyImageRequest().supportedIdentifiers()) ?? [] }
}

extension ClassifyImageRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNClassifyImageRequest().with(regionOfInterest, revision: revision.classic)
        request.cropAndScaleOption = cropAndScaleAction.classic
        return request
    }

    func result(from observations: [VNObservation]) throws -> [ClassificationObservation] {
        try observations.all(of: VNClassificationObservation.self).map {
            ClassificationObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: [ClassificationObservation]) -> VisionResult { .classifyImage(self, result) }
}
