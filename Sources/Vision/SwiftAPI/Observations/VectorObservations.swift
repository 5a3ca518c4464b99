import CoreML

/// The type of the elements of a feature print.
public enum ElementType: Codable, Hashable, Sendable {
    /// 32-bit floats.
    case float
    /// 64-bit floats.
    case double
}

/// A vector that is near those of images with similar content.
public struct FeaturePrintObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNFeaturePrintObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The type of the elements.
    public var elementType: ElementType { classic.elementType == .double ? .double : .float }
    /// The number of elements.
    public var elementCount: Int { classic.elementCount }
    /// The elements, one after the other.
    public var data: Data { classic.data }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNFeaturePrintObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNFeaturePrintObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns the distance of two prints: 0 for equal images, at most 2.
    ///
    /// - Throws: `VisionError.invalidOperation` if the prints are of different revisions.
    public func distance(to featurePrint: FeaturePrintObservation) throws -> Double {
        do {
            return Double(try classic.distance(toVectorOf: featurePrint.classic))
        } catch {
            throw VisionError(error)
        }
    }
}

/// The angle of the horizon.
public struct HorizonObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNHorizonObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The angle of the horizon, counter-clockwise.
    public var angle: Measurement<UnitAngle> { Measurement(value: Double(classic.angle), unit: .radians) }

    /// The rotation about the lower left corner that makes the horizon level.
    public var transform: CGAffineTransform { classic.transform }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNHorizonObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNHorizonObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns the rotation about the centre of an image of that size in pixels that makes the horizon level.
    public func transform(for imageSize: CGSize) -> CGAffineTransform {
        classic.transform(for: imageSize)
    }
}

/// An output of a Core ML model that is neither an image nor a class.
public struct CoreMLFeatureValueObservation: WrappedObservation {
    /// The observation of the classic API with the same values.
    public let classic: VNCoreMLFeatureValueObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The name of the output.
    public var featureName: String { classic.featureName }
    /// The value of the output.
    public var featureValue: MLSendableFeatureValue { MLSendableFeatureValue(classic.featureValue) }

    /// Creates an observation from one of the classic API.
    public init?(_ observation: VNCoreMLFeatureValueObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNCoreMLFeatureValueObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}
