/// Where each pixel of an image is in the next one: vectors in pixels, x to the right, y down.
public struct OpticalFlowObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNPixelBufferObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The size in pixels.
    public var size: CGSize { classic.pixelBuffer.size }

    /// The pixel format: two components of 32-bit or of 16-bit floats.
    public var pixelFormat: OSType { CVPixelBufferGetPixelFormatType(classic.pixelBuffer) }

    /// Creates an observation from one of the classic API; nil if its pixels have not two components.
    public init?(_ observation: VNPixelBufferObservation) {
        guard observation.pixelBuffer.component(1, at: .zero) != nil else { return nil }
        self.init(observation, descriptor: nil)
    }

    init(_ classic: VNPixelBufferObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns the vector at a point. Points outside of the image have that of the nearest pixel.
    public func flow(at point: NormalizedPoint) -> (Float, Float) {
        (
            classic.pixelBuffer.component(0, at: point) ?? 0, classic.pixelBuffer.component(1, at: point) ?? 0
        )
    }

    /// Calls a closure with the address of the first row. Rows are `CVPixelBufferGetBytesPerRow` bytes apart; the
    /// address is valid during the call only.
    public func withUnsafePointer<Value>(_ body: (UnsafeRawPointer) -> Value) -> Value {
        classic.pixelBuffer.withFirstRow(body)
    }
}

/// The flight of an object along a parabola.
public struct TrajectoryObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNTrajectoryObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// Where the object was seen, the latest last.
    public var detectedPoints: [NormalizedPoint] {
        classic.detectedPoints.map { NormalizedPoint(normalizedPoint: $0.location) }
    }

    /// Five points of the parabola, from the first to the last of the detected ones, at equal distances in time.
    public var projectedPoints: [NormalizedPoint] {
        classic.projectedPoints.map { NormalizedPoint(normalizedPoint: $0.location) }
    }

    /// The parabola y = a x² + b x + c.
    public var equationCoefficients: SIMD3<Float> { classic.equationCoefficients }

    /// The mean radius of the object in normalised coordinates.
    public var movingAverageRadius: CGFloat { classic.movingAverageRadius }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNTrajectoryObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNTrajectoryObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}
