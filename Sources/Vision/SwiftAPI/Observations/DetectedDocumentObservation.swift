/// The page of a document.
public struct DetectedDocumentObservation: WrappedObservation, QuadrilateralProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNRectangleObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The mask of the page: a byte a pixel, 255 on the page. Observations of a request always have it.
    public var globalSegmentationMask: PixelBufferObservation? {
        classic.globalSegmentationMask.map { PixelBufferObservation($0, descriptor: originatingRequestDescriptor) }
    }

    /// Creates an observation from one of the classic API; nil if it has no mask.
    public init?(_ observation: VNRectangleObservation) {
        guard observation.globalSegmentationMask != nil else { return nil }
        self.init(observation, descriptor: nil)
    }

    init(_ classic: VNRectangleObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}
