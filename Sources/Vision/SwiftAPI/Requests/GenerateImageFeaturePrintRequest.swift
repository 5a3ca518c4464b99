/// Computes a vector that is near those of images with similar content. See
/// `VNGenerateImageFeaturePrintRequest`.
public struct GenerateImageFeaturePrintRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = FeaturePrintObservation

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// From EfficientNet-Lite2.
        case revision2

        /// The revision of the classic request.
        var classic: Int { VNGenerateImageFeaturePrintRequestRevision2 }
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
    public var descriptor: RequestDescriptor { .generateImageFeaturePrintRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }
}

extension GenerateImageFeaturePrintRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNGenerateImageFeaturePrintRequest().with(regionOfInterest, revision: revision.classic)
        request.imageCropAndScaleOption = cropAndScaleAction.classic
        return request
    }

    func result(from observations: [VNObservation]) throws -> FeaturePrintObservation {
        FeaturePrintObservation(try observations.only(of: VNFeaturePrintObservation.self), descriptor: descriptor)
    }

    func visionResult(_ result: FeaturePrintObservation) -> VisionResult { .generateImageFeaturePrint(self, result) }
}
