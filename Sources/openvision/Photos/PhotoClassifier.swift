import Foundation
import Vision
import VisionPhotos

/// Which classes count as present in a photo.
struct ClassFilter: Sendable {
    typealias Point = (minimum: Float, at: Float)

    /// The precision that a class has to have where its recall is the given one.
    var precisionAtRecall: Point?
    /// The recall that a class has to have where its precision is the given one.
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

/// Tells the classes of photos.
struct PhotoClassifier: Sendable {
    let revision: Int
    let filter: ClassFilter
    /// Classes of a photo at most.
    let limit: Int

    /// Classifies a small picture first, so that what would fail for every photo is not blamed on one.
    ///
    /// - Parameter revision: nil for the default one.
    /// - Throws: `RequestFailure`.
    init(revision: Int?, filter: ClassFilter, limit: Int) throws {
        let request = VNClassifyImageRequest()
        if let revision { request.revision = revision }
        self.revision = request.revision
        self.filter = filter
        self.limit = limit
        let picture = try CVPixelBuffer.make(width: 32, height: 32, format: kCVPixelFormatType_32BGRA, path: "probe")
        do {
            try VNImageRequestHandler(cvPixelBuffer: picture).perform([request])
        } catch {
            throw RequestFailure(path: "classification", error)
        }
    }

    /// The classes that pass, the most confident first.
    ///
    /// - Throws: the error of the request, or of reading, when the file is no photo.
    func classes(of path: FilePath) throws -> [ClassTree.Class] {
        let request = VNClassifyImageRequest()
        request.revision = revision
        try VNImageRequestHandler(data: try PhotoFile.read(path).data).perform([request])
        return (request.results ?? []).filter(filter.passes)
            .sorted { ($1.confidence, $0.identifier) < ($0.confidence, $1.identifier) }
            .prefix(limit)
            .map { ClassTree.Class(identifier: $0.identifier, confidence: Double($0.confidence)) }
    }
}
