public import Vision
import VisionModels

/// A feature print as a value: what a `VNFeaturePrintObservation` holds, to be kept, compared and searched.
public struct FeaturePrint: Hashable, Sendable {
    let vector: PrintVector

    init(vector: PrintVector) { self.vector = vector }

    /// The print of an observation.
    public init(_ observation: VNFeaturePrintObservation) { vector = observation.vector }

    /// A print from the bytes that `data` gave. The bytes may come from anywhere.
    ///
    /// - Parameters:
    ///   - revision: The revision of the request that made the print.
    ///   - data: Floats of 4 bytes, the least significant byte first; 1 to 2048 of them.
    /// - Throws: `invalidArgument` when that is no print: no elements or too many, or one that is no number or beyond ±10⁶.
    public init(revision: Int, data: Data) throws {
        do {
            vector = try PrintVector(revision: revision, data: data)
        } catch {
            throw visionError(from: error)
        }
    }

    /// The revision of the request that made the print. Prints of different revisions cannot be compared.
    public var revision: Int { vector.revision }

    /// How many elements there are.
    public var elementCount: Int { vector.elements.count }

    /// The elements.
    public var elements: [Float] { vector.elements }

    /// The elements one after another: floats of 4 bytes, the least significant byte first. As `VNFeaturePrintObservation.data`.
    public var data: Data { vector.data }

    /// The Euclidean distance of two prints: 0 for equal ones, the same in both directions, never NaN. Prints of the scene
    /// networks have length 1, so that it lies in 0…2.
    ///
    /// - Throws: `invalidOperation` when the prints are of different revisions or lengths.
    public func distance(to other: FeaturePrint) throws -> Float {
        do {
            return try vector.distance(to: other.vector)
        } catch {
            throw visionError(from: error)
        }
    }
}

extension VNFeaturePrintObservation {
    /// What `computeDistance(_:to:)` writes: the distance of two prints, 0 for equal ones, 0…2.
    ///
    /// - Throws: `invalidOperation` when the prints are of different revisions or lengths.
    public final func distance(to other: VNFeaturePrintObservation) throws -> Float {
        try distance(toVectorOf: other)
    }
}
