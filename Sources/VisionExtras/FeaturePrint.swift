public import Vision
import VisionModels

/// A feature print as a value: the content of a `VNFeaturePrintObservation`, for storage, comparison and search.
public struct FeaturePrint: Hashable, Sendable {
    let vector: PrintVector

    init(vector: PrintVector) { self.vector = vector }

    /// Creates the print of an observation.
    public init(_ observation: VNFeaturePrintObservation) { vector = observation.vector }

    /// Creates a print from bytes in the form of `data`. The bytes may be untrusted.
    ///
    /// - Parameters:
    ///   - revision: The revision of the request that made the print.
    ///   - data: Little-endian floats of 4 bytes; 1 to 2048 of them.
    /// - Throws: `invalidArgument` for invalid data: no elements or too many, or one that is not a number or beyond
    ///   ±10⁶.
    public init(revision: Int, data: Data) throws {
        do {
            vector = try PrintVector(revision: revision, data: data)
        } catch {
            throw visionError(from: error)
        }
    }

    /// The revision of the request that made the print. Prints of different revisions cannot be compared.
    public var revision: Int { vector.revision }

    /// The number of elements.
    public var elementCount: Int { vector.elements.count }

    /// The elements.
    public var elements: [Float] { vector.elements }

    /// The elements one after another: little-endian floats of 4 bytes. As `VNFeaturePrintObservation.data`.
    public var data: Data { vector.data }

    /// Returns the Euclidean distance of two prints: 0 for equal ones, symmetric, never NaN. Prints of the scene
    /// networks have length 1, so their distances are in 0…2.
    ///
    /// - Throws: `invalidOperation` if the prints are of different revisions or lengths.
    public func distance(to other: FeaturePrint) throws -> Float {
        do {
            return try vector.distance(to: other.vector)
        } catch {
            throw visionError(from: error)
        }
    }

    /// The factor of `scaledDistance(to:)`: 20.
    ///
    /// Programs for Apple's first revision compare distances with limits of 10 (versions of one photo) to 23 (the same
    /// kind of thing). With this factor 23 is a distance of 1.15, within which 95 % of the pairs of Imagenette's
    /// photographs show the same class (Documentation/Accuracy.md, *Feature prints*). The networks differ, so that
    /// only limits can be compared, not single distances.
    public static let distanceScale: Float = 20

    /// Returns the distance of two prints on the scale of Apple's first revision, 0…40: `distanceScale` times
    /// `distance(to:)`.
    ///
    /// - Throws: `invalidOperation` if the prints are of different revisions or lengths.
    public func scaledDistance(to other: FeaturePrint) throws -> Float {
        try Self.distanceScale * distance(to: other)
    }
}

extension VNFeaturePrintObservation {
    /// Returns the distance of two prints on the scale of Apple's first revision, 0…40, for limits such as 10 or 18
    /// that a program brings along. See `FeaturePrint.distanceScale`.
    ///
    /// - Throws: `invalidOperation` if the prints are of different revisions or lengths.
    public final func scaledDistance(to other: VNFeaturePrintObservation) throws -> Float {
        try FeaturePrint.distanceScale * distance(toVectorOf: other)
    }

    /// Returns the result of `computeDistance(_:to:)`: the distance of two prints, 0 for equal ones, 0…2.
    ///
    /// - Throws: `invalidOperation` if the prints are of different revisions or lengths.
    public final func distance(to other: VNFeaturePrintObservation) throws -> Float {
        try distance(toVectorOf: other)
    }
}
