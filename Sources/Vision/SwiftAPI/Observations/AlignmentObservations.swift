import VisionImage

/// The translation that aligns an image with the one before.
public struct ImageTranslationAlignmentObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNImageTranslationAlignmentObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The translation in pixels, y upwards.
    public var alignmentTransform: CGAffineTransform { classic.alignmentTransform }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNImageTranslationAlignmentObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNImageTranslationAlignmentObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns the image moved by the translation.
    public func applyTransform(to ciImage: CIImage) -> CIImage { ciImage.transformed(by: alignmentTransform) }
}

/// The homography that aligns an image with the one before.
public struct ImageHomographicAlignmentObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNImageHomographicAlignmentObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The homography between pixels, y upwards.
    public var warpTransform: matrix_float3x3 { classic.warpTransform }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNImageHomographicAlignmentObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNImageHomographicAlignmentObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}
