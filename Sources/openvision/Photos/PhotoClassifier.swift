import Vision
import VisionPhotos
import VisionVideo

/// Decides which classes count as present in a photo.
struct ClassFilter: Sendable {
    typealias Point = (minimum: Float, at: Float)

    /// The precision that a class must have at the given recall.
    var precisionAtRecall: Point?
    /// The recall that a class must have at the given precision.
    var recallAtPrecision: Point?

    /// Whether every class passes.
    var isOpen: Bool { precisionAtRecall == nil && recallAtPrecision == nil }

    func passes(_ observation: VNClassificationObservation) -> Bool {
        if let (minimum, recall) = precisionAtRecall,
            !observation.hasMinimumPrecision(minimum, forRecall: recall)
        {
            return false
        }
        if let (minimum, precision) = recallAtPrecision,
            !observation.hasMinimumRecall(minimum, forPrecision: precision)
        {
            return false
        }
        return true
    }
}

/// Classifies photos.
struct PhotoClassifier: Sendable {
    let revision: Int
    let filter: ClassFilter

    /// Classifies a small image first, so that an error that affects every photo is not reported for one of them.
    ///
    /// - Parameter revision: nil for the default one.
    /// - Throws: `RequestFailure`.
    init(revision: Int?, filter: ClassFilter) throws {
        let request = VNClassifyImageRequest()
        if let revision { request.revision = revision }
        self.revision = request.revision
        self.filter = filter
        let image = try CVPixelBuffer.make(width: 32, height: 32, format: kCVPixelFormatType_32BGRA, path: "probe")
        do {
            try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
        } catch {
            throw RequestFailure(path: "classification", error)
        }
    }

    /// Returns the classes that pass the filter, the most confident first.
    ///
    /// - Throws: The error of the request, or of reading a file that is not an image.
    func classes(of path: FilePath) throws -> [ClassTree.Class] {
        let request = VNClassifyImageRequest()
        request.revision = revision
        try VNImageRequestHandler(data: try PhotoFile.read(path).data).perform([request])
        return (request.results ?? []).filter(filter.passes)
            .sorted { ($1.confidence, $0.identifier) < ($0.confidence, $1.identifier) }
            .map { ClassTree.Class(identifier: $0.identifier, confidence: Double($0.confidence)) }
    }
}
