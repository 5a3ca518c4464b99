/// Objects or people that are separated from the background and from each other.
public struct InstanceMaskObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNInstanceMaskObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The numbers of the instances, from 1.
    public var allInstances: IndexSet { classic.allInstances }

    /// The number of the instance of each pixel, 0 for the background: one component of 8 bits.
    public var allInstancesMask: PixelBufferObservation {
        PixelBufferObservation(
            VNPixelBufferObservation(
                pixelBuffer: classic.instanceMask, featureName: nil, requestRevision: classic.requestRevision,
                timeRange: classic.timeRange), descriptor: originatingRequestDescriptor)
    }

    /// Creates an observation from one of the classic API.
    public init?(_ observation: VNInstanceMaskObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNInstanceMaskObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns the mask of some instances at the size of the network's output: one float a pixel, 0…1.
    ///
    /// - Throws: `VisionError.invalidArgument` if an instance does not exist.
    public func generateMask(for instances: IndexSet) throws -> CVPixelBuffer {
        try translated { try classic.generateMask(forInstances: instances) }
    }

    /// Returns the image with everything but some instances made transparent.
    ///
    /// - Parameters:
    ///   - instances: The instances to keep.
    ///   - requestHandler: The handler of the image that the observation was made of.
    ///   - croppedToInstancesExtent: Whether the image is cropped to the instances.
    /// - Throws: `VisionError`.
    public func generateMaskedImage(
        for instances: IndexSet, imageFrom requestHandler: ImageRequestHandler, croppedToInstancesExtent: Bool = false
    ) throws -> CVPixelBuffer {
        try translated {
            try classic.generateMaskedImage(
                ofInstances: instances, from: requestHandler.classic,
                croppedToInstancesExtent: croppedToInstancesExtent)
        }
    }

    /// Returns the mask of some instances at the size of the image: one float a pixel, 0…1.
    ///
    /// - Parameters:
    ///   - instances: The instances.
    ///   - requestHandler: The handler of the image that the observation was made of.
    /// - Throws: `VisionError`.
    public func generateScaledMask(
        for instances: IndexSet, scaledToImageFrom requestHandler: ImageRequestHandler
    ) throws -> CVPixelBuffer {
        try translated { try classic.generateScaledMaskForImage(forInstances: instances, from: requestHandler.classic) }
    }

    /// Returns the instance at a point; empty for the background.
    public func instanceAtPoint(_ point: NormalizedPoint) -> IndexSet {
        let value = classic.instanceMask.component(0, at: point).map { Int(($0 * 255).rounded()) } ?? 0
        return value > 0 ? IndexSet(integer: value) : IndexSet()
    }

    private func translated<Value>(_ make: () throws -> Value) throws -> Value {
        do {
            return try make()
        } catch {
            throw VisionError(error)
        }
    }
}
