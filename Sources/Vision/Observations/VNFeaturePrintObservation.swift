import VisionImage
package import VisionModels

/// A feature vector of an image: the smaller the distance of two, the more similar are the images.
///
/// The vectors have length 1, so that distances lie between 0 and 2. Only prints of one revision of
/// `VNGenerateImageFeaturePrintRequest` can be compared.
open class VNFeaturePrintObservation: VNObservation, @unchecked Sendable {
    package let vector: PrintVector

    init(vector: PrintVector, requestRevision: Int, timeRange: CMTimeRange = .zero) {
        self.vector = vector
        super.init(requestRevision: requestRevision, timeRange: timeRange)
    }

    /// The type of the elements: `float`.
    open var elementType: VNElementType { .float }

    /// The number of elements: 512 in revisions 1 and 2.
    open var elementCount: Int { vector.elements.count }

    /// The elements one after another: IEEE floats of 4 bytes, little-endian.
    ///
    /// In revisions 1 and 2 the first 256 elements are projections of the network's class scores on the directions in
    /// which the classes differ most, the other 256 those of the square roots of the class probabilities.
    open var data: Data { vector.data }

    /// Computes the Euclidean distance of two prints: 0 for equal ones, symmetric, never NaN.
    ///
    /// - Parameters:
    ///   - outDistance: Receives the distance.
    ///   - featurePrint: The other print.
    /// - Throws: `invalidOperation` if the prints are of different revisions or lengths; nothing is written then.
    open func computeDistance(
        _ outDistance: UnsafeMutablePointer<Float>, to featurePrint: VNFeaturePrintObservation
    ) throws {
        outDistance.pointee = try distance(toVectorOf: featurePrint)
    }

    package final func distance(toVectorOf other: VNFeaturePrintObservation) throws -> Float {
        do {
            return try vector.distance(to: other.vector)
        } catch {
            throw visionError(from: error)
        }
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let text = archive.text("data"),
            let revision = archive.integer("requestRevision"),
            let data = Data(base64Encoded: text), let vector = try? PrintVector(revision: revision, data: data)
        else { return nil }
        self.vector = vector
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("data", data.base64EncodedString())
    }

    /// The base description, and the number of elements.
    open override var description: String { "\(super.description) \(elementCount) elements" }
}
